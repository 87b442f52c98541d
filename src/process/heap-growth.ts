import { setFlagsFromString } from 'node:v8';

/** With less output the flag stays as it is: while it differs, V8 rejects the code cache of what is loaded. */
const LARGE_BYTES = 65_536;
/** V8's default. */
const GROWTH = 2;

/** Then the excerpt is made. It takes up to a second of CPU, and the heap would grow by about 10 MB. */
const RESTORE_AFTER_MS = 3000;

/**
 * Keeps the heap for new objects as small as it is while a command prints a lot, what it printed is read, and the excerpt
 * is made, by this process or by the one that follows the run. Of that hardly anything is kept, so that a larger heap,
 * which V8 makes of up to 48 MB, only takes memory.
 */
export class HeapGrowth {
  readonly #setGrowth: (factor: number) => void;
  readonly #later: (restore: () => void) => void;
  #bytes = 0;

  constructor(setGrowth = setGrowthFactor, later = afterTheExcerpt) {
    this.#setGrowth = setGrowth;
    this.#later = later;
  }

  /** @param bytes how many were printed; of a run that another process owns, those that it has not kept */
  read(bytes: number): void {
    const before = this.#bytes;
    this.#bytes += bytes;
    if (before < LARGE_BYTES && this.#bytes >= LARGE_BYTES) this.#setGrowth(1);
  }

  /** Lets the heap grow again when the excerpt is made. */
  end(): void {
    if (this.#bytes >= LARGE_BYTES) this.#later(() => this.#setGrowth(GROWTH));
    this.#bytes = 0;
  }
}

function setGrowthFactor(factor: number): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}

/** A hook exits earlier, and writes V8's code cache then. */
function afterTheExcerpt(restore: () => void): void {
  const restoreOnce = () => {
    process.off('exit', restoreOnce);
    clearTimeout(timer);
    restore();
  };
  const timer = setTimeout(restoreOnce, RESTORE_AFTER_MS).unref();
  process.prependListener('exit', restoreOnce);
}
