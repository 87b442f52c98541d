import { uptimeMs } from '../base/time.ts';
import { fingerprintTree } from '../checkpoint/fingerprint-tree.ts';
import type { GateFindings } from '../diagnostics/condenser.ts';
import type { RunResult } from '../gates/types.ts';
import type { FailedRun } from '../messages/agent.ts';
import {
  type PreviousFailures,
  previousFailuresOf,
  readFailures,
  removeFailures,
  writeFailures,
} from '../state/failures.ts';
import { rememberGates } from './remember-gates.ts';
import type { RunContext, VerificationRequest } from './types.ts';

/** What failed at the loop's previous stop. */
export interface PreviousFailure {
  readonly record: PreviousFailures;
  /** Whether nothing in the working tree has changed since. */
  readonly isTreeUnchanged: boolean;
}

/** Git answers in milliseconds. A disk that is slower is not worth waiting for. */
const GIT_TIMEOUT_MS = 2000;
/** Reserved before the hook's deadline, for the answer. */
const RESERVE_MS = 600;

/** Returns what failed at the loop's previous stop, or undefined if the record belongs to another loop. */
export async function previousFailure(
  request: VerificationRequest,
  context: RunContext,
): Promise<PreviousFailure | undefined> {
  const { path, loop } = request.failures;
  const record = loop && previousFailuresOf(readFailures(path), loop.key, loop.attempt.iteration);
  if (!record) return undefined;
  const isTreeUnchanged = record.tree !== null && record.tree === (await treeOf(request, context));
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
  const untouched = previous?.isTreeUnchanged ?? false;
  return { attempt: loop.attempt, root, findings, remembered: failed, untouched };
}

/** Returns the recorded failures of gates that did not run this time. */
function otherGates(path: string, { results }: RunResult): PreviousFailures['gates'] {
  const known = readFailures(path)?.gates ?? [];
  return known.filter(({ name }) => !results.some(({ gate }) => gate.name === name));
}

async function treeOf(
  { root, resultsPath, ignoredPath }: VerificationRequest,
  { runCommand, env, signal, deadline }: RunContext,
): Promise<string | undefined> {
  const timeLeftMs = deadline ? deadline.atMs - RESERVE_MS - uptimeMs() : GIT_TIMEOUT_MS;
  const timeoutMs = Math.min(GIT_TIMEOUT_MS, timeLeftMs);
  if (timeoutMs <= 0) return undefined;
  return fingerprintTree(root, { runCommand, env, signal, timeoutMs, except: resultsPath ?? ignoredPath });
}
