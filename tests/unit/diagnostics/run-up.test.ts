import { expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../src/diagnostics/excerpt.ts';
import { condensed } from '../../helpers/condensed.ts';

const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));
const ERROR = "src/b.c:3:5: error: 'x' undeclared";
const NEAR = 'tick\ntock\ntack';

test.each([
  ['a title', 'Stock of the depot'],
  ['the answer of a database', 'INSERT 0 20'],
  ['a task that ended', "[22:57:24] Finished 'clean' after 15 ms"],
  ['a step of a part of the program', '02:08:31 [content] Syncing content'],
  ['a request that was answered', 'req0 (200 OK) - 34 ms'],
  ['a step with a mark', '❯ Load schemas'],
  ['a step of a named program', "make[1]: Entering directory '/proj'"],
  ['what a server has logged of something else', "2026/11/22 20:01:58| Startup: Initialized scheme 'basic'"],
  ['a step with a level', '[info] Resolving org/total#1.2 ...'],
])('long before a sure failure, %s is left out', (_, line) => {
  expect(excerpt(`${line}\n${NEAR}\n${ERROR}`)).toBe(`${NEAR}\n${ERROR}`);
});

test.each([
  ['names a file', 'entry is src/index.ts'],
  ['names an address', 'GET http://127.0.0.1:4872/profile'],
  ['has a value', 'seed: 4711'],
  ['has a text in quotation marks', "set name to 'Ada'"],
  ['has a size', 'indexed 180 documents, 49 MB'],
  ['names a fault', 'the cache is stale'],
  ['is a part of a diff', '-beta'],
  ['is a command', '$ deploy it'],
  ['repairs', 'run the installer to update'],
])('long before a sure failure, a line that %s is kept', (_, line) => {
  expect(excerpt(`${line}\n${NEAR}\n${ERROR}`)).toBe(`${line}\n${NEAR}\n${ERROR}`);
});

test.each([
  ['names what the failure names', '2026/11/22 20:01:58| Loaded the rules of src/b.c'],
  ['is about the same', '2026/11/22 20:01:58| undeclared units: 3'],
])('long before a sure failure, a line that a server has logged is kept if it %s', (_, line) => {
  expect(excerpt(`${line}\n${NEAR}\n${ERROR}`)).toBe(`${line}\n${NEAR}\n${ERROR}`);
});

test.each([
  ['black', 'All done! ✨ 🍰 ✨'],
  ['pylint', 'Your code has been rated at 10.00/10'],
  ['mypy', 'Success: no issues found in 2 source files'],
  ['ruff', 'All checks passed!'],
  ['Prettier', 'All matched files use Prettier code style!'],
  ['PHPUnit', 'OK (5 tests, 9 assertions)'],
  ['pytest', '===== 5 passed in 0.12s ====='],
])('what a step has printed that passed by the result of %s is left out', (_, result) => {
  expect(excerpt(`src/a.c was not modified\nseed: 4711\n${result}\nlint src\n${ERROR}`)).toBe(
    `lint src\n${ERROR}`,
  );
});

test('what a step has printed that failed is kept', () => {
  const output = `src/a.c was not modified\n===== 5 passed, 1 failed in 0.12s =====\n${ERROR}`;

  expect(excerpt(output)).toBe(output);
});

test('long before a failed test that says more than its name, a step is left out', () => {
  const failed = 'tests/level-95.sh ... FAIL\nlevel 95: expected lamp 95%, got lamp 90%';

  expect(excerpt(`dh clean\n${NEAR}\n${failed}`)).toBe(`${NEAR}\n${failed}`);
});

test('shortly before a sure failure, a step is left out, unless it is the last line', () => {
  expect(excerpt(`Compiling a.c\nCompiling b.c\n${ERROR}`)).toBe(`Compiling b.c\n${ERROR}`);
});

test.each([
  ['no failure is sure', 'without success'],
  ['the failure does not say why, or where', 'fatal: rejected'],
])('where %s, the steps before are shown', (_, last) => {
  expect(excerpt(`Stock of the depot\n${NEAR}\n${last}`)).toBe(`Stock of the depot\n${NEAR}\n${last}`);
});
