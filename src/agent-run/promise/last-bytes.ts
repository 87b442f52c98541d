const NEWLINE = 0x0a;

/** The last bytes of whatever is written, in memory that is allocated once. */
export class LastBytes {
  readonly #ring: Buffer;
  /** Of all that was written. */
  #count = 0;

  constructor(capacity: number) {
    this.#ring = Buffer.allocUnsafe(capacity);
  }

  write(bytes: Buffer): void {
    const kept = bytes.subarray(-this.#ring.length);
    const position = (this.#count + bytes.length - kept.length) % this.#ring.length;
    const untilWrap = Math.min(kept.length, this.#ring.length - position);
    kept.copy(this.#ring, position, 0, untilWrap);
    kept.copy(this.#ring, 0, untilWrap);
    this.#count += bytes.length;
  }

  /** What is kept, from the start of a line where anything is not. Bytes that are no UTF-8 become replacement characters. */
  text(): string {
    if (this.#count <= this.#ring.length) return this.#ring.toString('utf8', 0, this.#count);
    const oldest = this.#count % this.#ring.length;
    const bytes = Buffer.concat([this.#ring.subarray(oldest), this.#ring.subarray(0, oldest)]);
    // Without a newline, 0: half a character at the cut is a replacement character, which nobody minds.
    return bytes.toString('utf8', bytes.indexOf(NEWLINE) + 1);
  }
}
