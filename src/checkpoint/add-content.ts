import type { Hash } from 'node:crypto';
import { closeSync, constants, openSync, readSync } from 'node:fs';

const CHUNK_BYTES = 1024 * 1024;

/**
 * Adds the content of a file to a hash, up to the size that it had when its stats were read.
 *
 * @param isTarget whether a link is followed
 * @param breathe called between pieces; what it throws ends the work
 * @throws if the file cannot be read
 */
export async function addContent(
  hash: Hash,
  path: Buffer,
  size: number,
  isTarget: boolean,
  breathe: () => Promise<void>,
): Promise<void> {
  if (size === 0) return;
  // A FIFO that is there now must not block.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (isTarget ? 0 : constants.O_NOFOLLOW);
  const file = openSync(path, flags);
  try {
    for (let left = size; left > 0; ) {
      const bytes = Buffer.allocUnsafe(Math.min(left, CHUNK_BYTES));
      const read = readSync(file, bytes);
      if (read === 0) return;
      hash.update(bytes.subarray(0, read));
      left -= read;
      if (left > 0) await breathe();
    }
  } finally {
    closeSync(file);
  }
}
