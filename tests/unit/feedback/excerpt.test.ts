import { describe, expect, test } from 'vitest';
import { excerpt } from '../../../src/feedback/excerpt.ts';
import { printed } from '../../helpers/gate-results.ts';

const BUDGET = 1000;
const of = (text: string) => excerpt(printed(text), BUDGET);
const lines = (n: number, word = 'line') => Array.from({ length: n }, (_, i) => `${word} ${i}`).join('\n');

describe('output reads as it would stand on a screen', () => {
  test.each([
    ['as it is', 'a\n\n  b\tc', 'a\n\n  b\tc'],
    ['without blanks around it', '\n\n a \n\n', 'a'],
    ['without blanks at the ends of lines', 'a  \nb\t\n', 'a\nb'],
    ['without more than one blank line', 'a\n\n\n\n\nb', 'a\n\nb'],
    ['without colours', '\u001b[31mred\u001b[0m \u001b[1;38;5;208mbold\u001b[39m', 'red bold'],
    ['without cursor movements', '\u001b[2K\u001b[1Ga\u001b[?25l', 'a'],
    ['without links', '\u001b]8;;https://x.y\u0007a\u001b]8;;\u0007', 'a'],
    ['a redrawn line in its last state', '10 %\r50 %\r100 %\ndone', '100 %\ndone'],
    ['a line whose cursor went back to its start', 'done\r', 'done'],
    ['the last line whose cursor went back to its start', '10 %\r100 %\r\r', '100 %'],
    ['each line whose cursor went back to its start', 'a\rb\r\nc\rd\r', 'b\nd'],
    ['a line that ends as on Windows', 'a\r\nb\r\r\nc', 'a\nb\nc'],
    ['without control characters', 'a\0b\u0007c\u0008d\u007f\u009be', 'abcde'],
    ['with every letter', 'é検🎉', 'é検🎉'],
    ['with half a pair marked', 'a\ud800b\udc00c', 'a\ufffdb\ufffdc'],
    ['nothing', '', ''],
    ['nothing but blanks', ' \n\r\n\t\0', ''],
  ])('%s', (_, text, expected) => {
    expect(of(text)).toBe(expected);
  });

  test('whichever stream it came by', () => {
    const head = [
      { stream: 'stdout', text: 'a ' },
      { stream: 'stderr', text: '\u001b[3' },
      { stream: 'stderr', text: '1mb\n' },
      { stream: 'stdout', text: 'c' },
    ] as const;

    expect(excerpt(printed('', { head }), BUDGET)).toBe('a b\nc');
  });
});

describe('output that is too long is cut in the middle', () => {
  test('not as long as it fits', () => {
    expect(of('x'.repeat(BUDGET))).toBe('x'.repeat(BUDGET));
    expect(of('x'.repeat(BUDGET + 1))).not.toBe('x'.repeat(BUDGET + 1));
  });

  test('at whole lines, with the gap marked', () => {
    const text = lines(1000);
    const [start = '', end = ''] = of(text).split(/\n… [\d,]+ characters left out …\n/);

    expect(text.startsWith(`${start}\n`)).toBe(true);
    expect(text.endsWith(`\n${end}`)).toBe(true);
    expect(end.length).toBeGreaterThan(start.length);
  });

  test('and the mark tells how much', () => {
    const text = lines(1000);
    const shown = of(text);
    const [mark = '', number = ''] = /\n… ([\d,]+) characters left out …\n/.exec(shown) ?? [];

    expect(Number(number.replaceAll(',', ''))).toBe(text.length - (shown.length - mark.length));
  });

  test.each([
    ['one line', 'x'.repeat(150_000)],
    ['one line of pairs', '🎉'.repeat(75_000)],
    ['one line behind another', `a\n${'x'.repeat(150_000)}`],
    ['one line before another', `${'x'.repeat(150_000)}\nz`],
    ['many lines', lines(10_000)],
    ['redrawn lines', 'xy\r'.repeat(100_000) + 'z'.repeat(2000)],
    ['escape sequences', '\u001b[31mx\u001b[0m'.repeat(20_000)],
    ['halves of pairs', '\ud800'.repeat(150_000)],
    ['NULs', 'x\0'.repeat(100_000)],
    ['blank lines', 'x\n\n\n\n'.repeat(50_000)],
  ])('to its budget, and well-formed: %s', (_, text) => {
    const shown = of(text);

    expect(shown.length).toBeLessThanOrEqual(BUDGET);
    expect(shown.isWellFormed()).toBe(true);
    expect(shown).not.toContain('\u001b');
    expect(shown).not.toBe('');
  });

  test.each([0, 1, 59, 60])('to a mark alone where the budget is too small for more: %d', (budget) => {
    expect(excerpt(printed('x'.repeat(1000)), budget)).toBe('…');
    expect(excerpt(printed('x'), budget)).toBe('…');
    expect(excerpt(printed(''), budget)).toBe('');
    expect(excerpt(printed(' \n\u001b[31m\r\n'), budget)).toBe('');
  });

  test.each([61, 62, 70, 100, 200])('to a small budget too: %d', (budget) => {
    for (const text of ['x'.repeat(1000), lines(1000), '🎉'.repeat(500), `a\n${'x'.repeat(1000)}`]) {
      const shown = excerpt(printed(text), budget);

      expect(shown.length).toBeLessThanOrEqual(budget);
      expect(shown).toMatch(/… [\d,]+ characters left out …/);
    }
  });

  test('of one line, its start and its end', () => {
    expect(of(`START${'x'.repeat(150_000)}END`)).toMatch(
      /^STARTx+\n… 149,\d{3} characters left out …\nx+END$/,
    );
  });

  test('where the middle was not kept in memory, even if little is left to show', () => {
    const output = printed('START', { tail: [{ stream: 'stdout', text: 'END' }], omittedBytes: 1_000_000 });

    expect(excerpt(output, BUDGET)).toBe('START\n… 1,000,000 characters left out …\nEND');
  });
});
