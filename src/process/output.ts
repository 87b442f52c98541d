import {
  appendFileSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { makeDirectory } from '../base/files.ts';
import { isAlive } from './process-group.ts';

/** The stream of the command that a piece of output came from. */
export type OutputStream = 'stdout' | 'stderr';

/** A piece of decoded output of one stream. */
interface OutputPiece {
  readonly stream: OutputStream;
  readonly text: string;
}

/** The part of a command's output that is kept in memory: its head and its tail. */
export interface Recording {
  readonly head: readonly OutputPiece[];
  readonly tail: readonly OutputPiece[];
  /** Bytes between head and tail that were dropped; if 0, `head` is the whole output. */
  readonly omittedBytes: number;
  /** Absolute path of the full log; absent if none was asked for or it could not be written. */
  readonly logPath?: string;
  /** Bytes that the log lacks, between its head and its tail; absent for a log that is whole. */
  readonly logOmittedBytes?: number;
}

interface StreamBytes {
  readonly stream: OutputStream;
  readonly bytes: Buffer;
}

/** Bytes kept in memory from the start and from the end of a command's output. */
const HEAD_BYTES = 64 * 1024;
const TAIL_BYTES = 256 * 1024;

/**
 * Keeps the head and the tail of what a command prints on both streams, in order of arrival. The bytes are decoded at
 * the end, because most of a long output is dropped.
 */
export class OutputRecorder {
  readonly #head: StreamBytes[] = [];
  #headBytes = 0;
  #tail: TailBuffer | undefined;

  write(stream: OutputStream, bytes: Buffer): void {
    const toHead = bytes.subarray(0, HEAD_BYTES - this.#headBytes);
    if (toHead.length > 0) {
      // A copy: a subarray would keep the whole chunk in memory.
      this.#head.push({ stream, bytes: Buffer.from(toHead) });
      this.#headBytes += toHead.length;
    }
    const toTail = bytes.subarray(toHead.length);
    if (toTail.length === 0) return;
    this.#tail ??= new TailBuffer(TAIL_BYTES);
    this.#tail.write(stream, toTail);
  }

  /** Invalid UTF-8 becomes U+FFFD; a character that was split between two chunks is joined. */
  recording(logPath?: string, logOmittedBytes = 0): Recording {
    const omittedBytes = this.#tail?.omittedBytes ?? 0;
    const tail = this.#tail?.contents() ?? [];
    const isWhole = omittedBytes === 0;
    return {
      head: decode(isWhole ? [...this.#head, ...tail] : this.#head),
      tail: isWhole ? [] : decode(withoutPartialStart(tail)),
      omittedBytes,
      ...(logPath !== undefined && { logPath }),
      ...(logPath !== undefined && logOmittedBytes > 0 && { logOmittedBytes }),
    };
  }
}

function decode(parts: readonly StreamBytes[]): OutputPiece[] {
  if (parts.length === 0) return [];
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  const pieces: OutputPiece[] = parts.map(({ stream, bytes }) => ({
    stream,
    text: decoders[stream].write(bytes),
  }));
  for (const stream of ['stdout', 'stderr'] as const) pieces.push({ stream, text: decoders[stream].end() });
  return pieces.filter(({ text }) => text !== '');
}

/** Each stream of a tail may begin in the middle of a character: with up to three continuation bytes, 10xxxxxx. */
function withoutPartialStart(parts: readonly StreamBytes[]): StreamBytes[] {
  const begun = new Set<OutputStream>();
  return parts.map(({ stream, bytes }) => {
    if (begun.has(stream)) return { stream, bytes };
    begun.add(stream);
    let start = 0;
    while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
    return { stream, bytes: bytes.subarray(start) };
  });
}

/** A ring buffer of the last bytes of both streams, allocated once. */
export class TailBuffer {
  readonly #ring: Buffer;
  /** The streams that the bytes in the ring belong to, oldest first. */
  readonly #runs: { stream: OutputStream; length: number }[] = [];
  /** Where the next byte is written. */
  #position = 0;
  #length = 0;
  #omittedBytes = 0;

  constructor(capacity: number) {
    this.#ring = Buffer.allocUnsafe(capacity);
  }

  get omittedBytes(): number {
    return this.#omittedBytes;
  }

  write(stream: OutputStream, bytes: Buffer): void {
    const kept = bytes.subarray(-this.#ring.length);
    this.#omittedBytes += bytes.length - kept.length;
    this.#dropOldest(this.#length + kept.length - this.#ring.length);
    const untilWrap = Math.min(kept.length, this.#ring.length - this.#position);
    kept.copy(this.#ring, this.#position, 0, untilWrap);
    kept.copy(this.#ring, 0, untilWrap);
    this.#position = (this.#position + kept.length) % this.#ring.length;
    this.#length += kept.length;
    const last = this.#runs.at(-1);
    if (last?.stream === stream) last.length += kept.length;
    else this.#runs.push({ stream, length: kept.length });
  }

  /** The kept bytes, oldest first. */
  contents(): StreamBytes[] {
    const start = (this.#position - this.#length + this.#ring.length) % this.#ring.length;
    const bytes = Buffer.concat([this.#ring.subarray(start), this.#ring.subarray(0, start)]);
    let offset = 0;
    return this.#runs.map(({ stream, length }) => {
      offset += length;
      return { stream, bytes: bytes.subarray(offset - length, offset) };
    });
  }

  #dropOldest(count: number): void {
    let left = Math.max(0, count);
    this.#omittedBytes += left;
    this.#length -= left;
    for (let oldest = this.#runs[0]; left > 0 && oldest; oldest = this.#runs[0]) {
      const dropped = Math.min(left, oldest.length);
      oldest.length -= dropped;
      left -= dropped;
      if (oldest.length === 0) this.#runs.shift();
    }
  }
}

// A log holds at most 50 MB: the first 10 MB, and the last 35 to 40 MB in segments of which the oldest is dropped. While
// the segments are appended to the head, one segment is on disk twice, so the disk holds at most 55 MB.
const MB = 1024 * 1024;
const LOG_HEAD_BYTES = 10 * MB;
const SEGMENT_BYTES = 5 * MB;
const SEGMENTS = 8;
const COPY_BYTES = 64 * 1024;
/** Outputs may contain what the masker does not know as a secret. */
const MODE = 0o600;

/** The full output of one command on disk, bounded in size. */
export class CappedLog {
  readonly #path: string;
  readonly #segments: string[] = [];
  #file: number | undefined;
  #freeBytes = LOG_HEAD_BYTES;
  #nextSegment = 1;
  #omittedBytes = 0;
  #failed = false;

  /**
   * The file is created by the first write.
   *
   * @param heading without it, the file replaces an earlier one; with it, it goes on below the heading
   */
  constructor(path: string, heading?: string) {
    this.#path = path;
    if (heading !== undefined) this.#continue(heading);
  }

  /** Those between the head and the tail. */
  get omittedBytes(): number {
    return this.#omittedBytes;
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
      if (this.#omittedBytes > 0) appendFileSync(this.#path, `\n… ${this.#omittedBytes} bytes left out …\n`);
      for (const segment of this.#segments) {
        appendFile(this.#path, segment);
        removeIfExists(segment);
      }
    } catch {
      for (const segment of this.#segments) removeIfExists(segment);
    }
    return this.#path;
  }

  #continue(heading: string): void {
    try {
      this.#file = openExisting(this.#path);
      this.#writeBytes(Buffer.from(`\n── ${heading} ──\n`));
    } catch {
      // The earlier attempt has printed nothing, or its log cannot be written.
    }
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
    removeIfExists(segment);
    this.#file = openSync(segment, 'wx', MODE);
    this.#segments.push(segment);
    this.#freeBytes = SEGMENT_BYTES;
    if (this.#segments.length <= SEGMENTS) return;
    removeIfExists(this.#segments.shift() as string);
    this.#omittedBytes += SEGMENT_BYTES;
  }
}

/**
 * Creates an empty file. An existing file is unlinked instead of truncated, because another process may be writing it.
 */
function createNew(path: string): number {
  removeIfExists(path);
  removeStaleSegments(path);
  try {
    return openSync(path, 'wx', MODE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    makeDirectory(dirname(path), 0o700);
    return openSync(path, 'wx', MODE);
  }
}

/**
 * Opens a file that this process has created.
 *
 * @throws if something else is there: a link would lead out of the directory
 */
function openExisting(path: string): number {
  const file = openSync(
    path,
    constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  );
  const stats = fstatSync(file);
  if (stats.isFile() && stats.nlink === 1) return file;
  closeSync(file);
  throw new Error(`${path} is not a log`);
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
