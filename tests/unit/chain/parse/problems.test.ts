import { describe, expect, test } from 'vitest';
import { markProblem, problemsText } from '../../../../src/chain/parse/problems.ts';

/** Marks the place of a `¦` in a text. */
function marked(text: string): string[] {
  const before = text.slice(0, text.indexOf('¦')).split(/\r\n?|\n/);
  const place = { line: before.length, column: (before.at(-1) ?? '').length + 1, message: 'found it' };
  return markProblem(text.replace('¦', ''), place).split('\n');
}

describe('markProblem shows', () => {
  test.for([
    ['a whole line', 'fix :: verify:¦"npm', ['fix :: verify:"npm', '              ^']],
    ['the first character', '¦:: verify:"x"', [':: verify:"x"', '^']],
    ['the end of the line', 'a b¦\nc', ['a b', '   ^']],
    ['one of several lines', 'a\nb\r\nc\rd ¦e\r\nf', ['d e', '  ^']],
    ['an empty line', 'a\n¦\nb', ['', '^']],
    [
      'the middle of a long line',
      `${'a'.repeat(50)}¦${'b'.repeat(50)}`,
      [`…${'a'.repeat(36)}${'b'.repeat(36)}…`, `${' '.repeat(37)}^`],
    ],
    [
      'the beginning of a long line',
      `${'a'.repeat(9)}¦${'b'.repeat(90)}`,
      [`${'a'.repeat(9)}${'b'.repeat(63)}…`, `${' '.repeat(9)}^`],
    ],
    [
      'the end of a long line',
      `${'a'.repeat(90)}¦${'b'.repeat(9)}`,
      [`…${'a'.repeat(63)}${'b'.repeat(9)}`, `${' '.repeat(64)}^`],
    ],
    ['a line of the maximum width', `${'a'.repeat(71)}¦b`, [`${'a'.repeat(71)}b`, `${' '.repeat(71)}^`]],
    ['characters of two columns', '修复错误！🎉 ｘ¦y', ['修复错误！🎉 ｘy', `${' '.repeat(15)}^`]],
    [
      'many characters of two columns',
      `${'错'.repeat(40)}¦${'误'.repeat(40)}`,
      [`…${'错'.repeat(18)}${'误'.repeat(18)}…`, `${' '.repeat(37)}^`],
    ],
    ['characters without a column', 'e\u0301\u200D\u202Ee¦x', ['e\u0301ex', '  ^']],
    ['control characters', 'a\tb\u001B[2J\0\u009B¦x', ['a b\uFFFD[2J\uFFFD\uFFFDx', '         ^']],
    ['half a character', 'a\uD83C¦x', ['a\uFFFDx', '  ^']],
  ] as const)('%s', ([, text, lines]) => {
    expect(marked(text)).toEqual(lines);
  });

  test('nothing of a line that does not exist', () => {
    expect(markProblem('ab', { line: 7, column: 7, message: 'found it' })).toBe('\n^');
  });

  test('a line of a megabyte, cut', () => {
    const [line = '', mark = ''] = marked(`${'a'.repeat(2 ** 20)}¦${'b'.repeat(2 ** 20)}`);
    expect(line).toBe(`…${'a'.repeat(36)}${'b'.repeat(36)}…`);
    expect(mark.indexOf('^')).toBe(37);
  });
});

test('problemsText shows the first ten of thousands of problems', () => {
  const problems = Array.from({ length: 3000 }, () => ({ line: 1, column: 1, message: 'found it' }));
  const text = problemsText('x', problems);
  expect(text.split('1:1: found it')).toHaveLength(11);
  expect(text).toMatch(/\nand 2990 more$/);
});
