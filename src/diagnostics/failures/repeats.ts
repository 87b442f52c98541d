import { classificationOf, severityOf } from '../lines/classify.ts';
import { templateOf } from '../lines/likeness.ts';
import { prefixOf, taskOf, withoutPrefix } from '../lines/prefix.ts';
import { SEVERITY } from '../lines/rules.ts';
import { isFrame } from '../lines/stack-frames.ts';
import {
  introducesNext,
  isCaret,
  isChained,
  isDetail,
  isItem,
  isTraceback,
  isValue,
  namesPlace,
  separatorIn,
} from '../lines/structure.ts';
import {
  type FailureBlock,
  type Line,
  normalized,
  PRIORITY,
  type Priority,
  type StoredFailure,
  valuesOf,
} from './failure.ts';

/** A shorter line, such as a bracket, may be repeated without saying the same. */
export const MIN_REPEATED = 16;
/** Fewer lines in a row that were printed before may be about something else. */
const MIN_LINES = 3;
/** The mark in their place would take as much space. */
const MIN_SAVED = 2;
/** How far the first print may be ahead of the second, which lacks what was cut from it. */
const REACH = 12;
/** Lines left out between two lines that are about different things. */
const GAP = 3;
/** A further attempt. */
const ATTEMPT = /^\s*(?:Retry|Attempt) #\d+\b/;
/** What frameworks and boxes put before the lines of one print, and not of another; but a pointer points by its column. */
const MARGIN = /^(?:E(?=\s{2})|[\s│|])+(?=[^\s│|^~─])/;
const BOX_END = /(?<!\s)\s*[│|]$/;
/** What a build tool puts before each line of an error that it reports again, unless little is behind it. */
const TAG = /^\[(?:ERROR|error)\] ?(?=.{16})/;

/** Where more about an error is: `Error Context: results/cart.md`. */
const FILE = /^\s*(?:\w+ )*\w+: \S+\/\S+$/;

/** Lines in a row that were printed before. */
interface Run<L> {
  readonly lines: L[];
  /** Where the first of them was printed before. */
  readonly first: number;
  /** Where the last one was. */
  last: number;
}

/**
 * Without what was printed again in the same order: by a further attempt that failed in the same way, or by a summary.
 * What goes on with something new stays, and so do the error and the place that two failures have in common.
 *
 * @param failures those that the lines are about; undefined if all lines are about one
 */
export function withoutRepeats<L extends Line>(
  lines: readonly L[],
  failures?: readonly StoredFailure[],
): L[] {
  const places = new Map<string, number[]>();
  const partOf = failures && partsOf(lines, failures);
  const kept: L[] = [];
  let run: Run<L> | undefined;
  let isFurther = false;
  for (const [index, line] of lines.entries()) {
    isFurther = ATTEMPT.test(line.text) || (isFurther && !namesFailedTest(line.text));
    // A further attempt has other numbers, such as those of what it has created.
    const said = isFurther ? numberless(saidBy(line.text)) : saidBy(line.text);
    // A second print may be indented, which moves a caret.
    const isPart = said === '' || isCaret(withoutPrefix(line.text));
    const next = run && (isPart ? run.last : nextPlace(places.get(said), run.last));
    if (run && next !== undefined) {
      run.lines.push(line);
      run.last = next;
    } else {
      if (run) kept.push(...unrepeated(run, lines[run.first], line, partOf));
      run = startOfRun(line, said, places);
      if (run?.lines.length !== 1) kept.push(line);
    }
    for (const key of new Set([said, numberless(said)])) {
      const known = places.get(key);
      if (known) known.push(index);
      else if (key !== '') places.set(key, [index]);
    }
  }
  if (run) kept.push(...unrepeated(run, lines[run.first], undefined, partOf));
  return kept;
}

/** A shorter reason may be that of two tests by chance. */
const MIN_REASON = MIN_REPEATED;
/** From so many tests on, only the first one shows why they failed. */
const MIN_COMMON = 3;

/**
 * Why a test failed: what is wrong, with its values, normalized. Several tests may have failed for one reason, such as a
 * module that all of them load. Empty if nothing below its name says it.
 */
function reasonOf({ block }: StoredFailure): string {
  if (block.severity !== SEVERITY.failedTest) return '';
  const { headline, lines } = block;
  const reason = lines
    .filter(
      ({ at, priority, text }) => at > headline.at && priority === PRIORITY.error && !namesFailedTest(text),
    )
    .map(({ text }) => normalized(text))
    .concat(valuesOf(block))
    .join('\n');
  return reason.length < MIN_REASON ? '' : reason;
}

/** Tests that failed for the reason of one above. */
export interface SameReasons {
  /** Where their headlines are. */
  readonly headlines: ReadonlySet<number>;
  /** Where they say what the first one says. */
  readonly said: ReadonlySet<number>;
  /** Where they are, below their headlines. */
  readonly below: ReadonlySet<number>;
  /** The headlines of those that say no more than how many there are. */
  readonly further: ReadonlySet<number>;
}

