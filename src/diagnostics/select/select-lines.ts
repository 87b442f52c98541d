import { saysNothing } from '../failures/consequences.ts';
import { leastCovered } from '../failures/coverage.ts';
import {
  crashedTestIn,
  lastOfStoppedTests,
  loggedBeforeCrash,
  panickedTestsIn,
} from '../failures/crashed-test.ts';
import {
  type FailureBlock,
  hasDetails,
  type Line,
  PRIORITY,
  positionsOf,
  type StoredFailure,
} from '../failures/failure.ts';
import { saysFault } from '../failures/lists.ts';
import { isNoise, isOnTheWay, saysSomething } from '../failures/noise.ts';
import type { Outline } from '../failures/outline.ts';
import { FLAKY } from '../failures/passed-blocks.ts';
import { addressesFor } from '../failures/servers.ts';
import { stepTitlesIn } from '../failures/step-titles.ts';
import { isCommand, lastAlike, unnamedWorkspacesIn } from '../failures/steps.ts';
import { Vocabulary } from '../failures/vocabulary.ts';
import { classificationOf } from '../lines/classify.ts';
import { shapeOf } from '../lines/likeness.ts';
import { prefixOf, taskOf, withoutPrefix } from '../lines/prefix.ts';
import { SEVERITY } from '../lines/rules.ts';
import { indentOf, isCode, isPlacePointer, namesPlace } from '../lines/structure.ts';
import { silenceLine } from '../output/silences.ts';
import { type Candidates, candidatesOf, isOwn, isPlaced } from './candidates.ts';
import type { Material } from './material.ts';
import { unfinishedStepIn } from './run-up.ts';
import { MARK_CHARACTERS, Selection } from './selection.ts';
import { besideSilentTests } from './silent-tests.ts';
import { isRecord, saysFailure } from './warnings.ts';

/** So many are worth reading, each with its own values. */
const FEW_FAILURES = 32;
/** The share of an excerpt that one failure may take: the first of a severity, the last, one of a kind, any other. */
const LEADING_SHARE = 0.48;
const LAST_SHARE = 0.35;
const KIND_SHARE = 0.16;
const OTHER_SHARE = 0.2;
/** The share of a failure that is less severe than others. */
const MINOR_SHARE = 0.08;
/** A message and a place have space in any share. */
const MIN_ESSENCE = 120;
/** How full an excerpt may become by each sort of lines. */
const UP_TO = {
  lastLines: 0.3,
  closing: 0.25,
  /** These four of the maximum instead of the usual size. */
  names: 0.85,
  titles: 0.6,
  findings: 0.4,
  covered: 0.8,
  rest: 0.9,
  minor: 0.75,
  minorAlone: 0.8,
  otherMinor: 0.4,
  unique: 0.7,
  tailAlone: 0.5,
} as const;
const CLOSING_LINES = 6;
/** A command that prints more without an error has passed. */
const MAX_SILENT_LINES = 12;
/** The last lines say how the run ended, whatever they are about, unless more noise is below them; a command always does. */
const LAST_WORDS = 2;
const MAX_BELOW = 6;
/** That of a request that failed, or of a program. */
const STATUS = /\b[45]\d\d\b|\bcrash/i;
/** How many have failed, among others: one count more is no step of a loop. */
const FAILED = /^\s*(?:\d+ (?:failed|failing|errors?)$|Found \d+ errors?\b)/;
/** The result of a test that has logged something, without its name. */
const BARE_RESULT = /^(?:FAIL|ERROR)$/;
/** Counts among the last lines, which reporters may follow with what they have written. */
const VERDICTS = 2;
/** An earlier line does not say how the run ended. */
const END_LINES = 60;
/** Lines right before a crash. */
const LEAD_UP_LINES = 5;
const LEAD_UP_REACH = 20;
const LAST_LINES = 8;
const INFORMATION = /(?<!:)\b(?:INFO|NOTICE|info|notice)\b/;
/** What a server logs so close above the name of a failed test is about that test. */
const LOG_REACH = 3;
/** A file with its path, and nothing but a blank or a colon behind it. */
const FILE = /(?:^|\s)(?:\.{0,2}\/)?(?:[\w@.+~-]+\/)+[\w@+~-][\w@.+~-]*\.[A-Za-z]\w{0,7}(?=$|[\s:])/;

