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

// A log holds at most 50 MB: its first 10, and the last 35 to 40 in segments that are dropped one by one. While the
// segments are put behind the head, the disk holds one segment twice: 55 MB at the most.
const MB = 1024 * 1024;
const HEAD_BYTES = 10 * MB;
const SEGMENT_BYTES = 5 * MB;
const SEGMENTS = 8;
const COPY_BYTES = 64 * 1024;

/** The full output of one command on disk, bounded however much is written. */
export class CappedLog {
  readonly #path: string;
  readonly #segments: string[] = [];
  #file: number | undefined;
  #room = HEAD_BYTES;
  #nextSegment = 1;
  #droppedBytes = 0;
  #failed = false;

  /** The file is made when there is something to write. */
  constructor(path: string) {
    this.#path = path;
  }

  /** A read-only or full disk costs the log, never the gate: what could not be written is lost. */
  write(bytes: Buffer): void {
    if (this.#failed) return;
    try {
      this.#file ??= createAfresh(this.#path);
      this.#writeBytes(bytes);
    } catch {
      this.#failed = true;
    }
  }

  /** Puts the tail behind the head, and returns where the log lies, if there is one. */
  close(): string | undefined {
    try {
      if (this.#file === undefined) {
        removeIfThere(this.#path);
        return undefined;
      }
      closeSync(this.#file);
      if (this.#droppedBytes > 0) appendFileSync(this.#path, `\n… ${this.#droppedBytes} bytes left out …\n`);
      for (const segment of this.#segments) {
        appendFile(this.#path, segment);
        removeIfThere(segment);
      }
    } catch {
      for (const segment of this.#segments) removeIfThere(segment);
    }
    return this.#path;
  }

  #writeBytes(bytes: Buffer): void {
    let rest = bytes;
    while (rest.length > 0) {
      if (this.#room === 0) this.#openNextSegment();
      const written = writeSync(this.#file as number, rest, 0, Math.min(rest.length, this.#room));
      this.#room -= written;
      rest = rest.subarray(written);
    }
  }

  #openNextSegment(): void {
    closeSync(this.#file as number);
    const segment = `${this.#path}.${process.pid}.${this.#nextSegment++}`;
    this.#file = openSync(segment, 'w');
    this.#segments.push(segment);
    this.#room = SEGMENT_BYTES;
    if (this.#segments.length <= SEGMENTS) return;
    removeIfThere(this.#segments.shift() as string);
    this.#droppedBytes += SEGMENT_BYTES;
  }
}

/**
 * Makes an empty file. One of the same name that another process is writing stays whole for it: its name is unlinked,
 * it is not truncated.
 */
function createAfresh(path: string): number {
  removeIfThere(path);
  removeOrphans(path);
  try {
    return openSync(path, 'wx');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(dirname(path), { recursive: true });
    return openSync(path, 'wx');
  }
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was not there, or cannot be removed: then it cannot be made afresh either, which tells.
  }
}

/** Piece by piece: a whole segment at a time would be most of a hook's memory. */
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

/** Segments that a killed hook left behind: `<log>.<pid>.<number>` of a process that is no more. */
function removeOrphans(path: string): void {
  for (const name of namesIn(dirname(path))) {
    if (!name.startsWith(`${basename(path)}.`)) continue;
    const pid = /^\.(\d+)\.\d+$/.exec(name.slice(basename(path).length))?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) removeIfThere(join(dirname(path), name));
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
