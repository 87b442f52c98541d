import { expect, test } from 'vitest';
import { ScriptChains } from '../../../../src/diagnostics/failures/script-chains.ts';

/** Where commands began that have passed, by the line that shows it. */
function passedIn(text: string, command = ''): Record<string, number> {
  const chains = new ScriptChains(command);
  return Object.fromEntries(
    text
      .split('\n')
      .flatMap((line, at) =>
        line.startsWith('> ') ? [[line, chains.take({ at, text: line })] as const] : [],
      )
      .flatMap(([line, start]) => (start === undefined ? [] : [[line, start]])),
  );
}

const LINT = '> shop@1.0.0 lint\n> eslint .\n';
const TEST = '> shop@1.0.0 test\n> jest\n';

test.each([
  ['joined by &&', 'npm run lint && npm run test'],
  ['run one after another', 'run-s lint test'],
  ['run by the older runner', 'npm-run-all --sequential lint test'],
  ['with settings and options', 'CI=1 npm run lint -- --quiet 2>&1 && npm test -- --ci'],
  ['of which the first is no script', 'tsc --noEmit && npm test'],
])('a script that begins shows that the commands before it have passed: %s', (_, command) => {
  expect(passedIn(`> shop@1.0.0 check\n> ${command}\n\n${LINT}${TEST}`)).toEqual({ '> shop@1.0.0 test': 0 });
});

test.each([
  ['in a second command', 'npm run lint; npm test'],
  ['after one that may fail', 'npm run lint || npm test'],
  ['at the same time', 'npm run lint & npm test && wait'],
  ['in a shell of its own', '(npm run lint; true) && npm test'],
  ['at the same time, by a runner', 'run-p lint test'],
  ['after one that failed, by a runner', 'run-s -c lint test'],
])('a script that begins shows nothing of one that runs %s', (_, command) => {
  expect(passedIn(`> shop@1.0.0 check\n> ${command}\n\n${LINT}${TEST}`)).toEqual({});
});

test('the first script of a chain, and one that it does not name, show nothing', () => {
  expect(
    passedIn('> shop@1.0.0 check\n> npm run lint && npm test\n\n> shop@1.0.0 lint\n> eslint .\n'),
  ).toEqual({});
  expect(passedIn(`> shop@1.0.0 check\n> npm run lint && npm run e2e\n\n${LINT}${TEST}`)).toEqual({});
});

test('a script of another package shows nothing', () => {
  expect(
    passedIn(`> shop@1.0.0 check\n> npm run lint && npm test\n\n${LINT}> cart@1.0.0 test\n> jest\n`),
  ).toEqual({});
});

test('the chain of a script within a chain begins where that script begins', () => {
  const inner = '> shop@1.0.0 lint:js\n> eslint .\n\n> shop@1.0.0 lint:css\n> stylelint src\n';
  const lint = `> shop@1.0.0 lint\n> npm run lint:js && npm run lint:css\n\n${inner}`;
  expect(passedIn(`> shop@1.0.0 check\n> npm run lint && npm test\n\n${lint}\n${TEST}`)).toEqual({
    '> shop@1.0.0 lint:css': 3,
    '> shop@1.0.0 test': 0,
  });
});

test.each([
  ['before', 'pretest', 'test'],
  ['after', 'test', 'posttest'],
])('what a package manager runs %s a script has the same order', (_, first, second) => {
  expect(passedIn(`> shop@1.0.0 ${first}\n> tsc\n\n> shop@1.0.0 ${second}\n> jest\n`)).toEqual({
    [`> shop@1.0.0 ${second}`]: 0,
  });
});

test('what runs before the next script of a chain shows that the one above has passed', () => {
  expect(
    passedIn(
      `> shop@1.0.0 check\n> npm run lint && npm test\n\n${LINT}> shop@1.0.0 pretest\n> tsc\n\n${TEST}`,
    ),
  ).toEqual({ '> shop@1.0.0 pretest': 0, '> shop@1.0.0 test': 0 });
});

test('the command that is run may be a chain itself', () => {
  expect(passedIn(LINT + TEST, 'npm run lint && npm test')).toEqual({ '> shop@1.0.0 test': 0 });
});

test('a package may have no name, and pnpm names its folder', () => {
  expect(passedIn('> check\n> npm run lint && npm test\n\n> lint\n> tsc\n\n> test\n> jest\n')).toEqual({
    '> test': 0,
  });
  const folder = '/home/jo/my shop';
  expect(
    passedIn(
      `> shop@1.0.0 check ${folder}\n> pnpm lint && pnpm run test\n\n> shop@1.0.0 lint ${folder}\n> tsc\n\n> shop@1.0.0 test ${folder}\n> jest\n`,
    ),
  ).toEqual({ [`> shop@1.0.0 test ${folder}`]: 0 });
});
