import { expect, test } from 'vitest';
import { count, duration, oneLine, thousands } from '../../../src/base/text.ts';

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
