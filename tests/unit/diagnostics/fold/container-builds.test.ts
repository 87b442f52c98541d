import { expect, test } from 'vitest';
import { withoutStepAgain } from '../../../../src/diagnostics/fold/container-builds.ts';

const shown = (...output: readonly string[]) =>
  withoutStepAgain(output.flatMap((part) => part.split('\n')).map((text, at) => ({ at, text })))
    .map(({ text }) => text)
    .join('\n');

const PROCESS = 'process "/bin/sh -c cargo test" did not complete successfully: exit code: 101';
const STEP = `#8 2.360 test result: FAILED. 2 passed; 1 failed\n#8 2.364 error: test failed\n#8 ERROR: ${PROCESS}`;
const AGAIN =
  ' > [6/6] RUN cargo test:\n2.360 test result: FAILED. 2 passed; 1 failed\n2.360\n2.364 error: test failed';
const END = `ERROR: failed to solve: ${PROCESS}`;

test('the last lines of a step of a container are shown once, and so is how it has ended', () => {
  expect(shown(STEP, AGAIN, 'Dockerfile:9', END)).toBe(`${STEP}\nDockerfile:9`);
});

test('the last lines of a step of a container are shown where the step itself has printed others', () => {
  const other = `#8 2.360 compiled\n#8 ERROR: ${PROCESS}`;

  expect(shown(other, AGAIN)).toBe(`${other}\n${AGAIN}`);
});

test('how a build of a container has ended is shown if no step says it', () => {
  expect(shown(AGAIN, END)).toBe(`${AGAIN}\n${END}`);
});

test('of the instructions of a Dockerfile, the one that has failed is shown', () => {
  const failed = '   9 | >>> RUN cargo test';

  expect(shown('   8 |     RUN cargo build', failed, '  10 |     CMD ["app"]')).toBe(failed);
});

test('source with the margin of a Dockerfile is shown where no instruction has failed', () => {
  expect(shown('   8 |     total += price;')).toBe('   8 |     total += price;');
});
