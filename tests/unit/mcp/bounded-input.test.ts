import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { boundedLines, idOf } from '../../../src/mcp/bounded-input.ts';

/** What is passed on of a text that arrives in pieces, and the lines that are dropped. */
async function bounded(maxBytes: number, ...pieces: readonly string[]) {
  const dropped: (readonly string[])[] = [];
  const stream = boundedLines(maxBytes, (...ends) => dropped.push(ends));
  for (const piece of pieces) stream.write(piece);
  stream.end();
  return { passed: await text(stream), dropped };
}

test.for([
  ['in one piece', ['ab\ncd\n']],
  ['in several pieces', ['a', 'b\nc', 'd\n']],
  ['without an end', ['ab\ncd']],
] as const)('lines that fit are passed on: %s', async ([, pieces]) => {
  expect(await bounded(3, ...pieces)).toEqual({ passed: pieces.join(''), dropped: [] });
});

test.for([
  ['in one piece', ['ab\nlong one\ncd\n']],
  ['in several pieces', ['ab\nlo', 'ng ', 'one', '\ncd\n']],
] as const)('a line that is too long is dropped, and those around it are not: %s', async ([, pieces]) => {
  expect(await bounded(5, ...pieces)).toEqual({
    passed: 'ab\ncd\n',
    dropped: [[expect.stringMatching(/^long/), expect.stringMatching(/one\n$/)]],
  });
});

test('of a line that is too long, the first and the last bytes are kept', async () => {
  const { dropped } = await bounded(10, `first${'x'.repeat(20_000)}`, `${'y'.repeat(20_000)}last\n`);
  expect(dropped).toEqual([
    [expect.stringMatching(/^firstx{4091}$/), expect.stringMatching(/^y{4091}last\n$/)],
  ]);
});

test.for([
  ['{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":"', '"}}', 7],
  ['{ "id" : "a\\"b", "method":"m","params":{"a":"', '"}}', 'a"b'],
  ['{"method":"m","params":{"id":1,"a":"', '"},"jsonrpc":"2.0","id":9}\n', 9],
  ['{"jsonrpc":"2.0","method":"m","params":{"a":"', '","id":5}}\n', null],
  ['xxx', 'xxx', null],
] as const)('the id of a request that begins with %s and ends with %s is %s', ([beginning, end, id]) => {
  expect(idOf(beginning, end)).toBe(id);
});
