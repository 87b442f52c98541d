import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** A longer line is not read: pictures and files of this size are in no line that decides. */
export const MAX_LINE = 8 * 1024 * 1024;
const CHUNK = 256 * 1024;
const NEWLINE = 0x0a;

/**
 * The lines of a file, without their ends. A line is a view of a buffer that the next line may overwrite. A line that is
 * too long is undefined. The last line may be incomplete while a client writes it.
 *
 * @throws if the file cannot be read, or is no regular file
 */
export function* linesOf(path: string): Generator<Buffer | undefined> {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    if (!fstatSync(file).isFile()) throw new Error('not a regular file');
    let buffer: Buffer = Buffer.allocUnsafe(CHUNK);
    let [held, isTooLong] = [0, false];
    for (;;) {
      if (held === buffer.length) {
        if (buffer.length < MAX_LINE) buffer = grown(buffer);
        else [held, isTooLong] = [0, true];
      }
      const read = readSync(file, buffer, held, buffer.length - held, null);
      if (read === 0) break;
      const end = held + read;
      let start = 0;
      for (
        let at = buffer.indexOf(NEWLINE, held);
        at !== -1 && at < end;
        at = buffer.indexOf(NEWLINE, start)
      ) {
        yield isTooLong ? undefined : buffer.subarray(start, at);
        isTooLong = false;
        start = at + 1;
      }
      buffer.copy(buffer, 0, start, end);
      held = end - start;
      // The memory of one long line is not kept for the others.
      if (buffer.length > CHUNK && held < CHUNK) buffer = Buffer.from(buffer.subarray(0, CHUNK));
    }
    if (isTooLong) yield undefined;
    else if (held > 0) yield buffer.subarray(0, held);
  } finally {
    closeSync(file);
  }
}

function grown(buffer: Buffer): Buffer {
  const larger = Buffer.allocUnsafe(buffer.length * 2);
  buffer.copy(larger);
  return larger;
}
