import { classificationOf, severityOf } from './classify.ts';
import { type Line, PRIORITY, type StoredFailure } from './failure.ts';
import { saysFault } from './lists.ts';
import { withoutPrefix } from './prefix.ts';
import { SEVERITY } from './rules.ts';
import { isFrame } from './stack-frames.ts';
import { isCode, isDetail, isMember, isValue, namesLine } from './structure.ts';

/** A mark in the place of fewer lines would say less. */
const MIN_LINES = 3;
/** Among so many, also a result says nothing beside an error that is sure. */
const MANY_LINES = 10;
/** Steps of a loop print up to so many lines each. */
const PERIODS = [1, 2] as const;

const HASH = /\b(?=[a-f]*\d)[\da-f]{6,}\b/gi;
const NUMBER = /\d+/g;
const TIME = /\d+:\d\d:\d\d[.,\d]*/g;
const WORDS = /\p{L}{2,}.*\s|\s.*\p{L}{2,}/u;
/** A number behind its name, a share, or the size of a file: a result, which may be what is wrong. */
const MEASURED = /[:=]\s*["'(]?[-+]?\d|\d\s?%|\w\.\w+\s.*\b\d[\d.,]*\s?[kKMGT]i?B\b/;
/** A record of a log. */
const RECORD = /^\{.*\}$/;

/**
 * Without the lines between the first and the last of those that differ in numbers only, such as the steps of a loop:
 * they repeat themselves. What is wrong, its details, code and values stay, and so do names without words around them.
 */
export function withoutAlike(lines: readonly Line[], failures: readonly StoredFailure[]): Line[] {
  const details = new Set(
    failures.flatMap(({ block }) =>
      block.lines.filter(({ priority }) => priority >= PRIORITY.detail).map(({ at }) => at),
    ),
  );
  const isSure = failures.some(({ block }) => block.severity >= SEVERITY.thrown);
  const steps = lines.map(({ at, text }) => (details.has(at) ? undefined : stepOf(text, isSure)));
  const isBetween = (index: number) =>
    steps[index] !== undefined &&
    PERIODS.some((n) => steps[index - n] === steps[index] && steps[index + n] === steps[index]);
  const kept: Line[] = [];
  let between: Line[] = [];
  const endRun = () => {
    const isResult = between.some(({ text }) => isMeasured(text));
    if (between.length < (isResult ? MANY_LINES : MIN_LINES)) kept.push(...between);
    between = [];
  };
  for (const [index, line] of lines.entries()) {
    if (isBetween(index)) between.push(line);
    else {
      endRun();
      kept.push(line);
    }
  }
  endRun();
  return isSure ? lastOfRuns(kept, failures) : kept;
}

/** Without the first of each run of steps: where it is sure what is wrong, only the last says how far the run was. */
function lastOfRuns(lines: readonly Line[], failures: readonly StoredFailure[]): Line[] {
  const ofFailures = new Set(failures.flatMap(({ block }) => block.lines.map(({ at }) => at)));
  const steps = lines.map(({ at, text }) => (ofFailures.has(at) ? undefined : stepOf(text, true)));
  const isFollowed = (index: number) => {
    const step = steps[index];
    if (step === undefined || steps[index + 1] !== step) return false;
    const { at = 0, text = '' } = lines[index] ?? {};
    const left = (lines[index + 1]?.at ?? at) - at - 1;
    if (isMeasured(text)) return left >= MANY_LINES;
    return left >= MIN_LINES || steps[index + 2] === step || steps[index - 1] === step;
  };
  return lines.filter((_, index) => !isFollowed(index));
}

/** A line without its numbers; undefined if it may say what is wrong. @param mayBeResult whether a result is a step */
function stepOf(text: string, mayBeResult: boolean): string | undefined {
  if (!/\d/.test(text) || !WORDS.test(text) || !(mayBeResult ? mayBeNumbered(text) : mayBeStep(text)))
    return undefined;
  return text.replace(HASH, '0').replace(NUMBER, '0');
}

/** Whether a line among others like it may be left out: it names no place, no result and no fault. */
export function mayBeStep(text: string): boolean {
  return mayBeNumbered(text) && (RECORD.test(withoutPrefix(text)) || !isMeasured(text));
}

/** Whether a line names no place and no fault. */
function mayBeNumbered(text: string): boolean {
  const said = withoutPrefix(text);
  const mayBeDetail = [isCode, isDetail, isFrame, isMember, isValue, saysFault];
  return (
    severityOf(classificationOf(text)) === 0 &&
    !mayBeDetail.some((question) => question(said)) &&
    (RECORD.test(said) || !namesLine(said))
  );
}

function isMeasured(text: string): boolean {
  return MEASURED.test(withoutPrefix(text).replace(TIME, ''));
}
