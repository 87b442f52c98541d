import type { OutputStream } from '../../process/output.ts';
import type { ClassifiedLine } from '../lines/classify.ts';
import { wordingOf } from '../lines/likeness.ts';
import type { RawLine } from '../lines/raw-line.ts';

/** So many lines of an output are read whatever they say, and so many at its end. */
const FIRST_LINES = 10_000;
const LAST_LINES = 1000;
/** Lines before and after one that says something new: they may be about the same. */
const NEAR_LINES = 40;
/** Lines of one kind that say something new. */
const FEW = 3;
/** For each severity: with so many kinds, none is new. */
const MAX_KINDS = 100;
/** Templates that are remembered. A power of two. */
const MAX_TEMPLATES = 16_384;

/** A line of which no more is known than what all lines of its form say. */
export interface UnreadLine {
  /** Its position in the order of arrival. */
  readonly at: number;
  readonly raw: RawLine;
  readonly stream: OutputStream;
  /** Of the line with its prefix. */
  readonly whole: ClassifiedLine;
}

/**
 * Separates the lines of an output that are worth reading from the others: all of a short one; of a long one, the first
 * and the last lines, those that say something new, and their neighbours. What is left says what others have said.
 */
export class Sieve {
  readonly #read: (line: UnreadLine) => void;
  readonly #skip: (line: UnreadLine) => void;
  /** How many further lines are read. */
  #left = FIRST_LINES;
  /** The last lines, and some more, unless they were read: skipping some now and then costs less than each time. */
  #waiting: UnreadLine[] = [];
  readonly #templates = new Int32Array(MAX_TEMPLATES);
  /** How many lines there were of each kind that said something new, by severity. */
  readonly #kinds = new Map<number, Map<number, number>>();

  /** @param read is given the lines that are worth reading in order of arrival; `skip`, the others */
  constructor(read: (line: UnreadLine) => void, skip: (line: UnreadLine) => void) {
    this.#read = read;
    this.#skip = skip;
  }

  take(line: UnreadLine): void {
    if (this.#isNew(line)) {
      this.#release(NEAR_LINES);
      this.#left = Math.max(this.#left, NEAR_LINES + 1);
    }
    if (this.#left > 0) {
      this.#left--;
      this.#read(line);
    } else if (this.#waiting.push(line) === 2 * LAST_LINES)
      for (const skipped of this.#waiting.splice(0, LAST_LINES)) this.#skip(skipped);
  }

  end(): void {
    this.#release(LAST_LINES);
  }

  /** Reads the last ones of the lines that wait, and skips the others. */
  #release(count: number): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    const start = waiting.length - count;
    for (const [index, line] of waiting.entries())
      if (index < start) this.#skip(line);
      else this.#read(line);
  }

  /** Of a line about a failure, the wording decides; of another one, how it looks. */
  #isNew({ whole: { severity, shape }, raw }: UnreadLine): boolean {
    if (severity === 0) return this.#isNewKind(severity, shape);
    const place = raw.template & (MAX_TEMPLATES - 1);
    if (this.#templates[place] === raw.template) return false;
    this.#templates[place] = raw.template;
    return this.#isNewKind(severity, wordingOf(raw.text));
  }

  #isNewKind(severity: number, kind: number): boolean {
    let counts = this.#kinds.get(severity);
    if (!counts) {
      counts = new Map();
      this.#kinds.set(severity, counts);
    }
    const count = counts.get(kind) ?? 0;
    if (count >= FEW || (count === 0 && counts.size >= MAX_KINDS)) return false;
    counts.set(kind, count + 1);
    return true;
  }
}