/**
 * Selects the lines of an excerpt, the most important first, until it is full.
 *
 * @param hung whether the command was stopped: then its last lines say most
 */
export function selectLines(
  material: Material,
  maxCharacters: number,
  hung: boolean,
  kept: readonly Line[] = [],
): Selection {
  const selection = new Selection(maxCharacters, material.failures);
  // No line fits. Callers ask for such an excerpt to learn how long the text around it is.
  if (maxCharacters <= MARK_CHARACTERS) return selection;
  selection.add(kept, maxCharacters);
  const candidates = candidatesOf(material);
  const { highest } = material;
  if (hung) addLast(selection, material);
  addEnding(selection, material, candidates);
  addMain(selection, candidates, material);
  addFurther(selection, material, candidates);
  if (highest < SEVERITY.tagged) addEdges(selection, material, candidates);
  // Where no line is sure to say what is wrong, any may.
  if (highest < SEVERITY.thrown) addRest(selection, material, candidates);
  return selection;
}

/** Where the time of a command went that was stopped, and its last lines. */
function addLast(selection: Selection, { outline, timing }: Material): void {
  const limit = selection.full * UP_TO.lastLines;
  for (const silence of timing.silences) selection.add([silence.after, silenceLine(silence)], limit);
  for (const line of lastAlike(outline.tail.filter(isOwn)).slice(-LAST_LINES)) selection.add([line], limit);
}

/** How the run ended. */
function addEnding(selection: Selection, material: Material, { main, closing, earlier }: Candidates): void {
  const { lineCount, highest } = material;
  const limit = selection.full * UP_TO.closing;
  const tasks = main.map(({ block }) => taskOf(prefixOf(block.headline.text)));
  // Beside one that has failed, another task ended well.
  const mayHaveFailed = ({ text }: Line) =>
    tasks.every((task) => task === '') || ['', ...tasks].includes(taskOf(prefixOf(text)));
  const last = closing.filter((line) => line.at >= lineCount - END_LINES && mayHaveFailed(line));
  // What a test says is shown below its name.
  const ofTests = positionsOf(main.filter(({ severity }) => severity === SEVERITY.failedTest));
  // What is printed above the failed tests that say why is the log of others.
  const first = main.find(({ block }) => hasDetails(block))?.block;
  const start = highest < SEVERITY.failedTest ? 0 : (first?.lines[0]?.at ?? 0);
  const isLog = ({ at, text }: Line) => at < start && classificationOf(text) === 'plain';
  const about =
    highest < SEVERITY.thrown ? last : aboutEnd(last, main, lineCount).filter((line) => !isLog(line));
  const unlike = new Set(lastAlike(about));
  const ending = about.filter(
    (line) =>
      (unlike.has(line) || FAILED.test(line.text)) && !ofTests.has(line.at) && !BARE_RESULT.test(line.text),
  );
  const verdicts = ending.filter((line) => isVerdict(line) && !saysNothing(line.text)).slice(-VERDICTS);
  for (const line of [...verdicts, ...lastRecord(material)]) selection.add([line], limit);
  selection.addFirst(flakyIn(material), limit);
  for (const line of silentCommandIn(last, material)) selection.add([line], limit);
  // Behind the counts of a run that failed, reporters say what they have written.
  const verdict = highest >= SEVERITY.failedTest ? ending.findLast(isVerdict)?.at : undefined;
  const isOfEnd = ({ at, text }: Line) =>
    verdict === undefined || at <= verdict || classificationOf(text) !== 'plain';
  for (const line of ending.filter(isOfEnd).slice(-CLOSING_LINES).toReversed()) selection.add([line], limit);
  const isFarAbove = ({ at }: Line) => at < lineCount - END_LINES;
  for (const line of earlier.filter(isFarAbove).toReversed()) selection.add([line], limit);
}

