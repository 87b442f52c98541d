import { expect, test } from 'vitest';
import type { RawLine } from '../../../../src/diagnostics/lines/raw-line.ts';
import { LineReader } from '../../../../src/diagnostics/output/read-lines.ts';

const UP = '\u001b[1A';
const ERASE = '\u001b[2K';
/** What a terminal interface writes to draw a block again. */
const again = (lines: number) => `${`${ERASE}${UP}`.repeat(lines)}${ERASE}\u001b[G`;

const read = (...pieces: readonly (string | readonly ['stderr', string])[]) => {
  const lines: string[] = [];
  const reader = new LineReader(
    (_, line: RawLine) => lines.push(line.text),
    ({ text }) => !text.includes('Error'),
  );
  for (const piece of pieces) {
    const [stream, text] = typeof piece === 'string' ? (['stdout', piece] as const) : piece;
    reader.write(stream, Buffer.from(text));
  }
  reader.end();
  return lines;
};

test.each([
  ['each by itself', again(2)],
  ['from the first one on', '\u001b[2A\u001b[0J'],
])(
  'of a block that is drawn again and again, the first and the last are read: lines erased %s',
  (_, erase) => {
    expect(
      read('start\n', '⠋ lint\n⠋ test\n', `${erase}✔ lint\n⠋ test\n`, `${erase}✔ lint\n✖ test\n`, 'end\n'),
    ).toEqual(['start', '⠋ lint', '⠋ test', '✔ lint', '✖ test', 'end']);
  },
);

test('a line is redrawn above the cursor', () => {
  expect(read('run 1\n', `${UP}${ERASE}run 2\n`, `${UP}${ERASE}run 3\n`)).toEqual(['run 1', 'run 3']);
});

test('what is printed above a block that is drawn again is read', () => {
  expect(read('1\n', `${again(1)}a\n2\n`, `${again(1)}b\n3\n`)).toEqual(['1', 'a', 'b', '3']);
});

test('an error that the next block lacks is read, once', () => {
  const error = 'Error: boom';

  expect(
    read('1\n', `${again(1)}${error}\n`, `${again(1)}${error}\n`, `${again(1)}2\n`, `${again(1)}3\n`),
  ).toEqual(['1', error, '3']);
});

test('lines that are drawn over, and not erased, are read', () => {
  expect(read('1\n2\n', `${UP}${UP}a\n`, '\u001b[2A', 'b\nc\n')).toEqual(['1', '2', 'a', 'b', 'c']);
});

test('a line on another stream is read after the block above it', () => {
  expect(read('1\n', `${again(1)}2\n`, ['stderr', 'warning\n'], `${again(1)}3\n`)).toEqual([
    '1',
    '2',
    'warning',
    '3',
  ]);
});

test('the first lines of a long block are read at once', () => {
  const lines = Array.from({ length: 150 }, (_, i) => `${i}`);

  expect(read('x\n', again(1), `${lines.join('\n')}\n`, `${again(150)}last\n`)).toEqual([
    'x',
    ...lines.slice(0, 50),
    'last',
  ]);
});
