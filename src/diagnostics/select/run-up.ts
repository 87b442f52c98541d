import { hasDetails, type Line, positionsOf, type StoredFailure } from '../failures/failure.ts';
import { areItems, saysFault } from '../failures/lists.ts';
import { stepTitlesIn } from '../failures/step-titles.ts';
import { saysNothingWrong } from '../failures/steps.ts';
import { Vocabulary } from '../failures/vocabulary.ts';
import { classificationOf } from '../lines/classify.ts';
import { repairs } from '../lines/pointers.ts';
import { prefixOf, withoutPrefix } from '../lines/prefix.ts';
import { SEVERITY } from '../lines/rules.ts';
import { isCode, isDetail, isProgress, isValue, namesLine } from '../lines/structure.ts';
import type { Material } from './material.ts';

/** What was done last may be what failed, and a title so far above a failure may be its own. */
const NEAR_LINES = 3;
/** Headings further above a failure are those of other lines too. */
const LEAD_LINES = 8;
/** A file, an address, a number behind its name or with a unit, or a text in quotation marks. */
const DATUM = /[\w-]\.[a-z]\w{0,7}\b|\w\/\w|[:=]\s*\S*\d|\d\s?(?:%|[kKMGT]i?B\b)|(?<!\p{L})["'`‘“«]\S/u;
/** How a random run is repeated. */
const SEED = /\bseed\b/i;
/** A setting, or what was found of the machine: its name, and its value. Among so many in a row, none is about a failure. */
const SETTING = /^\s*([A-Za-z][\w ()/.-]*[\w)])\s*[:=]\s+\S/;
const MIN_SETTINGS = 3;
/** A part of a diff, of a listing or of a command line. */
const PART = /^\s*(?:[-+$>|]|@@|\d+[.:)]?\s)/;
/** Before a line of a log. */
const STAMP = /\d:\d\d/;
/** A step that ended. */
const ENDED = /^\W*(?:Started|Finished|Completed) /i;
/** What some runners put before each line: the time of day, and the part that runs, or a bullet. */
const MARGIN = /^(?:\[\d\d:\d\d:\d\d\]|\d\d:\d\d:\d\d \[[\w-]+\]|[・·•]) /;

/** A step that begins, or has ended: `applying db/002.sql`, `applied db/002.sql in 1 ms`. */
const BEGINS = /^\W*\w+ing\b/;
const HAS_ENDED = /^\W*(?!(?:fail|abort|reject|refus|cancel|interrupt)ed\b)(?:\w+ed|built|done|sent)\b/i;
/** What a step is about. */
const PATH = /\w[./]\w/;

/** What a step says that has ended well; it may go on with what to do next. */
const SUCCESS =
  /^(?!.*\b(?:not?|un|without|if|when|until|once)\b)(?:.*\bsuccess(?:ful(?:ly)?)?\b|(?:created|built) .*\bin [\d.]+ ?m?s$)/i;

/**
 * Where the first lines of an output say only what was done before something failed. Where no failure says why, or where,
 * they may, except for those of steps that have ended.
 */
export function runUpIn(
  lines: readonly Line[],
  { failures, lists, unrelated, outline }: Material,
): ReadonlySet<number> {
  if (!failures.some(({ severity }) => severity >= SEVERITY.tagged)) return new Set();
  const isSure = failures.some(isExplained);
  const related = failures.filter(({ block: { headline } }) => !unrelated.has(headline.text));
  const failed = startOf(severeOf(failures, unrelated));
  const above = lines.filter(({ at, text }) => at < failed - 1 && text !== '');
  const clean = above.findLast(({ text }) => saysNothingWrong(withoutPrefix(text)))?.at ?? -1;
  const { end: ended, unfinished } = pathStepsIn((outline.all ?? above).filter(({ at }) => at < failed));
  const done =
    above.findLast(({ text }) => (isFree(text) || isPassed(text)) && SUCCESS.test(saidIn(text)))?.at ?? -1;
  // What a step has warned of that ended well did not make the next one fail.
  const main = related.filter(
    ({ severity, block }) => severity > SEVERITY.warning || block.headline.at > done,
  );
  const own = positionsOf(main);
  const before = above.filter(({ at }) => !own.has(at));
  if (before.length === 0) return new Set();
  const warned = positionsOf(related.filter((stored) => !main.includes(stored)));
  const settings = settingsIn(before);
  const vocabulary = new Vocabulary(main.map(({ block }) => block));
  const isApart = (line: Line) =>
    (STAMP.test(prefixOf(line.text)) || settings.has(line)) &&
    !vocabulary.hasNameOf(line) &&
    !vocabulary.hasWordsOf(line, 1);
  const isOfStep = (line: Line) => line.at <= done && !vocabulary.hasNameOf(line);
  const isFar = ({ at }: Line) => at < failed - NEAR_LINES;
  // A script went on after the steps above the one that has failed.
  const began = [...stepTitlesIn(outline.all ?? []).keys()].findLast(({ at }) => at < failed)?.at ?? -1;
  const isRunUp = (line: Line) => {
    const { at, text } = line;
    if (at === unfinished?.at) return false;
    if (at < began && isFree(text)) return !vocabulary.hasNameOf(line);
    if (at <= ended && classificationOf(text) === 'plain') return !vocabulary.hasNameOf(line);
    if (!isSure) return false;
    if (at === clean || (at < clean && classificationOf(text) === 'plain')) return true;
    if (areItems(lists, at, at)) return false;
    if (warned.has(at)) return isOfStep(line);
    return (
      isFree(text) && (isStep(text) || isOfStep(line) || isApart(line) || (isFar(line) && isTitle(text)))
    );
  };
  return new Set(before.filter(isRunUp).map(({ at }) => at));
}