/** The names of tests that passed when they were run again: what is said of them is not why the run failed. */
function flakyIn({ outline: { tail } }: Material): Line[] {
  const start = tail.findIndex(({ text }) => FLAKY.test(text));
  const heading = tail[start];
  if (!heading) return [];
  const isBelow = ({ text }: Line) => indentOf(text) > indentOf(heading.text);
  const below = tail.slice(start + 1);
  const end = below.findIndex((line) => !isBelow(line));
  return [heading, ...below.slice(0, end === -1 ? below.length : end)];
}

/** What the last command has printed, if that is little, and says neither that it failed nor that it passed: it may say why. */
function silentCommandIn(last: readonly Line[], { outline, failures }: Material): Line[] {
  const failed = failures.filter(({ severity }) => severity > SEVERITY.warning);
  const start = last.findLast(({ text }) => isCommand(withoutPrefix(text)))?.at;
  if (start === undefined || failed.some(({ block }) => block.headline.at > start)) return [];
  const lines = last.filter(({ at }) => at > start);
  const isPlain = outline.tail.every(({ at, text }) => at <= start || classificationOf(text) === 'plain');
  return isPlain && lines.length <= MAX_SILENT_LINES ? lines : [];
}

/** What is wrong: what each of a few failures says, the first ones in full, each failed test by name, one of each kind. */
function addMain(
  selection: Selection,
  { main, minor }: Candidates,
  { lists, sameReasons, outline }: Material,
): void {
  const { full, max } = selection;
  // What a linter found is one line: it comes before the details of tests, where both ran.
  for (const { block } of firstOf('kind', [...main, ...minor].filter(isFinding)))
    selection.add([block.headline], max * UP_TO.findings);
  for (const { lines } of lists) selection.addFirst(lines, max * UP_TO.findings);
  for (const title of stepsOf([...main, ...minor], outline)) selection.add([title], max * UP_TO.titles);
  // Each of a few failures says what is wrong before one of them shows its code; what several tests have in common, once.
  const causes = main.filter(({ block }) => !sameReasons.headlines.has(block.headline.at));
  if (causes.length <= FEW_FAILURES)
    for (const stored of causes)
      selection.addBest(essenceOf(stored), Math.max(max / causes.length, MIN_ESSENCE), max);
  for (const stored of firstOf('severity', main)) selection.addBest(stored, full * LEADING_SHARE, full);
  // The names of all failed tests come before the details of some.
  for (const name of namesIn(main)) selection.add([name], max * UP_TO.names);
  for (const { block } of firstOf('kind', main)) selection.add(titleOf(block), max * UP_TO.titles);
  for (const stored of main.slice(-1)) selection.addBest(stored, full * LAST_SHARE, max);
  for (const stored of firstOf('kind', main)) selection.addBest(stored, full * KIND_SHARE, max);
}

/** The titles of the steps that have failures, if these are in several: below another title, one would be of that step. */
function stepsOf(failures: readonly StoredFailure[], { all = [] }: Outline): readonly Line[] {
  const titles = [...stepTitlesIn(all).keys()];
  const steps = new Set(
    failures.flatMap(({ block: { headline } }) => titles.findLast(({ at }) => at < headline.at) ?? []),
  );
  return steps.size > 1 ? [...steps] : [];
}