/** Of so many tests that failed for one reason, at one place, so many are named. */
const MANY_OF_REASON = 10;
const NAMED_OF_REASON = 5;

export function sameReasonsIn(failures: readonly StoredFailure[]): SameReasons {
  const firsts = new Map<string, ReadonlySet<string>>();
  const headlines = new Set<number>();
  const [said, below] = [new Set<number>(), new Set<number>()];
  const byPlace = new Map<string, number[]>();
  for (const stored of failures) {
    const { headline, lines, dropped = [] } = stored.block;
    const reason = reasonOf(stored);
    const first = firsts.get(reason);
    if (reason === '') continue;
    if (!first) {
      firsts.set(reason, new Set(lines.map(({ text }) => normalized(text))));
      continue;
    }
    headlines.add(headline.at);
    const place = lines.find(({ at, text }) => at > headline.at && namesPlace(text))?.text ?? headline.text;
    const key = `${reason}\n${place}`;
    byPlace.set(key, [...(byPlace.get(key) ?? []), headline.at]);
    for (const at of dropped) below.add(at);
    for (const { at, text } of lines.filter((line) => line.at > headline.at)) {
      below.add(at);
      if (text === '' || first.has(normalized(text))) said.add(at);
    }
  }
  const many = [...byPlace.values()].filter(({ length }) => length >= MANY_OF_REASON);
  const further = new Set(many.flatMap((others) => others.slice(NAMED_OF_REASON)));
  return { headlines, said, below, further };
}

function namesFailedTest(text: string): boolean {
  return classificationOf(text) === 'failedTest';
}

/** With what made several tests fail shown once, with their number, if nothing else but a place is said of the others. */
export function withCommonReasons(lines: readonly Line[], failures: readonly StoredFailure[]): Line[] {
  const partOf = partsOf(lines, failures);
  const reasons = new Map<
    string,
    { readonly first: Line; readonly frames: Set<string>; readonly others: Line[] }
  >();
  for (const [index, line] of lines.entries()) {
    const part = partOf(line);
    if (part?.failure.severity !== SEVERITY.failedTest || part.failure.headline.at === line.at) continue;
    if (part.priority !== PRIORITY.error || line.text.trim().length < MIN_REPEATED) continue;
    const known = reasons.get(line.text);
    const end = lines.findIndex((next, at) => at > index && partOf(next)?.failure !== part.failure);
    const rest = lines.slice(index + 1, end === -1 ? lines.length : end);
    const frames = rest.filter(({ text }) => isFrame(text));
    if (!known)
      reasons.set(line.text, { first: line, frames: new Set(frames.map(({ text }) => text)), others: [] });
    else if (rest.every((other) => other.text === '' || frames.includes(other) || FILE.test(other.text)))
      known.others.push(line, ...frames.filter(({ text }) => known.frames.has(text)));
  }
  const timesOf = ({ text }: Line) =>
    failures.filter(({ block }) => block.lines.some((line) => line.text === text)).length;
  const isOnlyPrint = ({ text }: Line, others: readonly Line[]) =>
    lines.filter((line) => line.text === text).length ===
    others.filter((line) => line.text === text).length + 1;
  // Where the lines of the other tests were left out before, two are enough.
  const common = [...reasons.values()].filter(
    ({ first, others }) =>
      isOnlyPrint(first, others) && timesOf(first) >= (others.length === 0 ? 2 : MIN_COMMON),
  );
  const redundant = new Set(common.flatMap(({ others }) => others));
  const firsts = new Set(common.map(({ first }) => first));
  return lines
    .filter((line) => !redundant.has(line))
    .map((line) => (firsts.has(line) ? { ...line, text: `${line.text} (×${timesOf(line)})` } : line));
}

/** A service that runs a command again if it fails. */
const RETRY = /^(?!\s).*\b(?:[Rr]etry(?:ing)?|[Aa]ttempt),? #?\d+ ?(?:of|\/) ?\d+\b|^Attempt \d+ failed\b/;

const FIRST_ATTEMPT = /\battempt,? #?1\b/i;

/** Without what a further attempt prints again, also with other numbers, unless these are what is wrong. */
export function withoutRetries(lines: readonly Line[]): Line[] {
  const attempts = lines.filter(({ text }) => RETRY.test(text));
  const [first] = attempts;
  if (!first || (attempts.length === 1 && FIRST_ATTEMPT.test(first.text))) return [...lines];
  const start = lines.indexOf(first);
  const seen = new Set<string | number>();
  const isNew = ({ text }: Line) => {
    const isWrong = severityOf(classificationOf(text)) >= SEVERITY.thrown && !RETRY.test(text);
    // Another line of the same function is another frame.
    const isExact = isWrong || isDetail(text) || isValue(text) || isFrame(text);
    const key = isExact ? normalized(text) : templateOf(text);
    return !seen.has(key) && seen.add(key);
  };
  return lines.filter(
    (line, index) =>
      isNew(line) || index < start || line.text === '' || isChained(line.text) || isTraceback(line.text),
  );
}

