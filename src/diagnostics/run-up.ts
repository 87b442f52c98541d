import { classificationOf } from './classify.ts';
import { hasDetails, type Line, type StoredFailure } from './failure.ts';
import { saysFault } from './lists.ts';
import { withoutPrefix } from './prefix.ts';
import { SEVERITY } from './rules.ts';
import { isCode, isDetail, isProgress, isValue, namesLine, namesPlace, repairs } from './structure.ts';

/** What was done last may be what failed. */
const NEAR_LINES = 3;
/** A file, an address, a number behind its name or with a unit, or a text in quotation marks. */
const DATUM = /[\w-]\.[a-z]\w{0,7}\b|\w\/\w|[:=]\s*\S*\d|\d\s?(?:%|[kKMGT]i?B\b)|["'`‘“«]\S/;
/** A part of a diff, of a listing or of a command line. */
const PART = /^\s*(?:[-+$>|]|@@|\d+[.:)]?\s)/;
/** A step that ended. */
const ENDED = /^\W*(?:Started|Finished|Completed) /i;
/** The time of day, which some runners of tasks put before each line. */
const TIME = /^\[\d\d:\d\d:\d\d\] /;

/**
 * Where the first lines of an output say only what was done before something failed. Where no failure says why, or where,
 * they may.
 */
export function runUpIn(lines: readonly Line[], failures: readonly StoredFailure[]): ReadonlySet<number> {
  const isExplained = ({ severity, block }: StoredFailure) =>
    severity >= SEVERITY.thrown && (hasDetails(block) || namesPlace(block.headline.text));
  if (!failures.some(isExplained)) return new Set();
  const first = Math.min(...failures.flatMap(({ block }) => block.lines.map(({ at }) => at)));
  const before = lines.filter(({ at, text }) => at < first - NEAR_LINES && text !== '');
  return new Set(before.filter(({ text }) => isStep(text)).map(({ at }) => at));
}

function isStep(text: string): boolean {
  const said = withoutPrefix(text).replace(TIME, '');
  const mayBeFact = [isCode, isDetail, isValue, namesLine, repairs, saysFault];
  return (
    classificationOf(text) === 'plain' &&
    !PART.test(said) &&
    !mayBeFact.some((question) => question(said)) &&
    (isProgress(said) || ENDED.test(said) || !DATUM.test(said))
  );
}
