import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blobReader } from '../../../src/checkpoint/apply.ts';

const ID = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';

/** The blobs that are read when the output comes in pieces that end at these offsets. */
function read(output: Buffer, ends: readonly number[] = []): Buffer[] {
  const blobs: Buffer[] = [];
  const write = blobReader(() => {
    const pieces: Buffer[] = [];
    return { write: (bytes) => pieces.push(bytes), end: () => blobs.push(Buffer.concat(pieces)) };
  });
  const offsets = [
    0,
    ...ends.map((end) => end % (output.length + 1)).toSorted((a, b) => a - b),
    output.length,
  ];
  for (const [index, end] of offsets.entries()) write(output.subarray(offsets[index - 1] ?? 0, end));
  return blobs;
}

test('blobReader reads the blobs wherever the output is cut', () => {
  const blob = fc.oneof(
    fc.uint8Array({ maxLength: 30 }).map(Buffer.from),
    // Bytes that look like headers.
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

test('blobReader throws for an object that git does not have', () => {
  expect(() => read(Buffer.from(`${ID} missing\n`))).toThrow(
    `git does not have an object of the checkpoint: ${ID} missing`,
  );
});
