import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { READ_WITHOUT_WAITING } from '../base/files.ts';
import { uptimeMs } from '../base/time.ts';
import { hasLastMessage, lastMessageIn } from '../hosts/normalize.ts';
import type { StopEvent } from '../hosts/types.ts';

const CHUNK_BYTES = 64 * 1024;
/** Hosts write the event at once. A pipe that is silent for this long brings nothing more. */
const MAX_SILENCE_MS = 10_000;
const POLL_MS = 5;
const CLOSING_BRACE = '\x7d';

/**
 * Reads the event from stdin by descriptor, because Node's stream takes longer to set up than everything else the hook
 * does. A host that leaves the pipe open is not waited for after a complete JSON document, and otherwise until nothing has
 * come for ten seconds.
 *
 * @param maxMs how long it is waited for in all, in milliseconds from now
 * @returns what was read, without a byte order mark
 */
export function readStdin(maxMs: number): string {
  readWithoutBlocking();
  const chunks: Buffer[] = [];
  const endAt = uptimeMs() + maxMs;
  let waitUntil = Math.min(endAt, uptimeMs() + MAX_SILENCE_MS);
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const bytes = readChunk(chunk);
    if (bytes === 0) break;
    if (bytes === 'empty') {
      if (uptimeMs() > waitUntil) break;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
      continue;
    }
    waitUntil = Math.min(endAt, uptimeMs() + MAX_SILENCE_MS);
    chunks.push(chunk.subarray(0, bytes));
    if (isCompleteDocument(chunks)) break;
  }
  return textOf(Buffer.concat(chunks));
}

/** The class of Node's pipes; `open` makes a descriptor non-blocking. */
interface PipeBinding {
  readonly Pipe: new (type: number) => { open(descriptor: number): void };
  readonly constants: { readonly SOCKET: number };
}

/**
 * Makes reading from an empty pipe or socket return at once. A read that blocks can be ended neither by a timer nor by
 * `process.exit`, which waits for Node's threads. Only the deprecated binding does this alone: `net.Socket`, which does it
 * too, takes 6 % of Node's start. Without the binding, as in a Node with restricted permissions, reads block.
 *
 * A terminal stays as it is: the shell shares it.
 */
function readWithoutBlocking(): void {
  if (isTerminal()) return;
  try {
    const { binding } = process as unknown as { readonly binding: (name: string) => PipeBinding };
    const { Pipe, constants } = binding('pipe_wrap');
    new Pipe(constants.SOCKET).open(0);
  } catch {
    // Reads block until the host writes or closes the pipe.
  }
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

/** PowerShell writes a byte order mark, and UTF-16 with it. */
function textOf(bytes: Buffer): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return bytes.toString(isUtf16 ? 'utf16le' : 'utf8').replace(/^\uFEFF/, '');
}

function isCompleteDocument(chunks: readonly Buffer[]): boolean {
  if (!chunks.at(-1)?.toString('latin1').trimEnd().endsWith(CLOSING_BRACE)) return false;
  try {
    JSON.parse(textOf(Buffer.concat(chunks)));
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

/**
 * Writes by descriptor, because Node's streams take time to set up. A pipe that is full is retried.
 *
 * @returns why not all of it is written; undefined also where the reader has left
 */
export function write(descriptor: 1 | 2, text: string): Error | undefined {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // EPIPE: the host has ended.
      if (code !== 'EAGAIN') return code === 'EPIPE' ? undefined : (error as Error);
    }
  }
  return undefined;
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
