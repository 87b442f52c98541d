import { thousands } from '../../base/text.ts';
import type { Line } from '../failures/failure.ts';
import { areItems, type NameList } from '../failures/lists.ts';
import { saysSomething } from '../failures/noise.ts';
import { repeatsHeadline } from '../fold/failure-names.ts';
import type { Material } from './material.ts';
import { runUpIn } from './run-up.ts';

/** The mark of a gap would take as much space as so many lines. */
const SMALL = 3;

/** The border of a table of text that is a value. */
const BORDER = /^\s+\+[-=+]+\+$/;

const MARK = /^… ([\d,]+) lines …$/;

function markOf(length: number): string {
  return `… ${thousands(length)} lines …`;
}

/** @returns one mark for two gaps in a row; undefined if one of the lines is no mark */
export function joinedMark(first: string, second: string): string | undefined {
  const lengths = [first, second].flatMap((text) => MARK.exec(text)?.[1]?.replaceAll(',', '') ?? []);
  return lengths.length < 2 ? undefined : markOf(lengths.reduce((sum, length) => sum + Number(length), 0));
}

/** What an excerpt shows where it leaves lines out. */
export class Gaps {
  readonly #lineCount: number;
  readonly #lists: readonly NameList[];
  readonly #saidAgain: ReadonlySet<number>;
  /** The lines that were kept, by their position, without those that belong to something else. */
  readonly #known = new Map<number, Line>();
  /** Where the lines were that say nothing about a failure. */
  readonly #dropped: readonly number[];
  /** Asked of the few lines in small gaps only: there may be thousands. */
  readonly #saysMore: (line: Line) => boolean;

  constructor(material: Material) {
    const { lineCount, outline, failures, lists, unrelated, saidAgain, banner, throwing, sameReasons } =
      material;
    this.#lineCount = lineCount;
    this.#saidAgain = saidAgain;
    this.#lists = lists;
    const { whole = [], head, tail, closing, near } = outline;
    const ofFailures = failures.map(({ block }) => block.lines);
    for (const lines of [whole, head, tail, closing, near, ...ofFailures])
      for (const line of lines) this.#known.set(line.at, line);
    this.#dropped = [
      ...banner,
      ...runUpIn(whole, material),
      ...throwing,
      ...sameReasons.said,
      ...failures.flatMap(({ block: { dropped = [] } }) => dropped),
    ];
    for (const at of this.#dropped) this.#known.delete(at);
    const isRepeated = repeatsHeadline(failures.map(({ block }) => block));
    this.#saysMore = (line) =>
      (saysSomething(line.text) || BORDER.test(line.text)) && !isRepeated(line) && !unrelated.has(line.text);
  }

  /** Lines for each gap of up to three lines, as far as they are known and say something. @param shown in order */
  fillings(shown: readonly Line[]): Line[][] {
    const starts = [0, ...shown.map(({ at }) => Math.floor(at) + 1)];
    const ends = [...shown.map(({ at }) => Math.floor(at)), this.#lineCount];
    return starts
      .map((start, index) => [start, ends[index] ?? start] as const)
      .filter(([start, end]) => end - start <= SMALL)
      .map(([start, end]) => this.#between(start, end))
      .filter((lines) => lines.length > 0);
  }

  /**
   * @param redundant the lines that say nothing new
   * @returns undefined if a reader misses nothing
   */
  mark(start: number, end: number, redundant: readonly number[]): string | undefined {
    const length = end - start;
    if (length <= 1) return undefined;
    const isWithin = (at: number) => at >= start && at < end;
    const said = new Set([...redundant, ...this.#dropped, ...this.#saidAgain].filter(isWithin));
    const missed = length - said.size;
    const isWorthwhile = () => this.#between(start, end).some(({ at }) => !said.has(at));
    if (missed <= 1 || (missed <= SMALL && !isWorthwhile())) return undefined;
    const isList = areItems(this.#lists, start, end - 1);
    return isList ? `… and ${thousands(length)} more …` : markOf(length);
  }

  #between(start: number, end: number): Line[] {
    const places = Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index);
    return places.flatMap((at) => this.#known.get(at) ?? []).filter(this.#saysMore);
  }
}
