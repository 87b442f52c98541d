import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { LiveOutput, liveLine } from '../../../src/cli/terminal.ts';
import { plain } from '../../../src/messages/paint.ts';

/** The text of all chunks, and of the end. */
function shown(chunks: readonly Buffer[]): string {
  const output = new LiveOutput();
  return [...chunks.map((chunk) => output.write(chunk)), output.end()].join('');
}

describe('LiveOutput with a prefix', () => {
  test.each([
    ['shows whole lines only', ['a', 'b\nc', 'd\n\ne'], ['', 'x | ab\n', 'x | cd\nx | \n'], 'x | e\n'],
    ['ends a colour with its line', ['\x1b[31ma\nb\n'], ['x | \x1b[31ma\x1b[0m\nx | b\n'], ''],
    [
      'shows a line that does not end in parts',
      ['a'.repeat(70_000), 'b'],
      [`x | ${'a'.repeat(70_000)}\n`, ''],
      'x | b\n',
    ],
    ['holds back half a character', ['\u00e9'], [''], 'x | \u00e9\n'],
  ])('%s', (_, chunks, shown, end) => {
    const output = new LiveOutput('x | ');
    expect(chunks.map((chunk) => output.write(Buffer.from(chunk)))).toEqual(shown);
    expect(output.end()).toBe(end);
  });
});

describe('the live line', () => {
  const OUT = { isTTY: true, columns: 40 };
  test.each([
    ['of one gate', ['lint'], 'lint'],
    ['of several gates', ['lint', 'test'], 'lint, test'],
    [
      'of more gates than have room',
      ['a-long-name', 'another-long-name', 'a-third-name', 'a-fourth-name'],
      'a-long-name and 3 more',
    ],
    ['of a name with control characters', ['a\x1b[2Jb\r\nc'], 'ab c'],
  ])('has the names %s', (_, names, text) => {
    const written: string[] = [];
    const out = { ...OUT, write: (drawn: string) => written.push(drawn) };
    const live = liveLine(out as unknown as NodeJS.WriteStream, plain);
    live?.start(names);
    live?.stop();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the line is drawn with them
    expect(/\x1b\[K. (.*) {2}\d+ ms$/u.exec(written[0] ?? '')?.[1]).toBe(text);
  });

  test.each([1, 10, 20, 80])('is never wider than a terminal of %d columns', (columns) => {
    const written: string[] = [];
    const out = { isTTY: true, columns, write: (drawn: string) => written.push(drawn) };
    const live = liveLine(out as unknown as NodeJS.WriteStream, plain);
    live?.start(['検証する'.repeat(5), 'lint', '検証する'.repeat(9), 'test']);
    live?.stop();
    const width = [...stripVTControlCharacters(written[0] ?? '')].reduce(
      (sum, character) => sum + (/[\u2e80-\u{1faff}]/u.test(character) ? 2 : 1),
      0,
    );
    expect(width).toBeLessThanOrEqual(Math.max(columns, '⠋   10 ms'.length));
  });
});

describe('LiveOutput shows the same however the output is cut:', () => {
  test.each([
    ['text', 'a\tb é 🎉\n', 'a\tb é 🎉\n'],
    ['colours', '\x1b[1;38;5;8mred\x1b[0m\x1b[m', '\x1b[1;38;5;8mred\x1b[0m\x1b[m'],
    ['a colour that hides', 'a\x1b[8mb\x1b[31;8mc\x1b[08;1md', 'abcd'],
    ['CRLF', 'a\r\nb\r\n', 'a\nb\n'],
    ['a line that is drawn again', '1%\r2%\r', '1%\n2%\n'],
    ['the clipboard', 'a\x1b]52;c;ZXZpbA==\x07b\x1b]52;c;ZXZpbA==\x1b\\c', 'abc'],
    ['the cursor', 'a\x1b[2J\x1b[1;1Hb\x1b[?25lc\x1bcd', 'abcd'],
    ['C1 controls and directions', 'a\u009b2Jb\u202ec\u2066d', 'abcd'],
    ['a string that nothing ends', 'a\x1b]0;b\nc', 'a0;b\nc'],
    ['an escape at the end', 'a\x1b[3', 'a3'],
  ])('%s', (_, text, expected) => {
    const bytes = Buffer.from(text);
    const cuts = Array.from({ length: bytes.length + 1 }, (_, at) =>
      shown([bytes.subarray(0, at), bytes.subarray(at)]),
    );
    expect(new Set(cuts)).toEqual(new Set([expected]));
    expect(shown([...bytes].map((byte) => Buffer.from([byte])))).toBe(expected);
  });

  test('a sequence that never ends is not held back for ever', () => {
    const output = new LiveOutput();
    output.write(Buffer.from('\x1b]0;'));
    const lengths = Array.from({ length: 10 }, () => output.write(Buffer.alloc(1000, 'a')).length);
    expect(lengths.reduce((sum, length) => sum + length)).toBeGreaterThan(5000);
  });
});
