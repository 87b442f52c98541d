import { readSync } from 'node:fs';

const CHUNK_BYTES = 64 * 1024;
/** A pipe that is not blocking says EAGAIN while it is empty; this long is waited in all. */
const PATIENCE_MS = 5000;
const PAUSE_MS = 5;

/**
 * Reads the event from stdin, without Node's stream, which takes longer to set up than all the rest. A host that
 * leaves the pipe open after a whole JSON document is not waited for.
 */
export function readStdin(): string {
  const chunks: Buffer[] = [];
  const giveUpAt = Date.now() + PATIENCE_MS;
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const bytes = readChunk(chunk);
    if (bytes === 0 || (bytes === 'none-yet' && Date.now() > giveUpAt)) break;
    if (bytes === 'none-yet') {
      pause();
      continue;
    }
    chunks.push(chunk.subarray(0, bytes));
    if (isWholeDocument(chunks)) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readChunk(chunk: Buffer): number | 'none-yet' {
  try {
    return readSync(0, chunk);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EAGAIN') return 'none-yet';
    // EOF is Windows's word for a closed pipe; without any stdin (EBADF) there is no event either.
    return 0;
  }
}

function isWholeDocument(chunks: readonly Buffer[]): boolean {
  // 0x7d is "}": only then is it worth a try.
  if (!chunks.at(-1)?.toString('latin1').trimEnd().endsWith('\x7d')) return false;
  try {
    JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}
