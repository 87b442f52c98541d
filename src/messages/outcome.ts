import { constants } from 'node:os';
import { relative } from 'node:path';
import { count, duration, listed, oneLine, roundDuration, timeAgo } from '../base/text.ts';
import {
  type GateOutcome,
  type GateResult,
  holds,
  type RunningGate,
  type RunResult,
} from '../gates/types.ts';
import { type LoggedGate, loggedGate } from '../state/execution-log.ts';
import type { FailedGate } from '../state/failures.ts';
import { savedTime } from '../state/saved-time.ts';

/** How a gate ended, as a predicate, if it ended so at the last run too: "`pnpm test` …". */
export function describeRepeatedOutcome(outcome: GateOutcome): string {
  const words = describeOutcome(outcome);
  if (outcome.reason === 'failed') return words;
  if (outcome.reason === 'not-started') return `again ${words}`;
  // What follows a colon is the reason.
  const [how = '', ...why] = words.split(': ');
  return [`${how} again`, ...why].join(': ');
}

/** Whether two runs of a gate ended in the same way. A gate that could not be started has no output: the reason is its error. */
export function isSameOutcome(one: GateOutcome, other: GateOutcome): boolean {
  if (one.reason === 'not-started' && other.reason === 'not-started') return one.message === other.message;
  if (one.reason === 'killed' && other.reason === 'killed') return one.signal === other.signal;
  return one.reason === other.reason;
}

/** How a gate ended, as a predicate: "`pnpm test` …". */
export function describeOutcome(outcome: GateOutcome): string {
  switch (outcome.reason) {
    case 'passed':
      return 'passed';
    case 'failed':
      return `exited with code ${outcome.exitCode}${signalBehind(outcome.exitCode)}`;
    case 'not-found':
      return 'exited with code 127: a program it calls was not found';
    case 'not-executable':
      return 'exited with code 126: a program it calls is not executable';
    case 'killed':
      return `was killed by ${outcome.signal}`;
    case 'timed-out':
      return `timed out: it was still running after ${seconds(outcome.limitSeconds)} and was ended`;
    case 'out-of-time':
      return `had no time to finish before the hook's deadline of ${seconds(outcome.deadlineSeconds)}`;
    case 'not-started':
      return `could not be started: ${outcome.message}`;
    case 'interrupted':
      return 'was interrupted';
    case 'marker-missing':
      return 'is missing from the last message';
    case 'empty':
      return 'ran no test';
    case 'unaffected':
      return 'was not run: no changed file matches its paths';
    case 'skipped':
      return 'was not run';
  }
}

/** `, after 8.2 s`; empty for a gate that did not run, or whose end names the time. */
export function afterText({ outcome, durationMs }: Pick<GateResult, 'outcome' | 'durationMs'>): string {
  return durationMs > 0 && outcome.reason !== 'timed-out' ? `, after ${duration(durationMs)}` : '';
}

/** How a gate ended, in the short form of Ralph Gate: `exit 1`. */
export function outcomeInShort(outcome: GateOutcome): string {
  switch (outcome.reason) {
    case 'failed':
      return `exit ${outcome.exitCode}`;
    case 'not-found':
      return 'exit 127';
    case 'not-executable':
      return 'exit 126';
    case 'killed':
      return `killed by ${outcome.signal}`;
    case 'timed-out':
      return `timed out after ${seconds(outcome.limitSeconds)}`;
    case 'out-of-time':
      return `no time before the hook's deadline of ${seconds(outcome.deadlineSeconds)}`;
    case 'not-started':
      return `not started: ${outcome.message}`;
    case 'empty':
      return 'no test';
    case 'unaffected':
    case 'passed':
    case 'interrupted':
    case 'marker-missing':
    case 'skipped':
      return outcome.reason;
  }
}

const MB = 1024 * 1024;

/** Names the log of a gate's output, and says what it lacks; undefined without a log. */
export function logHint({ output }: GateResult, from: string): string | undefined {
  const { logPath, logOmittedBytes } = output;
  return logPath === undefined ? undefined : logHintOf(logPath, from, logOmittedBytes);
}

/** As `logHint`, for a failure that was recorded. */
export function recordedLogHint(
  { log, log_omitted_bytes: omittedBytes }: FailedGate,
  from: string,
): string | undefined {
  return log === null ? undefined : logHintOf(log, from, omittedBytes);
}

