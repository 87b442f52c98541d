import fc from 'fast-check';
import { expect, test } from 'vitest';
import { batchReader } from '../../../src/checkpoint/read-batch.ts';

const ID = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';

/** What the blobs are, when the output comes in pieces that end at these places. */
function read(output: Buffer, ends: readonly number[] = []): Buffer[] {
  const blobs: Buffer[] = [];
  const take = batchReader(() => {
    const pieces: Buffer[] = [];
    return { write: (bytes) => pieces.push(bytes), end: () => blobs.push(Buffer.concat(pieces)) };
  });
  const places = [
    0,
    ...ends.map((end) => end % (output.length + 1)).toSorted((a, b) => a - b),
    output.length,
  ];
  for (const [index, end] of places.entries()) take(output.subarray(places[index - 1] ?? 0, end));
  return blobs;
}

test('blobs come out as they went in, wherever the output is cut', () => {
  const blob = fc.oneof(
    fc.uint8Array({ maxLength: 30 }).map(Buffer.from),
    // Bytes that look like git's own.
    fc.constantFrom('', '\n', '\n\n', `${ID} blob 3\n`).map((text) => Buffer.from(text)),
  );
  fc.assert(
    fc.property(fc.array(blob), fc.array(fc.nat()), (blobs, ends) => {
      const output = blobs.flatMap((bytes) => [
        Buffer.from(`${ID} blob ${bytes.length}\n`),
        bytes,
        Buffer.from('\n'),
      ]);
      expect(read(Buffer.concat(output), ends)).toEqual(blobs);
    }),
  );
});

test('what git does not have is refused', () => {
  expect(() => read(Buffer.from(`${ID} missing\n`))).toThrow(
    `git does not have what the checkpoint holds: ${ID} missing`,
  );
});
