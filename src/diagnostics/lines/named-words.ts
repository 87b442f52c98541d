import { POINTER_TABLES } from './pointers.ts';
import { PREFIX } from './prefix.ts';
import { COMMAND_END, RULES, ZERO_COUNTS } from './rules.ts';
import { STACK_TABLES } from './stack-frames.ts';
import { STRUCTURE, STRUCTURE_TABLES } from './structure.ts';

// The words and numbers that the expressions of this folder contain: lines that differ in others are of one form.

const TABLES = { ...STACK_TABLES, ...POINTER_TABLES, ...STRUCTURE_TABLES };
const PATTERNS = [...RULES, ...Object.values(TABLES)].map(({ pattern }) => pattern);
// Words are taken from the sources: escapes, sets and quantifiers are left out.
const SOURCES = [...PATTERNS, ...STRUCTURE, PREFIX, ZERO_COUNTS, COMMAND_END]
  .map(({ source }) => source)
  .join(' ')
  .replace(/\[([A-Z])([a-z])\]/g, (set, upper, lower) => (upper.toLowerCase() === lower ? lower : set))
  .replace(/\[(?:\\.|[^\]\\])*\]|\\u[\da-f]{4}|\\.|\{\d*,?\d*\}/gi, ' ');

/** A number of more digits is not looked up. */
export const MAX_NUMBER_CHARACTERS = 3;
const NUMBERS = new Uint8Array(10 ** MAX_NUMBER_CHARACTERS);
for (const number of SOURCES.match(/\d+/g) ?? []) NUMBERS[Number(number)] = 1;

/** Texts of letters; the last letter of one may be optional. */
const WORDS = [...new Set(SOURCES.toLowerCase().match(/[a-z]{2,}(?=[a-z]\?)|[a-z]{2,}/g))];
/** A shorter word is named as a whole only, a longer one within another too. */
const MIN_PART = 4;
const SHORT_WORDS: ReadonlySet<string> = new Set(WORDS.filter(({ length }) => length < MIN_PART));
/** The longer words, by the letters that they begin with. */
const LONG_WORDS = new Map<number, string[]>();
/** Whether one may begin with such letters: no word does with most. */
const BEGINNINGS = new Uint8Array(1 << 12);

for (const word of WORDS.filter(({ length }) => length >= MIN_PART)) {
  const beginning = Buffer.from(word.slice(0, MIN_PART)).reduce(withLetter, 0);
  BEGINNINGS[placeOf(beginning)] = 1;
  const others = LONG_WORDS.get(beginning) ?? [];
  LONG_WORDS.set(beginning, [...others, word]);
}

/** The last letters, whatever their case, with a further one: five bits each. */
function withLetter(letters: number, code: number): number {
  return ((letters << 5) | (code & 31)) & 0xfffff;
}

function placeOf(letters: number): number {
  return (letters ^ (letters >>> 8)) & (BEGINNINGS.length - 1);
}

export function isNamedNumber(number: number): boolean {
  return NUMBERS[number] === 1;
}

/** Words that were looked up: the hash of each at its place, and whether it is named in the last bit. A power of two. */
const MAX_LOOKED_UP = 1 << 14;
const LOOKED_UP = new Int32Array(MAX_LOOKED_UP);

/**
 * Whether an expression contains a word of letters and digits, or a part of it.
 *
 * @param hash 32 bits; the same for all words that are the same, whatever their digits
 */
export function isNamedWord(hash: number, bytes: Buffer, start: number, end: number): boolean {
  const place = (hash >>> 1) & (MAX_LOOKED_UP - 1);
  const known = LOOKED_UP[place] as number;
  if ((known | 1) === (hash | 1)) return (known & 1) === 1;
  const isNamed = hasLongWord(bytes, start, end) || isShortWord(bytes.toString('latin1', start, end));
  LOOKED_UP[place] = (hash & ~1) | Number(isNamed);
  return isNamed;
}

/** A letter, with a number or without, may be an expression's own. */
function isShortWord(word: string): boolean {
  return SHORT_WORDS.has(word.toLowerCase()) || /^[a-z]\d*$/i.test(word);
}

function hasLongWord(bytes: Buffer, start: number, end: number): boolean {
  let letters = 0;
  for (let i = start; i < end; i++) {
    letters = withLetter(letters, bytes[i] as number);
    if (BEGINNINGS[placeOf(letters)] === 0) continue;
    const words = LONG_WORDS.get(letters);
    if (!words) continue;
    const rest = bytes.toString('latin1', i + 1 - MIN_PART, end).toLowerCase();
    if (words.some((word) => rest.startsWith(word))) return true;
  }
  return false;
}
