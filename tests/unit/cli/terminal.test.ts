import { describe, expect, test } from 'vitest';
import { LiveOutput } from '../../../src/cli/terminal.ts';

/** The text of all chunks, and of the end. */
function shown(chunks: readonly Buffer[]): string {
  const output = new LiveOutput();
  return [...chunks.map((chunk) => output.write(chunk)), output.end()].join('');
}

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
