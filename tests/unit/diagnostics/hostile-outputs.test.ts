import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../src/diagnostics/excerpt.ts';
import { charactersIn } from '../../../src/diagnostics/failures/failure.ts';
import { separatorIn } from '../../../src/diagnostics/lines/structure.ts';
import { expandJson } from '../../../src/diagnostics/output/read-lines.ts';
import { condensed } from '../../helpers/condensed.ts';

const lines = (n: number, of: (i: number) => string) => Array.from({ length: n }, (_, i) => of(i)).join('\n');
/** A different word for each number. */
const word = (i: number): string =>
  (i > 25 ? word(Math.floor(i / 26) - 1) : '') + String.fromCharCode(97 + (i % 26));
const shown = (output: string) => excerptText(excerptOf(condensed(output), 5000, { hung: false }));

describe('a line of 800 characters does not hang the hook', () => {
  test.each([
    ['of blanks before a word', (end: string) => `${' '.repeat(780)}fail ${end}`],
    ['of dots before brackets', (end: string) => `Error ${end}: ${'.'.repeat(380)}${'('.repeat(380)}`],
    [
      'of rules and blanks',
      (end: string) => `${'_'.repeat(250)}${' '.repeat(250)}${'-'.repeat(200)}\u2028${end}`,
    ],
    ['of strokes between names', (end: string) => `${'─'.repeat(380)} src/${end}.ts ${'─'.repeat(380)}x`],
  ])('%s', (_, line) => {
    expect(shown(lines(150, (i) => line(word(i)))).length).toBeGreaterThan(0);
  });

  test('in JSON, before a text with line breaks', () => {
    const json = (i: number) => `{"k":"fail ${'error..FAIL '.repeat(4000)}${word(i)}","msg":"a\\nb"}`;

    expect(shown(lines(30, json))).toContain('b');
  });
});

describe('a failure keeps a bounded part of what is below it', () => {
  test.each([
    ['short lines', (i: number) => `  ${word(i)}`],
    ['long lines', (i: number) => `  ${word(i)} ${'é'.repeat(700)}`],
    ['ends of YAML', (i: number) => (i % 2 ? '  ...' : `  ${word(i)}`)],
    ['stacks of running threads', (i: number) => `goroutine ${i} [running]:\n\t/p/${word(i)}.go:3 +0x1`],
  ])('%s', (_, line) => {
    const [failure] = condensed(`Error: boom\n${lines(8000, line)}\n`).failures;

    expect(failure?.block.lines.length).toBeLessThanOrEqual(160);
    expect(charactersIn(failure?.block.lines ?? [])).toBeLessThanOrEqual(12_800);
  });
});

test('the stack of a thread has a bounded part of its lines', () => {
  const stack = lines(110, (i) => `\t/p/${word(i)}/${'x'.repeat(700)}.go:3 +0x1`);
  const { failures } = condensed(`goroutine 7 [select]:\n${stack}\n`);

  expect(charactersIn(failures[0]?.block.lines ?? [])).toBeLessThanOrEqual(12_800);
});

test('the reasons of failed tests are kept for a bounded number of them', () => {
  const failed = (i: number) => `FAIL ${word(i)}\nAssertionError: ${word(i)}\n`;

  expect(condensed(lines(8000, failed)).failures.length).toBeLessThan(2000);
});

test('the lines of deep JSON are indented by a bounded depth', () => {
  const json = `{"a":${'['.repeat(30_000)}${lines(2000, (i) => `{"a":"${word(i)}"},`)}`;

  expect(
    Math.max(
      ...expandJson(json)
        .slice(1)
        .map(({ length }) => length),
    ),
  ).toBeLessThan(200);
});

test.each([
  ['=====', ''],
  ['===== adds =====', 'adds'],
  ['----- adds -- two', 'adds -- two'],
  ['  ──────── adds ──── at 12:30', 'adds'],
])('the title of the separator %j is %j', (line, title) => {
  expect(separatorIn(line)).toEqual({ title });
});
