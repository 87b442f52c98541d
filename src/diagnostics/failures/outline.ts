import type { OutputStream } from '../../process/output.ts';
import type { ClassifiedLine } from '../lines/classify.ts';
import { taskOf } from '../lines/prefix.ts';
import { SEVERITY } from '../lines/rules.ts';
import { isCoverageRow } from './coverage.ts';
import { detached, type FailureBlock, type Line } from './failure.ts';
import { ListFinder, type NameList } from './lists.ts';

/** An output is kept whole up to this size, and for its parts up to this one. */
const WHOLE_CHARACTERS = 6000;
const ALL_CHARACTERS = 64_000;
/** Of consecutive lines of one shape, so many are kept, and the last. */
const ALIKE = 2;
/** Of counts, one on each line, so many. */
const ALIKE_COUNTS = 8;
const EDGE_LINES = 60;
/** Of the stream that ended first, so many last lines are kept. */
const EARLIER_LINES = 6;
const MAX_SHAPES = 3000;
/** Lines before and after one about a failure. */
const NEAR_LINES = 8;
const MAX_NEAR_LINES = 600;
const MAX_COVERAGE_ROWS = 600;

/** An output without regard to failures. */
export interface Outline {
  /** All lines, with one of several blank ones; undefined if the output is longer than 6,000 characters. */
  readonly whole: readonly Line[] | undefined;
  /** The same of an output of up to 64,000 characters. */
  readonly all: readonly Line[] | undefined;
  /** The first and the last lines that are not noise. */
  readonly head: readonly Line[];
  readonly closing: readonly Line[];
  /**
   * The last lines, without noise, of the stream whose end came first; none with one stream. They may have been printed
   * last: what two pipes bring at the same moment is read from one, then from the other.
   */
  readonly earlier: readonly Line[];
  /** The last lines, whatever they say. */
  readonly tail: readonly Line[];
  /** The lines of a shape that no other line has, without noise. */
  readonly unique: readonly Line[];
  /** Lines next to the first ones about a failure, in no order. */
  readonly near: readonly Line[];
  /** Lines that differ in a name only. */
  readonly lists: readonly NameList[];
  /** The rows of tables of coverage. */
  readonly coverage: readonly Line[];
}

/** An outline with other lines. @param changed what its lines are instead */
export function outlineWith(outline: Outline, changed: (lines: readonly Line[]) => readonly Line[]): Outline {
  return {
    whole: outline.whole && changed(outline.whole),
    all: outline.all && changed(outline.all),
    head: changed(outline.head),
    tail: changed(outline.tail),
    closing: changed(outline.closing),
    earlier: changed(outline.earlier),
    unique: changed(outline.unique),
    near: changed(outline.near),
    lists: outline.lists.map((list) => ({ ...list, lines: changed(list.lines) })),
    coverage: changed(outline.coverage),
  };
}

/** An outline without some of its lines. */
export function outlineWithout(outline: Outline, isRemoved: (line: Line) => boolean): Outline {
  return outlineWith(outline, (lines) => lines.filter((line) => !isRemoved(line)));
}

/** Whether a failure is at the end of the stream that ended first: the end of the other may have been printed before it. */
export function isAtEarlierEnd({ earlier }: Outline, { lines }: FailureBlock): boolean {
  const end = earlier.at(-1)?.at;
  return lines.some(({ at }) => at === end);
}

/** Keeps of an output its start, its end, and the lines of a shape that no other line has. */
export class OutputOutline {
  #all: Line[] | undefined = [];
  #characters = 0;
  readonly #head: Line[] = [];
  readonly #tail: Line[] = [];
  readonly #closing: Line[] = [];
  /** The last lines of each stream that are not noise, and where its last line is. */
  readonly #ends = { stdout: [] as Line[], stderr: [] as Line[] };
  readonly #endsAt = { stdout: -1, stderr: -1 };
  readonly #near: Line[] = [];
  /** The last lines that are not near yet, in a ring. */
  readonly #recent: (Line | undefined)[] = [];
  /** How many further ones are near. */
  #nearLeft = 0;
  readonly #lists = new ListFinder();
  readonly #coverage: Line[] = [];
  /** The only line of its shape so far; undefined if there are more. */
  readonly #shapes = new Map<number, Line | undefined>();
  #lastShape = 0;
  #alike = 0;
  #lastAlike: Line | undefined;
  #lastIsNoise = false;

