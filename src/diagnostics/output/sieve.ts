import type { OutputStream } from '../../process/output.ts';
import type { ClassifiedLine } from '../lines/classify.ts';
import { wordingOf } from '../lines/likeness.ts';
import { RawLine } from '../lines/raw-line.ts';
import { startsCommand } from '../lines/structure.ts';

/** So many lines of an output are read whatever they say, and so many at its end. */
const FIRST_LINES = 10_000;
const LAST_LINES = 1000;
/** Lines before and after one that says something new: they may be about the same. */
const NEAR_LINES = 40;
/** Lines of one kind that say something new. */
const FEW = 3;
/** For each severity: with so many kinds, none is new. */
const MAX_KINDS = 100;
/** Titles of scripts that are read: more are those of a loop. */
const MAX_TITLES = 200;
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

/** Is given a line that is worth reading. */
type Read = (line: UnreadLine) => void;
/** Is given what a line that is not has in common with others. */
type Skip = (at: number, template: number, whole: ClassifiedLine) => void;

/**
 * Separates the lines of an output that are worth reading from the others: all of a short one; of a long one, the first
 * and the last lines, those that say something new, and their neighbours. What is left says what others have said.
 */
export class Sieve {
  readonly #read: Read;
  /** How many further lines are read. */
  #left = FIRST_LINES;
  readonly #waiting: WaitingLines;
  readonly #templates = new Int32Array(MAX_TEMPLATES);
  /** Titles of scripts. */
  #titles = 0;
  /** How many lines there were of each kind that said something new, by severity. */
  readonly #kinds = new Map<number, Map<number, number>>();

  /** Both are given lines in order of arrival. */
  constructor(read: Read, skip: Skip) {
    this.#read = read;
    this.#waiting = new WaitingLines(read, skip);
  }

  take(at: number, raw: RawLine, stream: OutputStream, whole: ClassifiedLine): void {
    if (this.#isNew(raw, whole)) {
      this.#waiting.release(NEAR_LINES);
      this.#left = Math.max(this.#left, NEAR_LINES + 1);
    }
    if (this.#left > 0) {
      this.#left--;
      this.#read({ at, raw, stream, whole });
    } else this.#waiting.add(at, raw, stream, whole);
  }

  end(): void {
    this.#waiting.release(LAST_LINES);
  }

  /** Of a line about a failure, the wording decides; of another one, how it looks. */
  #isNew(raw: RawLine, whole: ClassifiedLine): boolean {
    const { severity, shape } = whole;
    if (severity === 0) {
      // What comes below the title of a script is about nothing above.
      if (!whole.isCommon && whole.ask(startsCommand) && this.#titles++ < MAX_TITLES) return true;
      if (!whole.isCommon) whole.isCommon = !this.#isNewKind(severity, shape);
      return !whole.isCommon;
    }
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

/** The last lines, unless they were read. In columns: objects that live so long are copied when garbage is collected. */
class WaitingLines {
  readonly #read: Read;
  readonly #skip: Skip;
  readonly #positions = new Int32Array(LAST_LINES);
  readonly #bytes: Buffer[] = [];
  readonly #starts = new Int32Array(LAST_LINES);
  readonly #ends = new Int32Array(LAST_LINES);
  readonly #templates = new Int32Array(LAST_LINES);
  readonly #streams: OutputStream[] = [];
  readonly #wholes: ClassifiedLine[] = [];
  /** Its place in the columns; the others are in the places after it, and after the last place in the first ones. */
  #oldest = 0;
  #count = 0;

  constructor(read: Read, skip: Skip) {
    this.#read = read;
    this.#skip = skip;
  }

  /** Adds a line, and skips the oldest if there is no place. */
  add(
    at: number,
    { bytes, start, end, template }: RawLine,
    stream: OutputStream,
    whole: ClassifiedLine,
  ): void {
    if (this.#count === LAST_LINES) this.#skipOldest();
    const place = (this.#oldest + this.#count++) % LAST_LINES;
    this.#positions[place] = at;
    this.#bytes[place] = bytes;
    this.#starts[place] = start;
    this.#ends[place] = end;
    this.#templates[place] = template;
    this.#streams[place] = stream;
    this.#wholes[place] = whole;
  }

  /** Reads the last ones, and skips the others. */
  release(count: number): void {
    while (this.#count > count) this.#skipOldest();
    while (this.#count > 0) this.#readOldest();
  }

  #skipOldest(): void {
    const place = this.#removeOldest();
    this.#skip(
      this.#positions[place] as number,
      this.#templates[place] as number,
      this.#wholes[place] as ClassifiedLine,
    );
  }

  #readOldest(): void {
    const place = this.#removeOldest();
    const [start, end] = [this.#starts[place] as number, this.#ends[place] as number];
    this.#read({
      at: this.#positions[place] as number,
      raw: new RawLine(this.#bytes[place] as Buffer, start, end),
      stream: this.#streams[place] as OutputStream,
      whole: this.#wholes[place] as ClassifiedLine,
    });
  }

  /** @returns its place */
  #removeOldest(): number {
    const place = this.#oldest;
    this.#oldest = (place + 1) % LAST_LINES;
    this.#count--;
    return place;
  }
}
