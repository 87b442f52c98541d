import { thousands } from '../base/text.ts';
import { bannerIn } from './banner.ts';
import { classificationOf } from './classify.ts';
import type { Findings } from './condenser.ts';
import { saysNothing } from './consequences.ts';
import type { Line, StoredFailure } from './failure.ts';
import { repeatsHeadline } from './failure-names.ts';
import { areItems, type NameList } from './lists.ts';
import { pointsElsewhere } from './pointers.ts';
import { withoutPrefix } from './prefix.ts';
import { runUpIn } from './run-up.ts';
import { throwingSourceIn } from './shown-frames.ts';
import { isExternalFrame } from './stack-frames.ts';
import { isProgress } from './structure.ts';

/** The mark of a gap would take as much space as so many lines. */
const SMALL = 3;

/** What is known of an output before the lines of its excerpt are selected. */
export interface Found {
  /** With the severity that they have here. */
  readonly failures: readonly StoredFailure[];
  /** Those that say what is wrong. */
  readonly lists: readonly NameList[];
  /** The texts of the warnings that explain no error. */
  readonly unrelated: ReadonlySet<string>;
  /** The positions of lines that say what was said above, and of the source around what is wrong. */
  readonly saidAgain: ReadonlySet<number>;
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

  constructor({ lineCount, outline }: Findings, { failures, lists, unrelated, saidAgain }: Found) {
    this.#lineCount = lineCount;
    this.#saidAgain = saidAgain;
    this.#lists = lists;
    const { whole = [], head, tail, closing, near } = outline;
    const ofFailures = failures.map(({ block }) => block.lines);
    for (const lines of [whole, head, tail, closing, near, ...ofFailures])
      for (const line of lines) this.#known.set(line.at, line);
    this.#dropped = [
      ...bannerIn(outline, failures),
      ...runUpIn(whole, { failures, lists, unrelated }),
      ...throwingSourceIn(outline),
      ...failures.flatMap(({ block: { dropped = [] } }) => dropped),
    ];
    for (const at of this.#dropped) this.#known.delete(at);
    const isRepeated = repeatsHeadline(failures.map(({ block }) => block));
    this.#saysMore = (line) => saysSomething(line.text) && !isRepeated(line) && !unrelated.has(line.text);
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
    return isList ? `… and ${thousands(length)} more …` : `… ${thousands(length)} lines …`;
  }

  #between(start: number, end: number): Line[] {
    const places = Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index);
    return places.flatMap((at) => this.#known.get(at) ?? []).filter(this.#saysMore);
  }
}

/** Blank lines, passed tests, progress, warnings and external frames say nothing between two shown lines. */
export function saysSomething(text: string): boolean {
  const said = withoutPrefix(text);
  return (
    /[\p{L}\d]/u.test(said) &&
    !isExternalFrame(said) &&
    !isNoise(text) &&
    !saysNothing(text) &&
    !isOnTheWay(text) &&
    classificationOf(text) !== 'warning'
  );
}

/** Whether a line is about a passed test, or progress, or points elsewhere. */
export function isNoise(text: string): boolean {
  const classification = classificationOf(text);
  return classification === 'passed' || classification === 'chatter' || pointsElsewhere(withoutPrefix(text));
}

/** Whether a line says what is being done. */
export function isOnTheWay(text: string): boolean {
  return isProgress(withoutPrefix(text));
}
