import { setFlagsFromString } from 'node:v8';

/** With less output the flags stay as they are: while they differ, V8 rejects the code cache of what is loaded. */
const LARGE_BYTES = 65_536;
/**
 * The heap for new objects stays as it is. The other one grows by a fifth before it is collected: 100 MB of real failures
 * take 97 MB of memory instead of 135 and 7 % more time.
 */
const LIMITED = ['--semi-space-growth-factor=1', '--heap-growing-percent=20'];
/** V8's defaults; with 0, V8 chooses the percentage. */
const UNLIMITED = ['--semi-space-growth-factor=2', '--heap-growing-percent=0'];

/** Then the excerpt is made. It takes up to a second of CPU, and the heap would grow by about 10 MB. */
const RESTORE_AFTER_MS = 3000;

/**
 * Keeps the heap small while a command prints a lot, what it printed is read, and the excerpt is made, by this process or
 * by the one that follows the run. Hardly anything of that is kept, so that a larger heap only takes memory.
 */
export class HeapGrowth {
  readonly #setFlags: (flags: readonly string[]) => void;
  readonly #later: (restore: () => void) => void;
  #bytes = 0;

  constructor(setFlags = setV8Flags, later = afterTheExcerpt) {
    this.#setFlags = setFlags;
    this.#later = later;
  }

  /** @param bytes how many were printed; of a run that another process owns, those that it has not kept */
  read(bytes: number): void {
    const before = this.#bytes;
    this.#bytes += bytes;
    if (before < LARGE_BYTES && this.#bytes >= LARGE_BYTES) this.#setFlags(LIMITED);
  }

  /** Lets the heap grow again when the excerpt is made. */
  end(): void {
    if (this.#bytes >= LARGE_BYTES) this.#later(() => this.#setFlags(UNLIMITED));
    this.#bytes = 0;
  }
}

function setV8Flags(flags: readonly string[]): void {
  for (const flag of flags) setFlagsFromString(flag);
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
