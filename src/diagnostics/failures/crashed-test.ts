import { classificationOf } from '../lines/classify.ts';
import { withoutPrefix } from '../lines/prefix.ts';
import { CAUSES, SEVERITY } from '../lines/rules.ts';
import { isLogged, namesPlace } from '../lines/structure.ts';
import { saysTooLittleCovered } from './coverage.ts';
import type { Line, StoredFailure } from './failure.ts';
import { isAtEarlierEnd, type Outline } from './outline.ts';

/** How far above a crash the last result may be. */
const REACH = 20;
/** How many have passed. */
const COUNTS = /\b\d+ (?:passed|passing|total)\b/;
/** A test began, with its name; its result has the name too. */
const BEGAN = /^(?:\[ ?RUN *\] |=== RUN +)(\S.*)$|^\W*test (?:case )?(\S.*) started\.?$/i;

/**
 * The line of the test that a crash was in: the one that began and has no result. Where no test says that it began, and the
 * crash has no place, the last one that passed: the next one crashed. Where none passed, and there was no memory left, the
 * last record of a log.
 */
export function crashedTestIn(outline: Outline, failures: readonly StoredFailure[]): Line[] {
  const { tail } = outline;
  const end = (tail.at(-1)?.at ?? 0) + 1;
  const placeOf = ({ block }: StoredFailure) => (isAtEarlierEnd(outline, block) ? end : block.headline.at);
  const last = tail.findLastIndex(({ text }) => startedTestIn(text) !== undefined);
  const began = tail[last];
  if (began) {
    const name = startedTestIn(began.text) ?? '';
    const isEnded = tail.slice(last + 1).some(({ text }) => text.includes(name));
    return !isEnded && failures.some((failure) => placeOf(failure) > began.at) ? [began] : [];
  }
  if (failures.some(({ severity }) => severity > SEVERITY.thrown)) return [];
  const start = tail[0]?.at ?? 0;
  const crash = failures
    .filter(({ block }) => !block.lines.some(({ text }) => namesPlace(text) || saysTooLittleCovered(text)))
    .map(placeOf)
    .find((at) => at > start);
  if (crash === undefined) return [];
  const isBefore = ({ at }: Line) => at < crash && at >= crash - REACH;
  const passed = tail.findLast((line) => isBefore(line) && classificationOf(line.text) === 'passed');
  // Counts follow tests that have all ended.
  const isEnded = tail.some(({ at, text }) => at < crash && at > (passed?.at ?? crash) && COUNTS.test(text));
  if (passed) return isEnded ? [] : [passed];
  const isOutOfMemory = failures.some(({ block }) => CAUSES['out-of-memory'].test(block.headline.text));
  const isRecord = ({ text }: Line) => classificationOf(text) === 'chatter' && isLogged(text);
  return isOutOfMemory ? tail.filter((line) => isBefore(line) && isRecord(line)).slice(-1) : [];
}

/**
 * A panic of a goroutine, and the end of the program, end all tests of a package of Go: no result names the test that was
 * running.
 */
const END_OF_PACKAGE = /^panic: |^FAIL\t\S+\t[\d.]+s$/;

/** The lines of the tests of Go that began right above such an end, if nothing else names them. */
export function panickedTestsIn({ all, tail }: Outline, failures: readonly StoredFailure[]): Line[] {
  const ends = failures.filter(({ block }) => END_OF_PACKAGE.test(withoutPrefix(block.headline.text)));
  const said = ends.length === 0 ? [] : failures.flatMap(({ block }) => block.lines);
  return ends.flatMap(({ block: { headline } }) => {
    const above = (all ?? tail).filter(({ at }) => at < headline.at && at >= headline.at - REACH);
    const last = above.findLastIndex(({ text }) => startedTestIn(text) !== undefined);
    const began = above[last];
    const name = startedTestIn(began?.text ?? '');
    if (!began || name === undefined) return [];
    const isNamed = [...above.slice(last + 1), ...said].some(({ text }) => text.includes(name));
    return isNamed ? [] : [began];
  });
}

/** The program has ended at once: it says where, and not what it was doing. */
const CRASH =
  /\b(?:[Ss]egmentation [Ff]ault|SIG(?:SEGV|ABRT|FPE|BUS|ILL)|[Cc]ore dumped|Bus error|Fatal Python error)\b/;
/** Lines between the last record and a crash. */
const CRASH_REACH = 2;

/** Whether a failure is a program that a signal of the system has ended. */
export function hasCrashed({ block }: StoredFailure): boolean {
  return CRASH.test(block.headline.text);
}

/** What a program has logged right before it crashed: the last record says what it was doing. */
export function loggedBeforeCrash({ near, tail }: Outline, failures: readonly StoredFailure[]): Line[] {
  const records = [...near, ...tail].filter(
    ({ text }) => classificationOf(text) === 'chatter' && isLogged(text),
  );
  return failures.filter(hasCrashed).flatMap(({ block: { headline } }) => {
    const isRightAbove = ({ at }: Line) => at < headline.at && at >= headline.at - CRASH_REACH;
    return records.filter(isRightAbove).slice(-1);
  });
}

/** A test of CTest that was stopped: its output is below it, up to a blank line. */
const STOPPED = /\*{3}Timeout\b/;
const LAST_LINES = 2;

/** What a test printed last before it was stopped: what it was doing, whatever it says. */
export function lastOfStoppedTests({ all = [] }: Outline, failures: readonly StoredFailure[]): Line[] {
  return failures
    .filter(({ block: { headline } }) => STOPPED.test(headline.text))
    .flatMap(({ block: { headline } }) => {
      const start = all.findIndex(({ at }) => at > headline.at);
      const end = all.findIndex(({ text }, index) => index >= start && text === '');
      return start === -1 ? [] : all.slice(start, end === -1 ? all.length : end).slice(-LAST_LINES);
    });
}

/** The name of the test that begins at a line; undefined if none does. */
export function startedTestIn(text: string): string | undefined {
  const [, run, started] = BEGAN.exec(withoutPrefix(text)) ?? [];
  return run ?? started;
}
