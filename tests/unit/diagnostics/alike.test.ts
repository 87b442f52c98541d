import { expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../src/diagnostics/excerpt.ts';
import { condensed } from '../../helpers/condensed.ts';

const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));
const many = (count: number, of: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => of(i)).join('\n');
const STRANGE = 'backup.ksh[13]: LIMIT: must be set';

test.each([
  ['a line each', many(9, (i) => `keep a${i}.tgz`), 'keep a0.tgz\n… 7 lines …\nkeep a8.tgz'],
  [
    'two lines each',
    many(9, (i) => `patching file src/m${i}.c\nHunk #1 at ${i} with fuzz 1.`),
    'patching file src/m0.c\nHunk #1 at 0 with fuzz 1.\n… 14 lines …\npatching file src/m8.c\nHunk #1 at 8 with fuzz 1.',
  ],
  [
    'a hash each',
    'dangling blob 01563223102ed054830ed09cb2c70bbd4b10c7e8\ndangling blob 3d6dd7ff01acf4e9776c5546120345656b72271f\ndangling blob 56eb29e9ad46199482e3a9e16aa6e4d5da93ed40\ndangling blob d1f0a572a0b503d5c823484e70354b953c7bcfa5\ndangling blob e4705d7ee91280bac0d58341f577f6dc0ed74ab8',
    'dangling blob 01563223102ed054830ed09cb2c70bbd4b10c7e8\n… 3 lines …\ndangling blob e4705d7ee91280bac0d58341f577f6dc0ed74ab8',
  ],
])('of steps that print %s, the first and the last are shown', (_, steps, shown) => {
  expect(excerpt(`${steps}\n${STRANGE}\n`)).toBe(`${shown}\n${STRANGE}`);
});

test('of steps within a failure, the first and the last are shown', () => {
  const output = `error: failed to run the build script\n${many(9, (i) => `  probing lib/codec.so.${i}`)}\n  cannot read codec.h\n`;

  expect(excerpt(output)).toBe(
    'error: failed to run the build script\n  probing lib/codec.so.0\n… 7 lines …\n  probing lib/codec.so.8\n  cannot read codec.h',
  );
});

test('of steps before an error that is sure, the last is shown', () => {
  expect(excerpt(`${many(9, (i) => `keep a${i}.tgz`)}\nError: no rate\n`)).toBe(
    '… 8 lines …\nkeep a8.tgz\nError: no rate',
  );
});

test.each([
  ['errors', many(9, (i) => `src/a.c:${i}:5: error: x is not declared`)],
  ['values', many(9, (i) => `+ item ${i}`)],
  ['code', `Error: boom\n${many(9, (i) => `  ${i} | call(${i})`)}`],
  ['members', `Error: boom\n${many(9, (i) => `  "part${i}": ${i} of 9,`)}`],
  ['files that have a fault', many(9, (i) => `would reformat src/f${i}.py`)],
  ['names', many(9, (i) => `src/f${i}.py`)],
  ['headings', many(4, (i) => `src/f${i}.ts format ━━━\n  × Formatter would have printed`)],
  ['four lines', many(4, (i) => `keep a${i}.tgz`)],
])('%s that differ in numbers only are shown', (_, lines) => {
  expect(excerpt(`${lines}\n`)).toBe(lines);
});

test('many results that differ in numbers only say nothing beside an error that is sure', () => {
  const results = (n: number) => many(n, (i) => `read day ${i}: ${3 * i} rows`);

  expect(excerpt(`${results(40)}\nError: no rate\n`)).toBe(
    '… 39 lines …\nread day 39: 117 rows\nError: no rate',
  );
  expect(excerpt(`${results(8)}\nError: no rate\n`)).toContain('read day 4: 12 rows');
  expect(excerpt(`${results(40)}\nthe rate is gone\n`)).toContain('read day 4: 12 rows');
});
