import type { OutputStream } from '../../process/output.ts';
import type { RawLine } from '../lines/raw-line.ts';

/** So many lines are held back: the first lines of a longer block are read before it is drawn again. */
const MAX_LINES = 100;

/** Erases lines upwards: each by itself, or the first one and all below it. */
const ERASURE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence starts with one
  /(?:\x1b\[2?K\x1b\[1?A)+(?:\x1b\[2?K)?|\x1b\[1?A\x1b\[2?K|\x1b\[(\d+)A(?:\r|\x1b\[\d*G)?\x1b\[0?J/g;
const UP = 'A';

/** Splits a line where it erases others. @returns how many, and its states on the way */
export function erasuresIn(line: string): { readonly count: number; readonly states: string } {
  let count = 0;
  const states = line.replace(ERASURE, (erasure, lines: string | undefined) => {
    count += lines === undefined ? erasure.split(UP).length - 1 : Number(lines);
    return '\r';
  });
  return { count, states };
}

/**
 * Lines that are drawn again and again as a block, such as a list of tasks: of what is erased, only an error is kept that
 * the next block lacks. They are held back until then; the first block was read before it was known that there are more.
 */
export class RedrawnLines {
  readonly #onLine: (stream: OutputStream, line: RawLine) => void;
  readonly #mayDrop: (line: RawLine) => boolean;
  #stream: OutputStream = 'stdout';
  #held: RawLine[] = [];
  /** What the block before had that may not be dropped. */
  #erased: RawLine[] = [];

  constructor(onLine: (stream: OutputStream, line: RawLine) => void, mayDrop: (line: RawLine) => boolean) {
    this.#onLine = onLine;
    this.#mayDrop = mayDrop;
  }

  take(stream: OutputStream, line: RawLine): void {
    if (stream !== this.#stream) this.end();
    this.#stream = stream;
    this.#held.push(line);
    if (this.#held.length > MAX_LINES) this.#onLine(stream, this.#held.shift() as RawLine);
  }

  erase(stream: OutputStream, count: number): void {
    this.#release(stream === this.#stream ? count : 0);
  }

  end(): void {
    this.#release(0);
  }

  /** @param erased how many lines are not shown any more */
  #release(erased: number): void {
    const shown = new Set(this.#held.map(({ text }) => text));
    const lost = this.#erased.filter(({ text }) => !shown.has(text));
    const end = this.#held.length - erased;
    this.#erased = this.#held.splice(Math.max(0, end)).filter((line) => !this.#mayDrop(line));
    for (const line of [...lost, ...this.#held.splice(0)]) this.#onLine(this.#stream, line);
  }
}
