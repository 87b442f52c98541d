import { excerptOf } from '../diagnostics/excerpt.ts';
import { comparableErrors } from '../diagnostics/fold/errors.ts';
import { failureNames } from '../diagnostics/fold/failure-names.ts';
import type { GateFindings } from '../diagnostics/output/condenser.ts';
import type { RunResult } from '../gates/types.ts';
import type { FailedRun } from '../messages/agent.ts';
import { endedEarly, isSameOutcome, unresolvedGates } from '../messages/outcome.ts';
import { ownCommand } from '../process/own-command.ts';
import {
  type FailedGate,
  type PreviousFailures,
  previousFailuresOf,
  readFailures,
  removeFailures,
  writeFailures,
} from '../state/failures.ts';
import { type GateKeys, treeOf } from './gate-keys.ts';
import type { RunContext, VerificationRequest } from './types.ts';

/** What failed at the loop's previous stop. */
export interface PreviousFailure {
  readonly record: PreviousFailures;
  /** Whether nothing in the working tree has changed since. */
  readonly isTreeUnchanged: boolean;
}

/** Returns what failed at the loop's previous stop, or undefined if the record belongs to another loop. */
export async function previousFailure(
  request: VerificationRequest,
  { tree: known }: Pick<GateKeys, 'tree'>,
  context: RunContext,
): Promise<PreviousFailure | undefined> {
  const { path, loop } = request.failures;
  const record = loop && previousFailuresOf(readFailures(path), loop.key, loop.attempt.iteration);
  if (!record) return undefined;
  // Markers have no keys.
  const isKnown = request.gates.some(({ kind }) => kind === 'command');
  const tree = isKnown ? known : await treeOf(request, context);
  const isTreeUnchanged = record.tree !== null && record.tree === tree;
  return { record, isTreeUnchanged };
}

/** Records what failed, for the next stop and for `why`. Returns what the messages say about it, for a loop's run. */
export async function recordFailure(
  request: VerificationRequest,
  {
    result,
    findings,
    previous,
  }: {
    readonly result: RunResult;
    readonly findings: GateFindings;
    readonly previous: PreviousFailure | undefined;
  },
  context: RunContext,
): Promise<FailedRun | undefined> {
  const { root, failures } = request;
  const { path, loop, covers } = failures;
  const iteration = loop?.attempt.iteration ?? null;
  const failed = rememberGates(result, findings, previous?.record.gates ?? [], {
    iteration,
    time: context.now(),
  });
  if (!context.signal.aborted) {
    const gates = covers === 'some' ? [...failed, ...otherGates(path, result)] : failed;
    const tree = loop ? ((await treeOf(request, context)) ?? null) : null;
    if (gates.length > 0) writeFailures(path, { task: loop?.key ?? null, iteration, tree, gates });
    else removeFailures(path);
  }
  if (!loop || result.verdict === 'passed') return undefined;
  return {
    attempt: loop.attempt,
    root,
    findings,
    remembered: failed,
    earlier: previous?.record.gates ?? [],
    untouched: previous?.isTreeUnchanged ?? false,
    program: ownCommand(root, context.env),
  };
}

/** Returns the recorded failures of gates that did not run this time. */
function otherGates(path: string, { results }: RunResult): PreviousFailures['gates'] {
  const known = readFailures(path)?.gates ?? [];
  return known.filter(({ name }) => !results.some(({ gate }) => gate.name === name));
}

/** The excerpt that `why` shows. */
const EXCERPT_CHARACTERS = 5000;

/**
 * The failed gates of a run, as they are saved for the next run and for `why`.
 *
 * @param earlier the failed gates that were saved for the run before
 * @param run its iteration, null if it is not a stop; when it ended
 */
export function rememberGates(
  summary: RunResult,
  findings: GateFindings,
  earlier: readonly FailedGate[],
  { iteration, time }: { readonly iteration: number | null; readonly time: Date },
): FailedGate[] {
  return unresolvedGates(summary).map(({ gate, outcome, durationMs, output }) => {
    const found = findings.get(gate);
    const errors = comparableErrors(found);
    const same = earlier.find(
      (other) =>
        other.name === gate.name &&
        isSameOutcome(other.outcome, outcome) &&
        other.errors.join('\n') === errors.join('\n'),
    );
    return {
      time: time.toISOString(),
      name: gate.name,
      command: gate.kind === 'command' ? gate.command : gate.name,
      outcome,
      duration_ms: Math.round(durationMs),
      errors,
      names: found && failureNames(found),
      since: same?.since ?? iteration,
      excerpt: found ? excerptOf(found, EXCERPT_CHARACTERS, { hung: endedEarly(outcome) }) : [],
      log: output.logPath ?? null,
      ...(output.logOmittedBytes !== undefined && { log_omitted_bytes: output.logOmittedBytes }),
    };
  });
}
