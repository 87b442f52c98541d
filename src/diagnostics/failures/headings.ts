/** The lines above a failure that are shown with it: those right above that lead to it, and headings. */

import { isExternalFrame } from '../lines/stack-frames.ts';
import {
  indentOf,
  introducesNext,
  isCode,
  isInstantiation,
  isMember,
  isPlaceOnly,
  isProgress,
  isSyntaxError,
} from '../lines/structure.ts';
import { detached, type FailureLine, type Line, PRIORITY } from './failure.ts';

/** What was given, and done, in a scenario, also with a mark that it has passed. */
const STEP_OF_SCENARIO = /^\s+(?:✔ )?(?:Given|When|Then|And|But) \S/;
/** TeX prints what it was reading above the error. */
const RUNAWAY = /^Runaway \w+\?$/;

/** What was found in the file that is named above: where, and how bad it is. */
const ROW_OF_FILE = /^\s*\d+:\d+(?:-\d+:\d+)?\s+(?:error|warning)\s/;
const FILE = /^[\w@.+~/\\-]*\w\.[A-Za-z]\w{0,7}$/;

/** The name of what a paragraph is about. */
const NAME = /^\s+[\w@./*-]+(?: [\w()./-]+){0,2}$/;

/**
 * The lines right above a headline that lead to it: more indented ones, a pointer into code, one that introduces it, the
 * members of the same object.
 *
 * @param above in order of arrival
 */
export function leadTo(above: readonly Line[], headline: string, indent: number): Line[] {
  if (above.length === 0) return [];
  const [first] = above;
  if (above.length === 1 && first && indentOf(first.text) === indent && NAME.test(first.text)) return [first];
  const isOnlyPlace = isSyntaxError(headline);
  const place = above.findIndex(({ text }) => isPlaceOnly(text) && (isOnlyPlace || introducesNext(text)));
  if (place !== -1) return above.slice(place);
  const runaway = above.findIndex(({ text }) => RUNAWAY.test(text));
  if (runaway !== -1) return above.slice(runaway);
  const steps = above.length - 1 - above.findLastIndex(({ text }) => !isStepOfScenario(text));
  if (steps > 0) return above.slice(-steps);
  const leads = ({ text }: Line, isNearest: boolean) =>
    indentOf(text) > indent ||
    isCode(text) ||
    isInstantiation(text) ||
    (isNearest && (introducesNext(text) || isPlaceOnly(text))) ||
    (isNearest && ROW_OF_FILE.test(headline) && FILE.test(text)) ||
    (isMember(headline) && isMember(text));
  const last = above.findLastIndex((line, index) => !leads(line, index === above.length - 1));
  const says = ({ text }: Line) => !isExternalFrame(text) && (isCode(text) || !isProgress(text));
  return above.slice(last + 1).filter(says);
}

/** A comment in TAP, which a test may have logged, is no heading by its indentation. */
const COMMENT = /^#\s/;
/** Where the source is from that Node.js quotes in the next comment. */
const PLACE_OF_SOURCE = /^# (?:file:\/\/)?\/\S+:\d+$/;
/** Comments above a test. */
const MAX_LOGGED = 3;
/** Headings that are shown with one failure: the suite, the file. */
const MAX_HEADINGS = 3;
/** A heading further up is about something else. */
const REACH_LINES = 600;

/** What a package manager runs. */
const COMMAND = /^> \S/;

/** Whether a line is a step of a scenario: one that fails depends on the steps before it. */
export function isStepOfScenario(text: string): boolean {
  return STEP_OF_SCENARIO.test(text);
}

/** Of a table with what a step is given. */
const ROW = /^\s+\| .* \|$/;

/** Whether a line is a row of the table below a step: the steps of many scenarios have the same one. */
export function isRowOfStep({ text }: Line, above: FailureLine | undefined): boolean {
  if (!above || !ROW.test(text)) return false;
  return isStepOfScenario(above.text) || (above.priority === PRIORITY.body && ROW.test(above.text));
}

/** The headings above the next line. */
export class Headings {
  /** By their indentation, outermost first. */
  readonly #open: { readonly indent: number; readonly line: Line }[] = [];
  #section: Line | undefined;
  /** Comments above the section that say that something failed: runners print what a test has logged as comments. */
  #logged: Line[] = [];
  /** The section, if it says that something failed. */
  #fault: Line | undefined;
  /** A line that names the test, until the next separator. */
  #test: Line | undefined;

  push(line: Line, indent: number): void {
    if (COMMENT.test(line.text)) return;
    while ((this.#open.at(-1)?.indent ?? -1) >= indent) this.#open.pop();
    this.#open.push({ indent, line });
  }

  /** @param title undefined for a separator without one: the section goes on */
  startSection(title: Line | undefined): void {
    if (title) {
      this.#section = title;
      this.#logged = [];
    }
    this.#test = undefined;
    this.#open.length = 0;
  }

  /** What is above the counts of a run is no heading of what is below them, but for the command. */
  endRun(): void {
    const commands = this.#open.filter(({ line }) => COMMAND.test(line.text));
    this.#open.splice(0, this.#open.length, ...commands);
  }

  /** @param isFault whether it says that something failed */
  startComment(line: Line, isFault: boolean): void {
    const place = this.#section && PLACE_OF_SOURCE.test(this.#section.text) ? this.#section : undefined;
    const last = this.#fault ?? place;
    const logged = last && line.at - last.at === 1 ? [...this.#logged, last] : [];
    this.startSection(line);
    this.#logged = logged.slice(-MAX_LOGGED);
    this.#fault = isFault ? line : undefined;
  }

  startTest(line: Line): void {
    this.#test = line;
  }

  /** The section and the nearest headings of what starts at a line, in order of arrival. */
  above(indent: number, { at }: Line): Line[] {
    const isNear = (line: Line) => line.at < at && at - line.at < REACH_LINES;
    // Most lines have none: they are at the left edge.
    const headings =
      indent === 0 ? [] : this.#open.filter((heading) => heading.indent < indent).map(({ line }) => line);
    if (headings.length === 0 && !this.#section && !this.#test) return [];
    const named = [...this.#logged, this.#section, this.#test].filter((line) => line !== undefined);
    const own = headings.slice(-MAX_HEADINGS).filter((line) => !named.includes(line));
    return [...named, ...own].filter(isNear).toSorted((a, b) => a.at - b.at);
  }
}

/** A line of one sign. */
const RULER = /^([-=.])\1{29,}$/;
/** The name of a test, and those of the sections in it. */
const MAX_NAMES = 4;

/** The names of a test of Catch2: between two rulers, above its place and a line of dots. */
export class RuledNames {
  /** Those of the test that runs. */
  names: readonly Line[] = [];
  #between: readonly Line[] = [];
  #below: Line[] = [];

  /** @param line one that is not blank */
  take(line: Line): void {
    const sign = RULER.exec(line.text)?.[1];
    if (sign === undefined) {
      if (this.#below.length <= MAX_NAMES) this.#below.push(line);
      return;
    }
    const [place, further] = this.#below;
    const isBelowPlace = sign === '.' && place && isPlaceOnly(place.text) && !further;
    this.names = isBelowPlace && this.#between.length <= MAX_NAMES ? this.#between : [];
    [this.#between, this.#below] = [this.#below, []];
  }
}

/** Where make goes on in another directory, and goes back; at the same time there may be several. */
const ENTERED = /^g?make(?:\[\d+\])?: Entering directory (.+)$/;
const LEFT = /^g?make(?:\[\d+\])?: Leaving directory (.+)$/;
/** A file that is named without a directory is in the one where make is. */
const IN_DIRECTORY = /^[\w.+-]+\.\w+:[\d(]/;

export function entersDirectory(text: string): boolean {
  return ENTERED.test(text) || LEFT.test(text);
}

/** The directories in which make is, on either stream. */
export class Directories {
  readonly #open = new Map<string, Line>();

  /** @param line one that enters a directory, or leaves it */
  take(line: Line): void {
    const [entered, left] = [ENTERED.exec(line.text)?.[1], LEFT.exec(line.text)?.[1]];
    if (entered !== undefined) this.#open.set(entered, detached(line));
    else if (left !== undefined) this.#open.delete(left);
  }

  /** The last directory, for a line that names a file without one. */
  of({ text }: Line): Line[] {
    const last = [...this.#open.values()].at(-1);
    return last && IN_DIRECTORY.test(text) ? [last] : [];
  }
}
