import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { READ_WITHOUT_WAITING } from '../base/files.ts';
import { hasLastMessage, lastMessageIn } from '../hosts/normalize.ts';
import type { StopEvent } from '../hosts/types.ts';

const CHUNK_BYTES = 64 * 1024;
/** How long a non-blocking pipe that is empty (EAGAIN) is polled in all. */
const MAX_WAIT_MS = 5000;
const POLL_MS = 5;
const CLOSING_BRACE = '\x7d';

/**
 * Reads the event from stdin by descriptor, because Node's stream takes longer to set up than everything else the hook
 * does. A host that leaves the pipe open after a complete JSON document is not waited for.
 */
export function readStdin(): string {
  const chunks: Buffer[] = [];
  const endAt = Date.now() + MAX_WAIT_MS;
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const bytes = readChunk(chunk);
    if (bytes === 0 || (bytes === 'empty' && Date.now() > endAt)) break;
    if (bytes === 'empty') {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
      continue;
    }
    chunks.push(chunk.subarray(0, bytes));
    if (isCompleteDocument(chunks)) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readChunk(chunk: Buffer): number | 'empty' {
  try {
    return readSync(0, chunk);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // EOF is the code for a closed pipe on Windows; EBADF means that there is no stdin.
    return code === 'EAGAIN' ? 'empty' : 0;
  }
}

function isCompleteDocument(chunks: readonly Buffer[]): boolean {
  if (!chunks.at(-1)?.toString('latin1').trimEnd().endsWith(CLOSING_BRACE)) return false;
  try {
    JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

/** Whether a person calls the hook by hand, who types no event. */
export function isTerminal(): boolean {
  try {
    return fstatSync(0).isCharacterDevice();
  } catch {
    return true;
  }
}

/** Writes by descriptor, because Node's streams take time to set up. A pipe that is full is retried. */
export function write(descriptor: 1 | 2, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      // EPIPE: the host has ended.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
    }
  }
}

/** A last message is a page or two long; the tool output before it is not needed. */
const TAIL_BYTES = 256 * 1024;

/** Returns what an agent wrote last: from its event, or else from the end of its transcript; empty without either. */
export function readLastMessage(event: StopEvent): string {
  const { message, transcriptPath } = event;
  if (hasLastMessage(event) || transcriptPath === undefined) return message;
  return lastMessageIn(readTail(transcriptPath)) || message;
}

function readTail(path: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, READ_WITHOUT_WAITING);
    const { size } = fstatSync(descriptor);
    const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
    const bytes = readSync(descriptor, tail, 0, tail.length, size - tail.length);
    return tail.toString('utf8', 0, bytes);
  } catch {
    return '';
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