/** What else is wrong, what led to it, and what may say why. */
function addFurther(
  selection: Selection,
  material: Material,
  { main, minor, closing, unique }: Candidates,
): void {
  const { failures, outline, lists, highest } = material;
  const { full, max } = selection;
  // Without a severe failure, the others get more space.
  const isSure = highest >= SEVERITY.tagged;
  const share = full * (isSure ? MINOR_SHARE : OTHER_SHARE);
  for (const stored of firstOf('severity', minor)) selection.addBest(stored, share, max);
  for (const { lines } of lists) selection.addFirst(lines, max);
  for (const stored of firstOf('message', main)) selection.addBest(stored, full * OTHER_SHARE, max);
  const step = unfinishedStepIn(material);
  if (step) selection.add([step], full);
  const limit = main.length <= FEW_FAILURES ? max : full;
  for (const stored of main) selection.addBest(stored, full * OTHER_SHARE, limit);
  for (const line of addressesFor(failures, outline)) selection.add([line], full);
  for (const line of unnamedWorkspacesIn(outline.all ?? outline.tail, selection.lines()))
    selection.add([line], full);
  for (const row of leastCovered(outline.coverage, failures)) selection.add([row], max * UP_TO.covered);
  for (const lines of besideSilentTests(main, failures, outline)) selection.add(lines, full);
  for (const line of loggedBefore(failures, outline.near)) selection.add([line], full);
  // What is left of the space is for the rest of what a few failures say.
  if (main.length <= FEW_FAILURES)
    for (const stored of main) selection.addBest(stored, full, full * UP_TO.rest);
  selection.add(crashedTestIn(outline, main), full);
  selection.add(panickedTestsIn(outline, main), max);
  selection.add(loggedBeforeCrash(outline, main), full);
  selection.add(lastOfStoppedTests(outline, main), full);
  selection.add(leadUp(main, closing), full);
  for (const stored of [...minor.slice(-1), ...firstOf('kind', minor)])
    selection.addBest(stored, share, full * (isSure ? UP_TO.minor : UP_TO.minorAlone));
  for (const line of unique) selection.add([line], full * (highest < SEVERITY.located ? 1 : UP_TO.unique));
  for (const stored of minor) selection.addBest(stored, share, full * UP_TO.otherMinor);
}

/** The last and the first lines. Where every line is noise, the last ones are all that is known. */
function addEdges(selection: Selection, { outline }: Material, { closing, isOther }: Candidates): void {
  const { full } = selection;
  const closed = closing.length > 0 ? closing : outline.tail.filter(isOther);
  for (const line of closed.toReversed()) if (!selection.add([line], full * UP_TO.tailAlone)) break;
  for (const line of outline.head.filter((each) => isOther(each) && !isNoise(each.text)))
    if (!selection.add([line], full)) break;
}

/** All of a short output that says something. */
function addRest(selection: Selection, { outline }: Material, { isOther }: Candidates): void {
  if (!outline.whole) return;
  const lines = new Map([...outline.head, ...outline.closing].map((line) => [line.at, line]));
  const informative = [...lines.values()].filter((line) => isOther(line) && saysSomething(line.text));
  selection.add(
    informative.filter(({ text }) => !isOnTheWay(text)),
    selection.max,
  );
}

/** A failure with what it says, without the code and what is around it. */
function essenceOf(stored: StoredFailure): StoredFailure {
  const lines = stored.block.lines.filter(({ priority }) => priority >= PRIORITY.detail);
  return { ...stored, block: { ...stored.block, lines } };
}

/** Whether a failure is a line with its place, or its file: what a linter or a compiler found. */
function isFinding({ severity, block }: StoredFailure): boolean {
  const { text } = block.headline;
  const isLine = severity >= SEVERITY.tagged && severity < SEVERITY.failedTest && !hasDetails(block);
  return isLine && (namesPlace(text) || (severity === SEVERITY.tagged && FILE.test(text)));
}

/** The line that says that something failed, and the place below it. */
function titleOf({ headline, lines }: FailureBlock): Line[] {
  const below = lines.find(({ at }) => at > headline.at);
  return below && isPlacePointer(below.text) ? [headline, below] : [headline];
}

/**
 * What a task logged right above the name of a test that failed, which has no prefix, and what the program under test warned
 * of there: a server may say why.
 */
