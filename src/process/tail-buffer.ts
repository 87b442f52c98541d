import type { OutputStream, StreamBytes } from './recording.ts';

/** The last bytes of whatever is written, in memory that is allocated once. */
export class TailBuffer {
  readonly #ring: Buffer;
  /** Which stream the bytes in the ring belong to, oldest first. */
  readonly #runs: { stream: OutputStream; length: number }[] = [];
  /** Where the next byte goes. */
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

  /** What is kept, oldest first. */
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
