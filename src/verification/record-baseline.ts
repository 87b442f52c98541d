import type { Baseline } from '../config/baseline.ts';
import type { TrackedFailures } from '../diagnostics/failures/tracker.ts';
import { showsAllFailures } from '../diagnostics/judge.ts';
import { countOf, keyOf, without } from '../gates/known-failures.ts';
import type { CommandGate, Gate, GateBaseline, GateResult, KnownFailure } from '../gates/types.ts';
import { describeOutcome } from '../messages/outcome.ts';
import type { VerificationRun } from './types.ts';

type KnownGate = Omit<GateBaseline, 'root'>;

/** A baseline, and how it differs from the one before. */
export interface BaselineChange {
  readonly baseline: Baseline;
  readonly gates: readonly {
    readonly name: string;
    /** How many failures are known now. */
    readonly known: number;
    readonly added: number;
    readonly removed: number;
  }[];
  /** Why gates could not be recorded. */
  readonly problems: readonly string[];
}

/** The gate, so that a run of it finds all its failures, whichever files have changed. */
export function tracked(gate: Gate, root: string): Gate {
  if (gate.kind !== 'command') return gate;
  const { paths, ...rest } = gate;
  return {
    ...rest,
    ...(paths !== undefined && !showsAllFailures(gate) && { paths }),
    baseline: { root, exitCode: 1, reported: {}, failures: [] },
  };
}

/**
 * The baseline that knows every failure of a run. A gate that did not run, or whose failures cannot be distinguished, keeps
 * what was known.
 *
 * @param run of gates as `tracked` returns them
 */
export function recordedBaseline(run: VerificationRun, before: Baseline): BaselineChange {
  const problems: string[] = [];
  const entries = run.result.results.map((result): [string, KnownGate | undefined] => {
    const { name } = result.gate;
    const known = before.get(name);
    if (result.outcome.reason === 'passed') return [name, undefined];
    const problem = problemWith(result, trackedIn(run, result));
    if (problem !== undefined) problems.push(`\`${name}\` cannot be baselined: ${problem}`);
    const recorded = recordedGate(result, trackedIn(run, result));
    return [name, problem === undefined && recorded ? withUnseen(result, recorded, known) : known];
  });
  return { ...changeOf(before, entries), problems };
}

/**
 * The baseline without the failures that a run has fixed. A gate that failed keeps what was known: it may have ended
 * early.
 *
 * @param run of gates with the baseline
 */
export function updatedBaseline(run: VerificationRun, before: Baseline): BaselineChange {
  const problems: string[] = [];
  const entries = run.result.results.map((result): [string, KnownGate | undefined] => {
    const { name } = result.gate;
    const known = before.get(name);
    if (!known || result.fixed === undefined) {
      if (known && result.outcome.reason !== 'passed' && isOwnFailure(result))
        problems.push(`\`${name}\` has other failures: nothing of it was removed`);
      return [name, known];
    }
    return [name, result.known === undefined ? undefined : remaining(known, trackedIn(run, result))];
  });
  return { ...changeOf(before, entries), problems };
}

function trackedIn({ findings }: VerificationRun, { gate }: GateResult): TrackedFailures | undefined {
  return findings.get(gate)?.tracked;
}

/** Whether the gate itself failed, in whichever way. */
function isOwnFailure({ gate, outcome: { reason } }: GateResult): boolean {
  return gate.kind === 'command' && !['skipped', 'unaffected', 'interrupted'].includes(reason);
}

/** Why what failed cannot be known; undefined if it can, or if the gate did not run. */
function problemWith(result: GateResult, found: TrackedFailures | undefined): string | undefined {
  const { outcome } = result;
  if (!isOwnFailure(result)) return undefined;
  if (outcome.reason !== 'failed') return `it ${describeOutcome(outcome)}`;
  if (!found || found.failures.length === 0) return 'its output names no failures';
  return found.isComplete ? undefined : 'it has too many failures to compare all of them';
}

function recordedGate({ outcome }: GateResult, found: TrackedFailures | undefined): KnownGate | undefined {
  if (outcome.reason !== 'failed' || !found) return undefined;
  const { failures, reported } = found;
  return { exitCode: outcome.exitCode, reported, failures };
}

/** A command that runs for the changed files says nothing about the others. */
function withUnseen({ gate }: GateResult, now: KnownGate, before: KnownGate | undefined): KnownGate {
  if (!before || showsAllFailures(gate as CommandGate)) return now;
  const unseen = without(before.failures, now.failures);
  return { ...now, failures: joined(now.failures, unseen) };
}

function joined(failures: readonly KnownFailure[], more: readonly KnownFailure[]): KnownFailure[] {
  const counts = new Map(more.map((failure) => [keyOf(failure), failure]));
  const both = failures.map((failure) => {
    const other = counts.get(keyOf(failure));
    counts.delete(keyOf(failure));
    return { ...failure, count: failure.count + (other?.count ?? 0) };
  });
  return [...both, ...counts.values()];
}

function remaining(known: KnownGate, found: TrackedFailures | undefined): KnownGate {
  if (!found) return known;
  const { failures, exitCode, reported } = known;
  const fixed = without(failures, found.failures);
  // Some tools exit with the number of failures.
  const words = Object.keys(reported).find((key) => reported[key] === exitCode);
  return {
    exitCode: (words === undefined ? undefined : found.reported[words]) ?? exitCode,
    reported: found.reported,
    failures: without(failures, fixed),
  };
}

function changeOf(
  before: Baseline,
  entries: readonly (readonly [string, KnownGate | undefined])[],
): Omit<BaselineChange, 'problems'> {
  const baseline = new Map(entries.flatMap(([name, known]) => (known ? [[name, known] as const] : [])));
  const failuresOf = (all: Baseline, name: string) => all.get(name)?.failures ?? [];
  const gates = [...new Set([...before.keys(), ...baseline.keys()])].map((name) => {
    const [then, now] = [failuresOf(before, name), failuresOf(baseline, name)];
    return {
      name,
      known: countOf(now),
      added: countOf(without(now, then)),
      removed: countOf(without(then, now)),
    };
  });
  return { baseline, gates };
}
