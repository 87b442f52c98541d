import { setFlagsFromString } from 'node:v8';

/** With less output the flag stays as it is: while it differs, V8 rejects the code cache of what is loaded. */
const LARGE_BYTES = 65_536;
/** V8's default. */
const GROWTH = 2;

/**
 * Keeps the heap for new objects as small as it is while a command prints a lot. Of what is read hardly anything is
 * kept, so that a larger heap, which V8 makes of up to 48 MB, only takes memory.
 */
export class HeapGrowth {
  readonly #setGrowth: (factor: number) => void;
  #bytes = 0;

  constructor(setGrowth = setGrowthFactor) {
    this.#setGrowth = setGrowth;
  }

  /** @param bytes how many were printed */
  read(bytes: number): void {
    const before = this.#bytes;
    this.#bytes += bytes;
    if (before < LARGE_BYTES && this.#bytes >= LARGE_BYTES) this.#setGrowth(1);
  }

  /** Lets the heap grow again. */
  end(): void {
    if (this.#bytes >= LARGE_BYTES) this.#setGrowth(GROWTH);
    this.#bytes = 0;
  }
}

function setGrowthFactor(factor: number): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}