function loggedBefore(failures: readonly StoredFailure[], near: readonly Line[]): Line[] {
  const headlines = (severity: number) =>
    failures.filter((stored) => stored.severity === severity).map(({ block }) => block.headline);
  const tests = headlines(SEVERITY.failedTest).filter(({ text }) => prefixOf(text) === '');
  const isOfTask = ({ text }: Line) => taskOf(prefixOf(text)) !== '';
  const logged = [
    ...near.filter((line) => saysSomething(line.text) && isOfTask(line)),
    ...headlines(SEVERITY.warning).filter((line) => isRecord(line) || isOfTask(line)),
  ];
  return logged.filter(({ at }) => tests.some((test) => at < test.at && at >= test.at - LOG_REACH));
}

/** What a task printed right before it failed at the end of the run: it may say what was being done. */
function leadUp(failures: readonly StoredFailure[], closing: readonly Line[]): Line[] {
  const start = closing[0]?.at ?? 0;
  const failed = failures.find(({ block }) => (block.lines[0]?.at ?? 0) > start);
  const first = failed?.block.lines[0];
  // A test that has failed has a name.
  if (!first || isPlaced(failed) || failed.severity === SEVERITY.failedTest) return [];
  const task = taskOf(prefixOf(first.text));
  const isLeading = ({ at, text }: Line) =>
    at < first.at && at >= first.at - LEAD_UP_REACH && taskOf(prefixOf(text)) === task && saysSomething(text);
  return lastAlike(closing.filter(isLeading)).slice(-LEAD_UP_LINES);
}

/** The last lines without those that are about something else than the failures, such as the files that were written. */
function aboutEnd(last: readonly Line[], failures: readonly StoredFailure[], lineCount: number): Line[] {
  const vocabulary = new Vocabulary(failures.slice(0, FEW_FAILURES).map(({ block }) => block));
  const mayBeFact = (line: Line) =>
    classificationOf(line.text) !== 'plain' ||
    saysFault(line.text) ||
    STATUS.test(line.text) ||
    (!isOnTheWay(line.text) &&
      !isCode(line.text) &&
      (vocabulary.hasNameOf(line) || vocabulary.hasWordsOf(line, 1)));
  const isAtEnd = ({ at, text }: Line, index: number) =>
    index >= last.length - LAST_WORDS && (at >= lineCount - MAX_BELOW || isCommand(withoutPrefix(text)));
  return last.filter((line, index) => isAtEnd(line, index) || mayBeFact(line));
}

function isVerdict({ text }: Line): boolean {
  return classificationOf(text) === 'summary';
}

/** What a logger printed last, unless it has printed others like it: how the program ended. A failure that is sure says that. */
function lastRecord({ outline: { tail }, highest }: Material): Line[] {
  const last = tail.at(-1);
  if (!last || classificationOf(last.text) !== 'chatter' || !INFORMATION.test(last.text)) return [];
  if (highest >= SEVERITY.thrown && !saysFailure(last.text)) return [];
  const shape = shapeOf(last.text);
  return tail.some((line) => line !== last && shapeOf(line.text) === shape) ? [] : [last];
}

/** The name of each failed test: its headline, or the heading above one that others have too. */
function namesIn(failures: readonly StoredFailure[]): Line[] {
  const seen = new Set<string>();
  return failures
    .filter(({ severity }) => severity === SEVERITY.failedTest)
    .map(({ block: { headline, lines } }) => {
      const isNew = !seen.has(headline.text) && seen.add(headline.text);
      const heading = lines.findLast(({ at, text }) => at < headline.at && text !== '');
      return isNew ? headline : (heading ?? headline);
    });
}

/** One of each, the most severe first: among a hundred alike, the one that differs counts. */
function firstOf(key: 'severity' | 'kind' | 'message', failures: readonly StoredFailure[]): StoredFailure[] {
  const seen = new Set<string | number>();
  return failures.toSorted(bySeverity).filter(({ [key]: value }) => !seen.has(value) && seen.add(value));
}

/** Of two of the same severity, the one with details, then the one that came first. */
function bySeverity(a: StoredFailure, b: StoredFailure): number {
  return (
    b.severity - a.severity ||
    Number(hasDetails(b.block)) - Number(hasDetails(a.block)) ||
    a.block.headline.at - b.block.headline.at
  );
}
