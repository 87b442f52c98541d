/** The names of failed tests in an excerpt: which of them are of one test, and which say nothing new. */

import type { Line, StoredFailure } from '../failures/failure.ts';
import { fileHeading } from '../failures/identity.ts';
import { classificationOf, severityOf } from '../lines/classify.ts';
import { withoutPrefix } from '../lines/prefix.ts';
import { SEVERITY } from '../lines/rules.ts';
import { isFrame } from '../lines/stack-frames.ts';
import { indentOf, introducesNext, isCode, isValue, namesPlace, separatorIn } from '../lines/structure.ts';
import { testNameIn } from './failure-names.ts';

const ORDINAL = /^\s*(\d+)\)/;
/** How a task ended, behind its name. */
const STATE = /\s\[(?:FAILED|SIG[A-Z]+)\]$/;
/** What a diagnostic in TAP says before the name of the test. */
const DIAGNOSTIC = /^Failed test(?: \d+)?:? (?=["'])/;
const QUOTES = /^(["'])(.*)\1$/;
/** A name of several lines is no longer: the suites, the test. */
const MAX_NAME_LINES = 4;
/** Behind the name of a test, of Minitest with its place. */
const PLACE_OF_TEST = /(?: \[\S+:\d+\])?:$/;
/** A blank line may be between a name and what is below it. */
const MAX_BELOW = 2;

/** The name of a failed test in an excerpt. */
export interface ShownName {
  readonly line: Line;
  readonly name: string;
  /** `2) adds`: two names with other numbers are other tests. */
  readonly ordinal: string | undefined;
  /** Nothing is below it. */
  readonly isBare: boolean;
  /** The line right above it, if it is indented less. */
  readonly title: string | undefined;
}

/**
 * Without the names of failed tests with nothing below them that are shown with something below them too: runners print
 * them on the way, or at the end. Equal names of more tests stay.
 */
export function withoutBareNames(lines: readonly Line[], failures: readonly StoredFailure[]): Line[] {
  const names = shownNames(lines, titlesIn(failures));
  const redundant = new Set<Line>();
  for (const bare of names.filter(
    ({ name, isBare, line }) => isBare && name !== '' && !introducesNext(line.text),
  )) {
    const isWhole = (other: ShownName) => !other.isBare || other.name.length > bare.name.length;
    const same = names.filter(
      (other) =>
        (isWhole(other) && isSameTest(bare, other) && !areBelowOthers(bare, other)) || isListed(bare, other),
    );
    const isAhead = (line: Line) => line.at < (same[0]?.line.at ?? 0);
    const alike = names.filter(
      ({ line, name, isBare }, index) =>
        isBare &&
        name === bare.name &&
        isAhead(line) === isAhead(bare.line) &&
        !isPrintedTwice(names[index - 1]?.line, line),
    );
    if (alike.length <= same.length) redundant.add(bare.line);
  }
  return lines.filter((line) => !redundant.has(line));
}

/** Whether a list of a runner has a test that is shown with its details, there with the names of its suites. */
function isListed(item: ShownName, shown: ShownName): boolean {
  return (
    item.ordinal !== undefined && shown.ordinal === undefined && !shown.isBare && isSameTest(shown, item)
  );
}

/** The positions of names that only the lines around them show to be some. */
function titlesIn(failures: readonly StoredFailure[]): ReadonlySet<number> {
  const titled = failures.filter(
    ({ block }) =>
      block.severity === SEVERITY.failedTest && classificationOf(block.headline.text) === 'plain',
  );
  return new Set(titled.map(({ block }) => block.headline.at));
}

/** Without the titles of tests whose names are left out, because they are shown with their details. */
export function withoutEmptySuites(lines: readonly Line[], failures: readonly StoredFailure[]): Line[] {
  const names = shownNames(lines.map(({ at, text }) => ({ at, text: withoutPrefix(text) })));
  const shown = new Set(lines.map(({ at }) => at));
  const isShownElsewhere = ({ at, text }: Line) => {
    const name = testNameIn(withoutPrefix(text));
    return !shown.has(at) && !introducesNext(text) && names.some((whole) => isEndOf(name, whole.name));
  };
  const titles = new Set(
    failures.flatMap(({ block }) =>
      block.lines
        .filter((line, index) => {
          const name = block.lines.slice(index + 1).find((below) => !isSuite(below));
          return name && isSuite(line) && isNamedBelow(line, name) && isShownElsewhere(name);
        })
        .map(({ at }) => at),
    ),
  );
  const kept: Line[] = [];
  for (const line of lines.toReversed()) {
    const below = kept.at(-1);
    const isEmpty = !below || below.text === '' || indentIn(below) <= indentIn(line);
    if (!(isEmpty && titles.has(line.at))) kept.push(line);
  }
  return kept.reverse();
}

function indentIn({ text }: Line): number {
  return indentOf(withoutPrefix(text));
}

/** Indented words, also in the form of a request or a component, or a comment. At the left edge, they may be what a test has logged. */
const SUITE = /^(?:\s+|# )(?:[\p{L}\d]|<\w+>)[^{}"|]*$/u;

function isSuite(line: Line): boolean {
  const text = withoutPrefix(line.text);
  return classificationOf(text) === 'plain' && SUITE.test(text);
}

function isNamedBelow(title: Line, name: Line): boolean {
  return isFailedName(name) && indentIn(title) < indentIn(name);
}

function isFailedName({ text }: Line): boolean {
  return classificationOf(withoutPrefix(text)) === 'failedTest';
}

/** A test in the lists of cargo, and what it puts above the output of one that failed. */
const LISTED = /^(?:test| {3}) (\S+)(?: - .*)?(?: \.{3} FAILED)?$/;
const OUTPUT_OF = /^---- (\S+) stdout ----$/;
const PANICKED = /^thread '(\S+)' .*\bpanicked at /;

/** Without the tests in a list of those that failed whose output is shown with their names. */
export function withoutListedTests(lines: readonly Line[]): Line[] {
  const shown = new Set(
    lines.flatMap(({ at, text }, index) => {
      const thread = PANICKED.exec(text)?.[1];
      if (thread !== undefined) return thread;
      const next = lines.slice(index + 1).find((line) => line.text !== '');
      return (next && next.at - at <= MAX_BELOW && OUTPUT_OF.exec(text)?.[1]) || [];
    }),
  );
  return lines.filter(({ text }) => !shown.has(LISTED.exec(text)?.[1] ?? ''));
}

/** A test in the last list of Surefire, with its line in a file of the same name: `[ERROR]   CartTest.adds:7 expected…`. */
const LISTED_AT = /^\[ERROR\] {2,3}(\w+)(?:\$\w+)*\.\w+:(\d+)/;

/** Without the tests in such a list that are shown with their frames, and what goes on below each. */
export function withoutListedPlaces(lines: readonly Line[]): Line[] {
  let listed: Line | undefined;
  return lines.filter((line, index) => {
    const [, name, number] = LISTED_AT.exec(line.text) ?? [];
    const isFrameOf = ({ text }: Line) => text.includes(`(${name}.`) && text.includes(`:${number})`);
    const isShown = name !== undefined && lines.slice(0, index).some(isFrameOf);
    const goesOn = listed?.at === line.at - 1 && !line.text.startsWith('[');
    listed = isShown || goesOn ? line : undefined;
    return !listed;
  });
}

/** A file of tests, with how many of them failed: ` ❯ src/cart.test.ts (3 tests | 2 failed) 8ms`. */
const FILE_STATE = /^\s*[^\w\s] (?:\S+ )?(\S+\.\w+) \(\d+ tests? .*\bfailed\b.*\)/;

/** Without the counts of a file of which a failed test is named below. */
export function withoutFileStates(lines: readonly Line[]): Line[] {
  const failed = lines.filter(({ text }) => classificationOf(text) === 'failedTest');
  return lines.filter(({ at, text }) => {
    const file = FILE_STATE.exec(text)?.[1];
    return file === undefined || !failed.some((other) => other.at > at && other.text.includes(file));
  });
}

/** A name that is as short as this may be in a line by chance. */
const MIN_NAME = 4;
/** Lines from a name to the one that has it too. */
const NAME_REACH = 4;
/** What runners put around a name. */
const AROUND = /^(?:Subtest: |Running |\* )|(?:\s+(?:\(…\)|\[[^\]]*\]))+$/g;

/** Without a title right above what failed, if that has it too: `# Subtest: adds` above `not ok 2 - adds`. */
export function withoutTitlesAbove(lines: readonly Line[]): Line[] {
  return lines.filter((line, index) => {
    const next = lines.slice(index + 1, index + NAME_REACH).find(({ text }) => text !== '');
    return !next || !isTitleOf(line, next);
  });
}

function isTitleOf({ at, text }: Line, next: Line): boolean {
  if (text === '' || next.at - at > NAME_REACH) return false;
  const classification = classificationOf(text);
  if (classification === 'failedTest') return text === next.text && STATE.test(text);
  const isWithin = indentOf(text) > indentOf(next.text) + 1;
  if (classification !== 'plain' || isWithin || severityOf(classificationOf(next.text)) < SEVERITY.tagged)
    return false;
  const isPart = [isCode, isValue, isFrame, namesPlace].some((question) => question(text));
  const name = testNameIn(text).replace(AROUND, '').trim();
  return !isPart && name.length >= MIN_NAME && hasName(next.text, name);
}

/** Whether a name is in a line as a whole. */
function hasName(text: string, name: string): boolean {
  const start = text.indexOf(name);
  const around = [text[start - 1], text[start + name.length]];
  return start !== -1 && around.every((sign) => sign === undefined || !/[\w.-]/.test(sign));
}

/** Whether a line is the one above again: a runner names a task, and what it was started by. */
function isPrintedTwice(above: Line | undefined, { at, text }: Line): boolean {
  return STATE.test(text) && above?.at === at - 1 && above.text === text;
}

/** Whether two names have different titles: what is wrong with several files may have one name. */
function areBelowOthers(one: ShownName, other: ShownName): boolean {
  const haveTitles = one.title !== undefined && other.title !== undefined;
  return haveTitles && one.title !== other.title;
}

/** @param titles the positions of names with something below them */
export function shownNames(lines: readonly Line[], titles: ReadonlySet<number> = new Set()): ShownName[] {
  const isName = ({ at, text }: Line) => classificationOf(text) === 'failedTest' || titles.has(at);
  const isTitle = (line: Line, next: Line | undefined) =>
    next !== undefined && isName(next) && indentOf(next.text) > indentOf(line.text);
  return lines.flatMap((line, index) => {
    if (!isName(line)) return [];
    const below = lines.slice(index + 1, index + MAX_NAME_LINES);
    const next = below.find(({ text }) => text !== '');
    // What has gone wrong may be at the left edge, but the heading of another file, or of other tests, is about that.
    const isBelow = (other: Line) =>
      indentOf(other.text) > indentOf(line.text) ||
      (other.at === line.at + 1 &&
        !separatorIn(other.text)?.title &&
        classificationOf(other.text) !== 'summary' &&
        (indentOf(other.text) === indentOf(line.text) ||
          (fileHeading(other.text) === undefined && !isTitle(other, below[1]))));
    const isBare =
      !titles.has(line.at) && (!next || next.at > line.at + MAX_BELOW || !isBelow(next) || isName(next));
    const above = lines[index - 1];
    const hasTitle = above && above.at === line.at - 1 && above.text !== '' && isTitle(above, line);
    const title = hasTitle ? above.text : undefined;
    return [{ line, name: wholeName(line, below), ordinal: ORDINAL.exec(line.text)?.[1], isBare, title }];
  });
}

export function isSameTest({ name, ordinal }: ShownName, whole: ShownName): boolean {
  const isOther = ordinal !== undefined && whole.ordinal !== undefined && ordinal !== whole.ordinal;
  return !isOther && isEndOf(name, whole.name);
}

/** The name of a test that is on several lines, of which the last one ends with a colon. */
function wholeName({ text }: Line, below: readonly Line[]): string {
  const end = ORDINAL.test(text) ? below.findIndex((line) => introducesNext(line.text)) : -1;
  const rest = below.slice(0, end + 1).map((line) => line.text.trim().replace(PLACE_OF_TEST, ''));
  const first = testNameIn(text).replace(DIAGNOSTIC, '').replace(QUOTES, '$2');
  return [first, ...rest].join(' ').replace(/:$/, '');
}

/** Whether a longer name ends with a shorter one, after something that separates names. */
function isEndOf(name: string, whole: string): boolean {
  return whole === name || (whole.endsWith(name) && /[^\w]$/.test(whole.slice(0, -name.length)));
}
