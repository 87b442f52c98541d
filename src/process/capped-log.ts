import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isAlive } from './identity.ts';

// A log holds at most 50 MB: the first 10 MB, and the last 35 to 40 MB in segments of which the oldest is dropped. While
// the segments are appended to the head, one segment is on disk twice, so the disk holds at most 55 MB.
const MB = 1024 * 1024;
const HEAD_BYTES = 10 * MB;
const SEGMENT_BYTES = 5 * MB;
const SEGMENTS = 8;
const COPY_BYTES = 64 * 1024;

/** The full output of one command on disk, bounded in size. */
export class CappedLog {
  readonly #path: string;
  readonly #segments: string[] = [];
  #file: number | undefined;
  #freeBytes = HEAD_BYTES;
  #nextSegment = 1;
  #droppedBytes = 0;
  #failed = false;

  /** The file is created by the first write. */
  constructor(path: string) {
    this.#path = path;
  }

  /** On a read-only or full disk the log is lost, and the command goes on. */
  write(bytes: Buffer): void {
    if (this.#failed) return;
    try {
      this.#file ??= createNew(this.#path);
      this.#writeBytes(bytes);
    } catch {
      this.#failed = true;
    }
  }

  /** Appends the tail to the head. @returns the path of the log; undefined if nothing was written */
  close(): string | undefined {
    try {
      if (this.#file === undefined) {
        removeIfExists(this.#path);
        return undefined;
      }
      closeSync(this.#file);
      if (this.#droppedBytes > 0) appendFileSync(this.#path, `\n… ${this.#droppedBytes} bytes left out …\n`);
      for (const segment of this.#segments) {
        appendFile(this.#path, segment);
        removeIfExists(segment);
      }
    } catch {
      for (const segment of this.#segments) removeIfExists(segment);
    }
    return this.#path;
  }

  #writeBytes(bytes: Buffer): void {
    let rest = bytes;
    while (rest.length > 0) {
      if (this.#freeBytes === 0) this.#openNextSegment();
      const written = writeSync(this.#file as number, rest, 0, Math.min(rest.length, this.#freeBytes));
      this.#freeBytes -= written;
      rest = rest.subarray(written);
    }
  }

  #openNextSegment(): void {
    closeSync(this.#file as number);
    const segment = `${this.#path}.${process.pid}.${this.#nextSegment++}`;
    this.#file = openSync(segment, 'w');
    this.#segments.push(segment);
    this.#freeBytes = SEGMENT_BYTES;
    if (this.#segments.length <= SEGMENTS) return;
    removeIfExists(this.#segments.shift() as string);
    this.#droppedBytes += SEGMENT_BYTES;
  }
}

/**
 * Creates an empty file. An existing file is unlinked instead of truncated, because another process may be writing it.
 */
function createNew(path: string): number {
  removeIfExists(path);
  removeStaleSegments(path);
  try {
    return openSync(path, 'wx');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(dirname(path), { recursive: true });
    return openSync(path, 'wx');
  }
}

function removeIfExists(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It does not exist, or it cannot be removed; then creating the file anew fails too.
  }
}

/** In pieces, because a whole segment would be most of a hook's memory. */
function appendFile(path: string, segment: string): void {
  const buffer = Buffer.allocUnsafe(COPY_BYTES);
  const from = openSync(segment, 'r');
  const to = openSync(path, 'a');
  try {
    for (let read = readSync(from, buffer); read > 0; read = readSync(from, buffer))
      writeSync(to, buffer, 0, read);
  } finally {
    closeSync(from);
    closeSync(to);
  }
}

/** Removes segments that a killed hook left behind: `<log>.<pid>.<number>` of a process that has ended. */
function removeStaleSegments(path: string): void {
  for (const name of namesIn(dirname(path))) {
    if (!name.startsWith(`${basename(path)}.`)) continue;
    const pid = /^\.(\d+)\.\d+$/.exec(name.slice(basename(path).length))?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) removeIfExists(join(dirname(path), name));
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
