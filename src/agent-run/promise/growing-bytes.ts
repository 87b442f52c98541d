const FIRST_BYTES = 64 * 1024;

/** Bytes that come in pieces, in one place, up to a limit: beyond it, nothing is kept. */
export class GrowingBytes {
  readonly #limit: number;
  #bytes = Buffer.allocUnsafe(0);
  #length = 0;
  #isTooLong = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether there was more than the limit. */
  get isTooLong(): boolean {
    return this.#isTooLong;
  }

  append(more: Buffer): void {
    const length = this.#length + more.length;
    if (length > this.#limit) {
      this.clear();
      this.#isTooLong = true;
    }
    if (this.#isTooLong) return;
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.min(this.#limit, Math.max(FIRST_BYTES, 2 * length)));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    more.copy(this.#bytes, this.#length);
    this.#length = length;
  }

  /** Bytes that are no UTF-8 become replacement characters. */
  text(maxBytes = this.#length): string {
    return this.#bytes.toString('utf8', 0, Math.min(maxBytes, this.#length));
  }

  clear(): void {
    this.#length = 0;
    this.#isTooLong = false;
    // What one long line needed is not held for the short ones behind it.
    if (this.#bytes.length > FIRST_BYTES) this.#bytes = Buffer.allocUnsafe(0);
  }
}
