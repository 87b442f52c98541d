import { relative } from 'node:path';
import { type ExternalCause, externalCause, missingProgram } from '../diagnostics/fold/errors.ts';
import type { Findings } from '../diagnostics/output/condenser.ts';
import type { GateOutcome, GateResult } from '../gates/types.ts';
import { fixFor } from './fixes.ts';

/** What to do about a command that found no test, or ran none. */
const NO_TEST =
  'It shows nothing without a test. Look for what leaves the tests out: a filter, a pattern or a path that selects none, a suite that is skipped, a file that was moved or renamed. Restore it. If the project has no tests yet, write one, or report to the user that a gate with `allow_empty: true` accepts that.';

/** What helps against a cause outside the code, by the name or number that the output gives. */
const ADVICE: Readonly<Record<ExternalCause['cause'], (detail: string | undefined) => string>> = {
  'disk-full': () =>
    'The disk is full, so this says nothing about the code. Free space (build output, caches that you made), or report it to the user.',
  'port-in-use': (port) =>
    `${port ? `Port ${port}` : 'A port that it needs'} is in use, so this says nothing about the code. End the server if you started it; else report it to the user.`,
  'out-of-memory': () =>
    'It ran out of memory. Look for what grows without end; if nothing does, it needs more memory than there is: report that to the user.',
  'missing-dependency': (name) =>
    `If "${name}" is a dependency, it is not installed: run the project's own install command. If it is part of this project, its import or its name is wrong.`,
  unreachable: () =>
    'It could not reach a server. If the project starts that server itself, start it; if it is on the network, report that to the user.',
};

/** What to do where a cause outside the code is as it was at the last run. */
const STILL_SO = 'It is as it was at the last run: if you cannot change this, report it to the user.';

const ONLY_SLOW = 'If it is only slow, report to the user that its timeout is too short.';

/** A command that printed nothing for such a share of its time waited for something. */
const WAITED_SHARE = 0.3;
const MIN_BUSY_MS = 10_000;

type FailedResult = Pick<GateResult, 'gate' | 'outcome' | 'durationMs' | 'tests'>;

/**
 * What to do about a failure that the code does not cause, or probably not, or that a command fixes.
 *
 * @param tests how many ran; 0 of a failed gate that found none
 * @param options `again`: whether the gate ended in this way at the last run too; `root`: absolute directory of the
 * project, for a gate that runs below it
 * @returns undefined if nothing hints at another cause than the code
 */
export function adviceOn(
  result: FailedResult,
  findings: Findings | undefined,
  { again = false, root }: { readonly again?: boolean | undefined; readonly root?: string } = {},
): string | undefined {
  const { outcome, durationMs, tests } = result;
  if (outcome.reason === 'timed-out') return adviceOnTimeout(findings, durationMs, again);
  if (wasKilledForMemory(outcome))
    return again
      ? 'It was killed again, most likely for lack of memory: so it is no coincidence. Run less at once (fewer workers, a part of the tests), look for what grows without end, or report it to the user.'
      : 'ralph-loop did not kill it: most likely the system did, for lack of memory. Run less at once, or report it to the user.';
  const advice = adviceOnCause(outcome, findings, tests);
  if (advice) return again ? `${advice} ${STILL_SO}` : advice;
  return fixOf(result, findings, root);
}

/**
 * The command that fixes what a gate reports, for a failure that nothing else explains.
 *
 * @param from absolute directory of the reader; undefined: that of the gate
 */
export function fixOf(
  { gate, outcome, tests }: FailedResult,
  findings: Findings | undefined,
  from: string | undefined,
): string | undefined {
  if (!findings || gate.kind !== 'command' || outcome.reason !== 'failed') return undefined;
  if (wasKilledForMemory(outcome) || adviceOnCause(outcome, findings, tests) !== undefined) return undefined;
  return fixFor(gate.command, findings, from === undefined ? '' : relative(from, gate.cwd));
}

function adviceOnCause(
  outcome: GateOutcome,
  findings: Findings | undefined,
  tests: number | undefined,
): string | undefined {
  if (outcome.reason === 'empty' || (outcome.reason === 'failed' && tests === 0)) return NO_TEST;
  if (outcome.reason === 'not-found') {
    const program = findings && missingProgram(findings);
    return `${program ? `\`${program}\`` : 'A program that it calls'} is not installed here, or is misspelled. Install the project's dependencies, or correct the name.`;
  }
  if (outcome.reason === 'not-executable')
    return 'Make the file executable (chmod +x), or call it by its interpreter.';
  const found = findings && externalCause(findings);
  return found && ADVICE[found.cause](found.detail);
}

function adviceOnTimeout(findings: Findings | undefined, durationMs: number, again: boolean): string {
  if (findings && isBusy(findings, durationMs))
    return `It printed until it was ended: it is slow, or repeats something without end. ${again ? 'Run a part of it alone to see which.' : 'Look for what it repeats.'} ${ONLY_SLOW}`;
  if (!again)
    return `Look for what it waits for: a watch mode, a server that never ends, a question, an open handle; its last lines are shown. ${ONLY_SLOW}`;
  const where = findings?.timing.silences.length ? ' (see the line above the time without output)' : '';
  return `Run the step that does not end${where} alone, with a time limit of your own, and see what it waits for. ${ONLY_SLOW}`;
}

/** Whether a command has printed all the time. Short silences are not recorded, so of a short run it is not known. */
function isBusy({ timing: { spanMs, silences } }: Findings, durationMs: number): boolean {
  const longestMs = Math.max(durationMs - spanMs, ...silences.map(({ ms }) => ms));
  return durationMs >= MIN_BUSY_MS && longestMs < durationMs * WAITED_SHARE;
}

function wasKilledForMemory(outcome: GateOutcome): boolean {
  return (
    (outcome.reason === 'killed' && outcome.signal === 'SIGKILL') ||
    // A shell reports a child that SIGKILL ended as 128 + 9.
    (outcome.reason === 'failed' && outcome.exitCode === 137)
  );
}