/** Without the heading of a further attempt with nothing of its own below. */
export function withoutAttempts(lines: readonly Line[]): Line[] {
  const goesOn = ({ at }: Line, index: number) =>
    lines.slice(index + 1).some((next) => next.text !== '' && next.at - at <= GAP);
  return lines.filter((line, index) => !ATTEMPT.test(line.text) || goesOn(line, index));
}

interface Part {
  readonly failure: FailureBlock;
  readonly priority: Priority;
}

/** The part of a failure that a line is, if any. */
type PartOf = (line: Line | undefined) => Part | undefined;

function partsOf(lines: readonly Line[], failures: readonly StoredFailure[]): PartOf {
  const shown = new Set(lines.map(({ at }) => at));
  const parts = new Map<number, Part>();
  for (const { block: failure } of failures)
    for (const { at, priority } of failure.lines) if (shown.has(at)) parts.set(at, { failure, priority });
  return (line) => line && parts.get(line.at);
}

/** A line without its margin, and without the time in its prefix. */
export function saidBy(text: string): string {
  const prefix = prefixOf(text);
  const said = text.slice(prefix.length).replace(TAG, '').replace(MARGIN, '').replace(BOX_END, '').trimEnd();
  return taskOf(prefix) + said;
}

function numberless(said: string): string {
  return said.replace(/\d+/g, '0');
}

function saysEnough({ text }: Line): boolean {
  return saidBy(text).length >= MIN_REPEATED;
}

/** A summary may put the name of the test before what is repeated: such a line says more, and is no part of the run. */
function startOfRun<L extends Line>(
  line: L,
  said: string,
  places: ReadonlyMap<string, number[]>,
): Run<L> | undefined {
  if (!saysEnough(line)) return undefined;
  const [whole] = places.get(said) ?? [];
  if (whole !== undefined) return { lines: [line], first: whole, last: whole };
  const [end] = places.get(said.slice(said.indexOf(' - ') + 3)) ?? [];
  return end === undefined ? undefined : { lines: [], first: end, last: end };
}

function nextPlace(places: readonly number[] | undefined, last: number): number | undefined {
  return places?.find((place) => place > last && place <= last + REACH);
}

/** What stays of a run. @param before its first line, as it was printed before @param next the line after it */
function unrepeated<L extends Line>(
  { lines: run }: Run<L>,
  before: L | undefined,
  next: L | undefined,
  partOf: PartOf | undefined,
): L[] {
  const repeated = partOf ? run.slice(0, startOfNext(run, next, partOf)) : run;
  const isOfSame = partOf?.(run[0])?.failure === partOf?.(before)?.failure;
  const own = partOf && !isOfSame ? errorsIn(repeated, partOf) : [];
  const saved = repeated.filter((line) => saysEnough(line) && !own.includes(line)).length;
  if (repeated.filter(saysEnough).length < MIN_LINES || saved < MIN_SAVED) return run;
  return [...own, ...run.slice(repeated.length)];
}

/** What is wrong, and where. */
function errorsIn<L extends Line>(lines: readonly L[], partOf: PartOf): L[] {
  const headline = partOf(lines[0])?.failure.headline.text ?? '';
  const place = namesPlace(headline) ? undefined : lines.find(({ text }) => namesPlace(text));
  // One with a place was a failure of its own.
  const isPlaceOnly = place && (classificationOf(place.text) !== 'located' || introducesNext(place.text));
  const isError = ({ at, text }: L) =>
    partOf({ at, text })?.priority === PRIORITY.error &&
    ![isFrame, namesPlace].some((question) => question(text)) &&
    !(TAG.test(text) && isDetail(saidBy(text))) &&
    !isItem(text);
  return lines.filter((line) => isError(line) || (isPlaceOnly && line === place));
}

/** Where in a run something begins that the next line goes on with. */
function startOfNext(run: readonly Line[], next: Line | undefined, partOf: PartOf): number {
  // A stack, and the name of a file, say where, which is not what is wrong.
  if (!next || isFrame(next.text) || FILE.test(next.text)) return run.length;
  const failure = partOf(next)?.failure;
  if (failure) {
    const start = run.findIndex((line) => partOf(line)?.failure === failure);
    return start === -1 ? run.length : start;
  }
  const last = run.at(-1);
  const isApart = !last || next.at - last.at > GAP || taskOf(last.prefix) !== taskOf(next.prefix);
  const isNew =
    isApart || last.text === '' || classificationOf(next.text) !== 'plain' || separatorIn(next.text);
  if (isNew) return run.length;
  return Math.max(
    0,
    run.findLastIndex(({ text }) => severityOf(classificationOf(text)) > SEVERITY.mentioned),
  );
}
