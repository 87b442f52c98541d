import { expect, test } from 'vitest';
import { count, duration, jsonText, listed, oneLine, printable, thousands } from '../../../src/base/text.ts';

test.each([
  [0, '0 ms'],
  [0.4, '0 ms'],
  [40.4, '40 ms'],
  [99.4, '99 ms'],
  [100, '0.1 s'],
  [2100, '2.1 s'],
  [2000, '2 s'],
  [10_000, '10 s'],
  [12_345, '12.3 s'],
  [59_949, '59.9 s'],
  [59_950, '1 min 0 s'],
  [60_000, '1 min 0 s'],
  [119_600, '2 min 0 s'],
  [200_000, '3 min 20 s'],
  [5_400_000, '90 min 0 s'],
])('duration(%d) is %s', (milliseconds, words) => {
  expect(duration(milliseconds)).toBe(words);
});

test.each([
  [0, '0'],
  [999, '999'],
  [1240, '1,240'],
  [100_000, '100,000'],
  [1_234_567, '1,234,567'],
])('thousands(%d) is %s', (n, words) => {
  expect(thousands(n)).toBe(words);
});

test.each([
  [0, '0 gates'],
  [1, '1 gate'],
  [2, '2 gates'],
])('count of %d is %s', (n, words) => {
  expect(count(n, 'gate')).toBe(words);
});

test.each([
  ['a', 5, 'a'],
  [' a \r\n\t b ', 10, 'a b'],
  ['abcde', 5, 'abcde'],
  ['abcdef', 5, 'abcd…'],
  // Half of a surrogate pair is replaced.
  ['abc🎉🎉', 5, 'abc\ufffd…'],
  ['', 5, ''],
])('oneLine of %j in %d characters is %j', (text, width, line) => {
  expect(oneLine(text, width)).toBe(line);
});

test.each([
  [['a', 'b'], 4, 'a, b'],
  [['aaaaaaaa', 'bbbbbbbb', 'cccccccc'], 20, 'aaaaaaaa and 2 more'],
  [['aaaa', 'bbbb', 'cccc'], 21, 'aaaa, bbbb, cccc'],
  [['aaaaaaaaaaaaaaaa', 'b'], 16, 'aaaa… and 1 more'],
  [[], 5, ''],
])('listed shows whole items: %j in %d characters', (items, width, text) => {
  expect(listed(items, width)).toBe(text);
});

const BELL = '\x07';

test.each([
  [
    'plain text with tab, line feed, emoji and joiner',
    'a\tb\nc é 👩\u200d🚒 ❤\ufe0f',
    'a\tb\nc é 👩\u200d🚒 ❤\ufe0f',
  ],
  ['a copy to the clipboard', `a\x1b]52;c;ZXZpbA==${BELL}b`, 'ab'],
  ['the title of the window', `a\x1b]0;b\x1b\\c`, 'ac'],
  ['a link', `\x1b]8;;http://x${BELL}a\x1b]8;;${BELL}`, 'a'],
  ['a string that nothing ends', 'a\x1b]0;b\nc', 'a0;b\nc'],
  ['strings over several lines', `a\x1b]0;\nb\x1b]0;${BELL}c`, 'a0;\nbc'],
  ['device control, private messages', 'a\x1bPq\x1b\\b\x1b_G\x1b\\c\x1b^d\x1b\\', 'abc'],
  ['clearing, moving, hiding, reset', 'a\x1b[2J\x1b[1;1H\x1b[8mb\x1bc\x1b[?1049h', 'ab'],
  ['colours', '\x1b[31ma\x1b[39m', 'a'],
  ['an escape inside an escape', 'a\x1b\x1b[2J[8mb', 'a[8mb'],
  ['an escape cut by an invisible character', 'a\x1b\u200b[2Jb', 'a[2Jb'],
  ['a single escape', 'a\x1b', 'a'],
  ['C1 controls', 'a\u009b2Jb\u009d0;c\u009c\u0085', 'ab0;c'],
  ['carriage return, backspace, bell, form feed, NUL, DEL', `a\rb\bc${BELL}d\fe\0f\x7fg\vh`, 'abcdefgh'],
  [
    'overrides and isolates of direction',
    'a\u202eb\u202dc\u202cd\u2066e\u2067f\u2068g\u2069h\u200fi\u061cj',
    'abcdefghij',
  ],
  ['blanks without width', 'a\u200bb\u2060c\ufeffd', 'abcd'],
  ['tags, which only an agent reads', `a${String.fromCodePoint(0xe0001, 0xe0068, 0xe0069, 0xe007f)}b`, 'ab'],
])('printable leaves nothing that controls a terminal: %s', (_, text, expected) => {
  expect(printable(text)).toBe(expected);
});

test('printable keeps the escape sequences that it is asked to keep, whole', () => {
  const isKept = (sequence: string) => sequence === '\x1b[31m';
  expect(printable('\x1b[31ma\x1b[32mb\x1b\x1b[31m', isKept)).toBe('\x1b[31mab\x1b[31m');
});

test('jsonText escapes what is not printable, and loses nothing', () => {
  const value = { a: 'b\x1b\u009b\u202e\x7f\u{e0041}é\tc' };
  const text = jsonText(value);
  expect(text).toBe(printable(text));
  expect(JSON.parse(text)).toEqual(value);
});
