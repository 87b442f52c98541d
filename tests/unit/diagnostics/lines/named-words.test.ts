import { expect, test } from 'vitest';
import { isNamedWord } from '../../../../src/diagnostics/lines/named-words.ts';

/** A hash that no other word has here. */
let hash = 0;
const isNamed = (text: string) => {
  const bytes = Buffer.from(`-${text}-`);
  hash += 2;
  return isNamedWord(hash, bytes, 1, bytes.length - 1);
};

test.each([
  ['a word that an expression contains', 'error'],
  ['such a word in capitals', 'ERROR'],
  ['such a word within another one', 'Xxerrorxx'],
  ['such a word before a number', 'error404'],
  ['the second of two words that begin alike', 'expected'],
  ['a short word that an expression contains', 'npm'],
  ['a short word in capitals', 'NPM'],
  ['a letter', 'x'],
  ['a letter with a number', 'E404'],
])('%s is named', (_, word) => {
  expect(isNamed(word)).toBe(true);
});

test.each([
  ['a word that no expression contains', 'basket'],
  ['a short word within another one', 'xnpmx'],
  ['the start of a word', 'excepti'],
  ['a word with a digit that has the last bits of a letter', 'e2ror'],
])('%s is not named', (_, word) => {
  expect(isNamed(word)).toBe(false);
});

test('a word ends before what follows it', () => {
  const bytes = Buffer.from('exception');
  expect(isNamedWord(-2, bytes, 0, bytes.length - 2)).toBe(false);
});

test('a word is looked up by its hash', () => {
  const bytes = Buffer.from('error basket');
  expect(isNamedWord(7, bytes, 0, 5)).toBe(true);
  expect(isNamedWord(7, bytes, 6, 12)).toBe(true);
});