  addBlank(line: Line): void {
    const above = this.#all?.at(-1);
    if (above?.text !== '' || taskOf(above.prefix) !== taskOf(line.prefix)) this.#keepInAll(line);
  }

  /** Notes that lines are left out. Lines that look alike on both sides of them are one run. */
  leaveGap(): void {
    this.#all = undefined;
  }

  /**
   * @param template that of the line
   * @param isNoise whether the line says nothing about how the run went
   */
  add(
    line: Line,
    stream: OutputStream,
    classified: ClassifiedLine,
    template: number,
    isNoise: boolean,
  ): void {
    const { shape } = classified;
    this.#endsAt[stream] = line.at;
    if (!isNoise) keepLast(this.#ends[stream], line, EARLIER_LINES);
    this.#lists.take(line, classified, template, isNoise);
    if (classified.ask(isCoverageRow) && this.#coverage.length < MAX_COVERAGE_ROWS)
      this.#coverage.push(detached(line));
    if (!isNoise && this.#near.length < MAX_NEAR_LINES)
      this.#keepNear(line, classified.severity >= SEVERITY.tagged);
    this.#keepInAll(line);
    if (shape !== this.#lastShape) this.#endRun();
    if (++this.#alike <= ALIKE && !isNoise) this.#noteShape(line, shape);
    this.#lastShape = shape;
    this.#lastAlike = line;
    this.#lastIsNoise = isNoise;
    if (this.#alike <= (classified.classification === 'summary' ? ALIKE_COUNTS : ALIKE))
      this.#keep(line, isNoise);
  }

  #keepInAll(line: Line): void {
    this.#characters += line.text.length + 1;
    if (this.#characters <= ALL_CHARACTERS) this.#all?.push(line);
    else this.#all = undefined;
  }

  #keepNear(line: Line, isFailure: boolean): void {
    if (isFailure) {
      for (const recent of this.#recent.splice(0))
        if (recent && recent.at >= line.at - NEAR_LINES) this.#near.push(detached(recent));
      this.#nearLeft = NEAR_LINES;
    } else if (this.#nearLeft > 0) {
      this.#near.push(detached(line));
      this.#nearLeft--;
    } else {
      this.#recent[line.at % NEAR_LINES] = line;
    }
  }

  #noteShape(line: Line, shape: number): void {
    if (!this.#shapes.has(shape)) {
      if (this.#shapes.size < MAX_SHAPES) this.#shapes.set(shape, detached(line));
    } else if (this.#shapes.get(shape)) this.#shapes.set(shape, undefined);
  }

  #endRun(): void {
    const isKept = this.#lastAlike === this.#tail.at(-1);
    if (this.#lastAlike && !isKept && this.#alike > ALIKE) this.#keep(this.#lastAlike, this.#lastIsNoise);
    this.#alike = 0;
    this.#lastAlike = undefined;
  }

  #keep(line: Line, isNoise: boolean): void {
    keepLast(this.#tail, line, EDGE_LINES);
    if (isNoise) return;
    if (this.#head.length < EDGE_LINES) this.#head.push(line);
    keepLast(this.#closing, line, EDGE_LINES);
  }

  end(): Outline {
    this.#endRun();
    const { stdout, stderr } = this.#ends;
    const earlier = this.#endsAt.stdout < this.#endsAt.stderr ? stdout : stderr;
    return {
      whole: this.#characters <= WHOLE_CHARACTERS ? this.#all : undefined,
      all: this.#all,
      head: this.#head,
      tail: this.#tail.slice(-EDGE_LINES),
      closing: this.#closing.slice(-EDGE_LINES),
      earlier: earlier.slice(-EARLIER_LINES),
      unique: [...this.#shapes.values()].filter((line) => line !== undefined),
      near: this.#near,
      lists: this.#lists.lists(),
      coverage: this.#coverage,
    };
  }
}

/** The list holds the last items, and some more: cutting it now and then costs less than each time. */
function keepLast<T>(list: T[], item: T, length: number): void {
  list.push(item);
  if (list.length > 2 * length) list.splice(0, length);
}