function logHintOf(path: string, from: string, omittedBytes = 0): string {
  const missing = omittedBytes > 0 ? ` (${Math.ceil(omittedBytes / MB)} MB in the middle are missing)` : '';
  return `Full output: ${oneLine(relative(from, path), 300)}${missing}`;
}

/** A shell reports a child that was killed by a signal as 128 + the number of the signal. */
function signalBehind(exitCode: number): string {
  const name = Object.entries(constants.signals).find(([, number]) => number === exitCode - 128)?.[0];
  return name === undefined ? '' : ` (128 + ${exitCode - 128}: killed by ${name})`;
}

function seconds(n: number): string {
  return `${n} s`;
}

/** What a skipped gate did: with fail-fast, one that runs is ended when another one fails. */
export function skippedText({ durationMs }: GateResult): 'not run' | 'stopped' {
  return durationMs > 0 ? 'stopped' : 'not run';
}

/** The blocking gates that ran and did not pass, in the order they ran. */
export function unresolvedGates({ results }: RunResult): GateResult[] {
  return results.filter(
    ({ gate, outcome }) => gate.blocking && !holds(outcome) && outcome.reason !== 'skipped',
  );
}

/** `reused (passed 3 min ago)`, for gates that did not run; empty for no such gate. */
export function reusedText(results: readonly GateResult[], now: Date): string {
  return results.some(({ reused }) => reused !== undefined)
    ? `reused (passed ${passedAgo(results, now)})`
    : '';
}

/** When the first of the gates that did not run has passed. */
function passedAgo(results: readonly GateResult[], now: Date): string {
  const times = results.flatMap(({ reused }) => (reused === undefined ? [] : Date.parse(reused)));
  return timeAgo(now.getTime() - Math.min(...times));
}

/** `3 gates passed in 12.3 s, 2 reused (saved 4 min 10 s)`: of a run that passed, without the gates that only warn. */
export function passedText({ results, durationMs }: RunResult, now: Date): string {
  const passed = results.filter(({ outcome }) => outcome.reason === 'passed');
  const unaffected = results.filter(({ outcome }) => outcome.reason === 'unaffected').length;
  if (passed.length === 0) return `${count(unaffected, 'gate')} not affected by the changed files`;
  const gates = `${count(passed.length, 'gate')} passed`;
  const others = unaffected > 0 ? `, ${unaffected} not affected` : '';
  return passed.every(({ reused }) => reused !== undefined)
    ? `${gates} ${passedAgo(passed, now)} on the same files${savedText(passed.map(loggedGate))}${others}`
    : `${gates} in ${duration(durationMs)}${sharedText(results.map(loggedGate))}${others}`;
}

/** `, 2 reused, 1 joined (saved 4 min 10 s)`: the gates that did not run here; empty if there is none. */
export function sharedText(gates: readonly LoggedGate[]): string {
  const { reused, joined } = savedTime(gates);
  const numbers = [...(reused > 0 ? [`${reused} reused`] : []), ...(joined > 0 ? [`${joined} joined`] : [])];
  return numbers.length === 0 ? '' : `, ${numbers.join(', ')}${savedText(gates)}`;
}

function savedText(gates: readonly LoggedGate[]): string {
  const { savedMs } = savedTime(gates);
  return savedMs === 0 ? '' : ` (saved ${duration(savedMs)})`;
}

/** Whether a gate was ended before it was done, so that its last lines show what it was doing. */
export function endedEarly(outcome: GateOutcome): boolean {
  return ['timed-out', 'out-of-time', 'interrupted', 'killed'].includes(outcome.reason);
}

/**
 * Which gates still run: "`test` is still running (50 s so far, usually 4 min)".
 *
 * @param usualMs how long each gate usually takes, where it is known
 */
export function stillRunning(gates: readonly RunningGate[], usualMs: ReadonlyMap<string, number>): string {
  const shown = gates.map(({ name, elapsedMs }) => {
    return `\`${oneLine(name, 80)}\` is still running (${soFar(elapsedMs, usualMs.get(name) ?? null)})`;
  });
  return shown.length === 0 ? 'The gates are still running' : listed(shown, 600);
}

/** `50 s so far, usually 4 min`. */
export function soFar(elapsedMs: number, usualMs: number | null): string {
  return `${roundDuration(elapsedMs)} so far${usualMs === null ? '' : `, usually ${roundDuration(usualMs)}`}`;
}
