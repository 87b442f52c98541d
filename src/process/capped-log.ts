import { appendFileSync, closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

// A log holds at most 50 MB: its first 10, and the last 35 to 40 in segments that are dropped one by one. While the
// segments are put behind the head, the disk holds one segment twice: 55 MB at the most.
const MB = 1024 * 1024;
const HEAD_BYTES = 10 * MB;
const SEGMENT_BYTES = 5 * MB;
const SEGMENTS = 8;

/** The full output of one command on disk, bounded however much is written. */
export class CappedLog {
  readonly path: string;
  readonly #segments: string[] = [];
  #file: number;
  #room = HEAD_BYTES;
  #nextSegment = 1;
  #droppedBytes = 0;
  #failed = false;

  /**
   * Starts the log afresh. A log of the same name that another process is writing stays whole for it: the name is
   * unlinked first, not truncated.
   *
   * @throws where the file cannot be created
   */
  constructor(path: string) {
    this.path = path;
    mkdirSync(dirname(path), { recursive: true });
    rmSync(path, { force: true });
    this.#file = openSync(path, 'wx');
  }

  write(text: string): void {
    if (this.#failed || text === '') return;
    try {
      this.#writeBytes(Buffer.from(text));
    } catch {
      // A full disk must not turn the gate's result into another: what was written stays, the rest is lost.
      this.#failed = true;
    }
  }

  /** Puts the tail behind the head. The log is complete afterwards. */
  close(): void {
    try {
      closeSync(this.#file);
      if (this.#droppedBytes > 0) appendFileSync(this.path, `\n… ${this.#droppedBytes} bytes left out …\n`);
      for (const segment of this.#segments) {
        appendFileSync(this.path, readFileSync(segment));
        rmSync(segment, { force: true });
      }
    } catch {
      for (const segment of this.#segments) rmSync(segment, { force: true });
    }
  }

  #writeBytes(bytes: Buffer): void {
    let rest = bytes;
    while (rest.length > 0) {
      if (this.#room === 0) this.#openNextSegment();
      const written = writeSync(this.#file, rest, 0, Math.min(rest.length, this.#room));
      this.#room -= written;
      rest = rest.subarray(written);
    }
  }

  #openNextSegment(): void {
    closeSync(this.#file);
    const segment = `${this.path}.${process.pid}.${this.#nextSegment++}`;
    this.#file = openSync(segment, 'w');
    this.#segments.push(segment);
    this.#room = SEGMENT_BYTES;
    if (this.#segments.length <= SEGMENTS) return;
    rmSync(this.#segments.shift() as string, { force: true });
    this.#droppedBytes += SEGMENT_BYTES;
  }
}
