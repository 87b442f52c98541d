import { classificationOf } from './classify.ts';
import { hasDetails, type Line, type StoredFailure } from './failure.ts';
import { saysFault } from './lists.ts';
import { repairs } from './pointers.ts';
import { prefixOf, withoutPrefix } from './prefix.ts';
import { SEVERITY } from './rules.ts';
import { isCode, isDetail, isProgress, isValue, namesLine } from './structure.ts';
import { Vocabulary } from './vocabulary.ts';

/** What was done last may be what failed, and a title so far above a failure may be its own. */
const NEAR_LINES = 3;
/** A file, an address, a number behind its name or with a unit, or a text in quotation marks. */
const DATUM = /[\w-]\.[a-z]\w{0,7}\b|\w\/\w|[:=]\s*\S*\d|\d\s?(?:%|[kKMGT]i?B\b)|["'`‘“«]\S/;
/** A part of a diff, of a listing or of a command line. */
const PART = /^\s*(?:[-+$>|]|@@|\d+[.:)]?\s)/;
/** Before a line of a log. */
const STAMP = /\d:\d\d/;
/** A step that ended. */
const ENDED = /^\W*(?:Started|Finished|Completed) /i;
/** The time of day, which some runners of tasks put before each line, and the part that runs. */
const TIME = /^(?:\[\d\d:\d\d:\d\d\]|\d\d:\d\d:\d\d \[[\w-]+\]) /;

/** What a tool says at the end that has found nothing wrong. */
const NOTHING_WRONG =
  /^\W*(?:Success: no issues found\b|All done!|All checks passed!|All matched files use\b|Your code has been rated at 10\.00\/10|OK \(\d+ tests?\b|\d+ passed\b(?!.*\b(?:failed|error)))/;

/**
 * Where the first lines of an output say only what was done before something failed. Where no failure says why, or where,
 * they may.
 */
export function runUpIn(lines: readonly Line[], failures: readonly StoredFailure[]): ReadonlySet<number> {
  const saysMore = ({ severity, block: { headline, lines } }: StoredFailure) =>
    severity === SEVERITY.failedTest && lines.some(({ at, text }) => at > headline.at && text !== '');
  const isExplained = (failure: StoredFailure) =>
    saysMore(failure) ||
    (failure.severity >= SEVERITY.thrown &&
      (hasDetails(failure.block) || namesLine(failure.block.headline.text)));
  const first = Math.min(...failures.map(({ block: { headline, lines } }) => lines[0]?.at ?? headline.at));
  const before = lines.filter(({ at, text }) => at < first - 1 && text !== '');
  if (before.length === 0 || !failures.some(isExplained)) return new Set();
  const vocabulary = new Vocabulary(failures.map(({ block }) => block));
  const passed = before.findLast(({ text }) => NOTHING_WRONG.test(withoutPrefix(text)));
  const isRunUp = (line: Line) =>
    isOfPassedStep(line, passed) ||
    (isFree(line.text) &&
      (isStep(line.text) ||
        isApart(line, vocabulary) ||
        (line.at < first - NEAR_LINES && isTitle(line.text))));
  return new Set(before.filter(isRunUp).map(({ at }) => at));
}

/** Whether a line is above the result of a step that has passed. */
function isOfPassedStep({ at, text }: Line, result: Line | undefined): boolean {
  if (!result || at > result.at) return false;
  return at === result.at || classificationOf(text) === 'plain';
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

/** Whether a line of a log is about something else than the failures. */
function isApart(line: Line, vocabulary: Vocabulary): boolean {
  const isLogged = STAMP.test(prefixOf(line.text));
  return isLogged && !vocabulary.hasNameOf(line) && !vocabulary.hasWordsOf(line, 1);
}

/** Whether a line has nothing but words; right above a failure it may be its title. */
function isTitle(text: string): boolean {
  return !DATUM.test(saidIn(text));
}

function saidIn(text: string): string {
  return withoutPrefix(text).replace(TIME, '');
}
