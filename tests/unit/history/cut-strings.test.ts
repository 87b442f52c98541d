import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withoutLongStrings } from '../../../src/history/cut-strings.ts';

const cut = (value: unknown) => JSON.parse(withoutLongStrings(Buffer.from(JSON.stringify(value))).toString());

describe('a line of JSON without its long strings', () => {
  test('has the start and the end of a long string, and all others', () => {
    const long = `Exit code 1\n${'"output" '.repeat(20_000)}Exit Code: 1`;
    const { id, content, list } = cut({ id: 'a "b"', content: long, list: [long, 'c\\'] });
    expect([id, list[1], list[0]]).toEqual(['a "b"', 'c\\', content]);
    expect([content.startsWith('Exit code 1\n'), content.endsWith('Exit Code: 1')]).toEqual([true, true]);
    expect(content.length).toBeLessThan(20_000);
  });

  test('is JSON whatever the strings have', () => {
    const piece = fc.constantFrom('"', '\\', '\n', '\u0001', 'é', '✓', '🙂', 'a', '{"a":', '\ud800');
    const text = fc
      .array(piece, { minLength: 1, maxLength: 12 })
      .map((pieces) => pieces.join('').repeat(20_000));
    fc.assert(
      fc.property(text, fc.string(), (long, short) => {
        const read = cut({ long, short, more: [long] });
        expect(read.short).toBe(short);
        // A text of backslashes alone has no place to cut.
        expect(read.long.length).toBeLessThanOrEqual(long.length);
      }),
      { numRuns: 60 },
    );
  });

  test('is the line itself if no string is long', () => {
    const line = Buffer.from('{"a":"b"}');
    expect(withoutLongStrings(line)).toBe(line);
  });
});
