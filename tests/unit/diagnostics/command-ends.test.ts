import { expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../src/diagnostics/excerpt.ts';
import { condensed } from '../../helpers/condensed.ts';

const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));

const WARNINGS =
  'src/pool.cpp:11:81: warning: Possible null pointer dereference: p\nsrc/pool.cpp:10:10: warning: Access of moved variable';
const ENDS = [
  ['a step of a CI service', '##[error]Process completed with exit code 1.'],
  ['make', 'make[1]: *** [Makefile:12: lint] Error 1\nmake: *** [Makefile:3: all] Error 2'],
  ['a runner of recipes', 'error: Recipe `lint` failed on line 12 with exit code 1'],
  ['a runner of sessions', 'nox > Command lint -q failed with exit code 1\nnox > Session lint failed.'],
];

test.each(ENDS)('the warnings of a command are shown above its end: %s', (_, end) => {
  expect(excerpt(`${WARNINGS}\n${end}\n`)).toContain(WARNINGS);
});

test.each(ENDS)('what explains no error is left out, also above the end of a command: %s', (_, end) => {
  const shown = excerpt(`${WARNINGS}\nsrc/cart.ts(3,5): error TS2322: Type 'A' is not 'B'.\n${end}\n`);

  expect(shown).toContain('TS2322');
  expect(shown).not.toContain('moved variable');
});

test('what the last command printed is shown below a failed test, if it says neither that it failed nor that it passed', () => {
  const tests = Array.from({ length: 2000 }, (_, i) => `  ✓ adds ${'a'.repeat(i % 7)}${i}`).join('\n');
  const failed = '✗ subtracts\n  Error: expected 3 to be 4\n      at a (src/a.js:3:5)';
  const size =
    '> size-limit\n\nInstall a preset for the type of the project\n\nFor applications\n  npm install preset-app';
  const output = `${tests}\n${failed}\nTests: 1 failed, 400 passed\nThe results are in out.xml\n\n> size\n${size}\n\nSee the manual`;

  expect(excerpt(output)).toContain('Install a preset for the type of the project');
  expect(excerpt(`${output}\n✓ all are small`)).not.toContain('Install a preset');
});

test('the last lines of a command say why it failed, also below a warning that the one before has failed', () => {
  const end = '>> Exited with code: 1.\n>> Error executing child process: Error: Process exited with code 1.';
  const failed = Array.from(
    { length: 9 },
    (_, i) => `not ok ${i} adds\n  ---\n  message: got ${'a'.repeat(300)}${i}\n  ...`,
  );
  const size = '  core\n  Package size limit has exceeded by 163 B\n  Size: 363 B\n\n  util\n  Size: 113 B';
  const output = [
    ...failed,
    end,
    'Warning: Task "unit" failed. Used --force, continuing.\n',
    `Running "size" task\n\n${size}\n\n  Try to reduce size`,
    end,
    'Warning: Task "size" failed. Used --force, continuing.\n',
    'Running "verdict" task\nFatal error: 2 of 2 tasks failed',
  ].join('\n');

  expect(excerpt(output)).toContain('  core\n  Package size limit has exceeded by 163 B');
});

test('where a command is documented is left out above its end', () => {
  const visit = 'info Visit https://pm.example/run for documentation about this command.';
  const end = 'error Command failed with exit code 1.';

  expect(excerpt(`no lock for the cart\n${visit}\n${end}\n${visit}\n`)).toBe(`no lock for the cart\n${end}`);
});
