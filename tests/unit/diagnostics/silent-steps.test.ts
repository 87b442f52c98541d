import { expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../src/diagnostics/excerpt.ts';
import { condensed } from '../../helpers/condensed.ts';

const of = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));
const ERROR = "src/b.c:3:5: error: 'x' undeclared";

test.each([
  [
    'a script of another package',
    '> @shop/api@1.0.0 test\n> node --test\n\n......\n\n> @shop/cart@1.0.0 test\n> mocha',
    ['> @shop/cart@1.0.0 test', '> mocha'],
  ],
  [
    'a script of another package, behind the prefix of a runner',
    'api:test: > @shop/api@1.0.0 test\napi:test: > node --test\ncart:test: > @shop/cart@1.0.0 test\ncart:test: > mocha',
    ['cart:test: > @shop/cart@1.0.0 test', 'cart:test: > mocha'],
  ],
  [
    'a target of another package',
    '> @shop/api:build\n\n> @shop/api@1.0.0 build\n> tsc\n\n....\n\n> @shop/cart:build\n\n> @shop/cart@1.0.0 build\n> tsc',
    ['> @shop/cart@1.0.0 build', '> tsc'],
  ],
  ['a task', '> Task :compileJava\n> Task :compileTestJava', ['> Task :compileTestJava']],
  [
    'a task, without a mark',
    ':core:compileJava\n:core:processResources NO-SOURCE\n:core:jar UP-TO-DATE\n:app:compileJava',
    [':app:compileJava'],
  ],
  ['a command', '$ git fetch\n$ git rebase main', ['$ git rebase main']],
  [
    'what the same compiler does with another file',
    'cc -Wall -c -o a.o a.c\ncc -Wall -c -o b.o b.c',
    ['cc -Wall -c -o b.o b.c'],
  ],
])('of steps with nothing in between, the last is shown: %s', (_, steps, kept) => {
  expect(
    of(`${steps}\n${ERROR}`)
      .replace(/^… .* lines …\n+/gm, '')
      .split('\n'),
  ).toEqual([...kept, ERROR]);
});

test.each([
  ['with an error', `cc -c -o a.o a.c\na.c:1:1: error: no x\ncc -c -o b.o b.c\n${ERROR}`],
  ['with words', `> @a/a@1.0.0 test\n> mocha\nno tests\n> @a/b@1.0.0 test\n> mocha\n${ERROR}`],
  ['where no error is sure', 'cc -c -o a.o a.c\ncc -c -o b.o b.c\nwithout success'],
  ['of two programs', `cc -c -o a.o a.c\nas -o b.o b.s\n${ERROR}`],
  ['that are commands to type', `npm install --save-dev a\nnpm install --save-dev b\n${ERROR}`],
  ['that are quoted', `> one\n> two\n${ERROR}`],
  ['that are source', `> 1 | one\n> 2 | two\n${ERROR}`],
  ['that are items', `- one\n- two\n* three\n* four\n${ERROR}`],
])('lines %s are shown', (_, output) => {
  expect(of(output)).toBe(output);
});

test('blank lines between two gaps are no lines of an excerpt', () => {
  const passed = '✓ adds\n✓ subtracts\n✓ divides\n✓ multiplies';

  expect(of(`${passed}\n\n${passed}\n\n${passed}\n✗ rounds`)).toBe('… 14 lines …\n✗ rounds');
});
