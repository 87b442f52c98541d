import { count } from '../base/text.ts';
import { BASELINE_FILE, countOf, without } from '../gates/known-failures.ts';
import { CHANGED_FILES } from '../gates/plan.ts';
import type { CommandGate, GateBaseline, GateResult, KnownFailure } from '../gates/types.ts';
import { positionsOf } from './failures/failure.ts';
import { outlineWithout } from './failures/outline.ts';
import type { TrackedFailures } from './failures/tracker.ts';
import { SEVERITY } from './lines/rules.ts';
import type { Findings, Unknown } from './output/condenser.ts';

interface Judged {
  readonly result: GateResult;
  /** What the messages show. */
  readonly findings: Findings | undefined;
}

/**
 * Judges a gate by its baseline: it passes if it failed as it did when the baseline was recorded, and every failure in
 * its output is known. In case of doubt it fails.
 *
 * @param found undefined if the gate printed nothing
 */
export function judge(result: GateResult, baseline: GateBaseline, found: Findings | undefined): Judged {
  const { outcome, gate } = result;
  const { unknown, ...all } = found ?? {};
  const findings = found && (all as Findings);
  if (baseline.failures.length === 0) return { result, findings };
  if (outcome.reason === 'passed')
    return { result: withFixed(result, fixedOf(gate, baseline.failures)), findings };
  const tracked = findings?.tracked;
  if (outcome.reason !== 'failed' || !tracked || tracked.failures.length === 0) return { result, findings };
  const added = without(tracked.failures, baseline.failures);
  const known = without(tracked.failures, added);
  if (added.length > 0) return { result, findings: withoutKnown(findings, unknown, countOf(known)) };
  const doubt = doubtAbout(baseline, tracked, outcome.exitCode);
  if (doubt !== undefined) {
    const note = `All failures in it are known (${BASELINE_FILE}), but ${doubt}.`;
    return { result, findings: { ...findings, note } };
  }
  const fixed = fixedOf(gate, without(baseline.failures, tracked.failures));
  const passed = { ...result, outcome: { reason: 'passed' as const }, known: countOf(known) };
  return { result: withFixed(passed, fixed), findings };
}

/** A command with `{changed_files}` shows the failures of some files only. */
export function showsAllFailures({ command }: CommandGate): boolean {
  return !command.includes(CHANGED_FILES);
}

function fixedOf(gate: GateResult['gate'], gone: readonly KnownFailure[]): number {
  return gate.kind === 'command' && showsAllFailures(gate) ? countOf(gone) : 0;
}

function withFixed(result: GateResult, fixed: number): GateResult {
  return fixed > 0 ? { ...result, fixed } : result;
}

/** Why an output with known failures alone does not show that nothing else has failed; undefined if it does. */
function doubtAbout(
  { exitCode: recorded, reported: before }: GateBaseline,
  { reported, isComplete }: TrackedFailures,
  exitCode: number,
): string | undefined {
  if (!isComplete) return 'there are too many to compare all of them';
  // Some tools exit with the number of failures.
  const isCount = Object.values(before).includes(recorded) && Object.values(reported).includes(exitCode);
  if (exitCode !== recorded && !isCount)
    return `it exited with code ${exitCode}, and with ${recorded} when they were recorded`;
  const more = Object.entries(reported).find(([words, number]) => number > (before[words] ?? 0));
  if (more)
    return `it reports more of them than were recorded: ${more[1]} instead of ${before[more[0]] ?? 0}`;
  const hadSummary = Object.keys(before).length > 0;
  if (hadSummary && !Object.keys(before).some((words) => words in reported))
    return 'it does not report how many failed, as it did when they were recorded: it may have ended early';
  return undefined;
}

/** What is left without the known failures. Where none would be left to show, everything is. */
function withoutKnown(findings: Findings, unknown: Unknown | undefined, known: number): Findings {
  const isShown = unknown?.failures.some(({ severity }) => severity >= SEVERITY.tagged);
  if (!unknown || known === 0 || !isShown) return findings;
  const { failures, tallies, knownLines } = unknown;
  const shown = positionsOf(failures);
  return {
    ...findings,
    failures,
    tallies,
    outline: {
      ...outlineWithout(findings.outline, ({ at }) => knownLines.has(at) && !shown.has(at)),
      // Its parts would be read again, with all that a known failure has printed.
      all: undefined,
    },
    note: `${count(known, 'known failure')} ${known === 1 ? 'is' : 'are'} not shown (${BASELINE_FILE}).`,
  };
}