/** The level of a record. */
const LEVEL = /^(?:INFO|DEBUG|NOTICE):? +/;

/** Steps that say with one path that they begin, and that they have ended. */
interface PathSteps {
  /** Where the last one has ended; -1 if none has. */
  readonly end: number;
  /** The last one that has begun and not ended, where others have. */
  readonly unfinished: Line | undefined;
}

function pathStepsIn(above: readonly Line[]): PathSteps {
  const begun = new Map<string, Line>();
  let end = -1;
  for (const line of above) {
    const said = saidIn(line.text).replace(LEVEL, '');
    const path = said.split(' ').find((word) => PATH.test(word)) ?? '';
    if (path === '') continue;
    if (BEGINS.test(said)) begun.set(path, line);
    else if (begun.has(path) && HAS_ENDED.test(said)) {
      begun.delete(path);
      end = line.at;
    }
  }
  const unfinished = [...begun.values()].findLast(({ at }) => at > end);
  return { end, unfinished: end === -1 ? undefined : unfinished };
}

/** The step that has begun above the first failure and has not ended, where others have. */
export function unfinishedStepIn({ failures, outline, unrelated }: Material): Line | undefined {
  const all = outline.all ?? [];
  const failed = startOf(severeOf(failures, unrelated));
  const above = all.filter(({ at, text }) => at < failed && text !== '');
  // The stream that has the steps may be read later than the one with the failure.
  return pathStepsIn(above.length > 0 ? above : all).unfinished;
}

function severeOf(failures: Material['failures'], unrelated: Material['unrelated']): StoredFailure[] {
  return failures.filter(
    ({ severity, block: { headline } }) => severity > SEVERITY.warning && !unrelated.has(headline.text),
  );
}

/** Where the first failure begins, with the headings right above it. */
function startOf(failures: readonly StoredFailure[]): number {
  return Math.min(
    ...failures.map(({ block: { headline, lines } }) => {
      const lead = lines.find(({ at }) => headline.at - at <= LEAD_LINES);
      return Math.min(headline.at, lead?.at ?? headline.at);
    }),
  );
}

/** Whether a failure says why, or where. */
function isExplained({ severity, block }: StoredFailure): boolean {
  const { headline, lines } = block;
  if (severity === SEVERITY.failedTest && lines.some(({ at, text }) => at > headline.at && text !== ''))
    return true;
  if (severity >= SEVERITY.thrown && hasDetails(block)) return true;
  return lines.some(
    ({ at, text }) =>
      (severity >= SEVERITY.thrown || (severity === SEVERITY.tagged && at > headline.at)) && namesLine(text),
  );
}

function isPassed(text: string): boolean {
  return classificationOf(text) === 'passed';
}

/** Whether a line may be left out: it is no part of something, no fact, and no advice. */
function isFree(text: string): boolean {
  const said = saidIn(text);
  const mayBeFact = [isCode, isDetail, isValue, namesLine, repairs, saysFault];
  return (
    classificationOf(text) === 'plain' && !PART.test(said) && !mayBeFact.some((question) => question(said))
  );
}

/** Whether a line says what is being done, or that it ended. */
function isStep(text: string): boolean {
  const said = saidIn(text);
  return isProgress(said) || ENDED.test(said);
}

/** The settings that others are next to; lines of one name are what a program says again and again. */
function settingsIn(lines: readonly Line[]): ReadonlySet<Line> {
  const settings = new Set<Line>();
  const row = new Map<string, Line>();
  let last = 0;
  for (const line of lines) {
    const name = SETTING.exec(saidIn(line.text))?.[1]?.replace(/\d+/g, '');
    if (name === undefined || row.has(name) || line.at !== last + 1) row.clear();
    last = line.at;
    if (name !== undefined && !SEED.test(name)) row.set(name, line);
    if (row.size >= MIN_SETTINGS) for (const setting of row.values()) settings.add(setting);
  }
  return settings;
}

/** Whether a line has nothing but words; right above a failure it may be its title. */
function isTitle(text: string): boolean {
  const said = saidIn(text);
  return !DATUM.test(said) && !SEED.test(said);
}

function saidIn(text: string): string {
  return withoutPrefix(text).replace(MARGIN, '');
}
