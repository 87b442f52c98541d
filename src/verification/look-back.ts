import { fingerprintTree } from '../checkpoint/fingerprint-tree.ts';
import type { GateFindings } from '../diagnostics/condenser.ts';
import type { RunResult } from '../gates/types.ts';
import type { FailedRun } from '../messages/block-reason.ts';
import type { Attempt } from '../messages/reason-frame.ts';
import { uptimeMs } from '../process/uptime.ts';
import { type PreviousFailures, previousFailuresOf, readFailures, writeFailures } from '../state/failures.ts';
import type { LoopLocation } from '../state/loop-location.ts';
import type { StopContext } from './context.ts';
import { rememberGates } from './remember-gates.ts';

/** A stop of a loop, and what is reached by effects. */
export interface CountedStop {
  readonly loop: Pick<LoopLocation, 'key' | 'failuresPath'>;
  readonly attempt: Attempt;
  readonly root: string;
  /** What a run leaves behind itself: that it changed tells nothing. */
  readonly resultsPath: string | undefined;
  readonly effects: StopContext;
}

/** What failed at the loop's last stop. */
export interface LastStop {
  readonly memory: PreviousFailures;
  /** Whether nothing in the working tree has changed since. */
  readonly untouched: boolean;
}

/** Git answers in milliseconds; on a disk that is slow the answer is not worth waiting for. */
const GIT_TIMEOUT_MS = 2000;
/** Kept back from the hook's deadline, for the answer. */
const RESERVE_MS = 600;

/** Looks back before the gates run: they may change files too. */
export async function lookBack(stop: CountedStop): Promise<LastStop | undefined> {
  const { loop, attempt } = stop;
  const memory = previousFailuresOf(readFailures(loop.failuresPath), loop.key, attempt.iteration);
  if (!memory) return undefined;
  const untouched = memory.tree !== null && memory.tree === (await treeOf(stop));
  return { memory, untouched };
}

/** Remembers what failed, for the next stop and for `why`, and puts together what there is to say of it. */
export async function rememberFailedRun(
  summary: RunResult,
  findings: GateFindings,
  last: LastStop | undefined,
  stop: CountedStop,
): Promise<FailedRun> {
  const { loop, attempt, root, effects } = stop;
  const { iteration } = attempt;
  const gates = rememberGates(summary, findings, last?.memory.gates ?? [], {
    iteration,
    time: effects.now(),
  });
  const tree = (await treeOf(stop)) ?? null;
  // The gates of a hook that was told to end were cut off: what is known of them is better.
  if (!effects.signal.aborted) writeFailures(loop.failuresPath, { task: loop.key, iteration, tree, gates });
  return { attempt, root, findings, remembered: gates, untouched: last?.untouched ?? false };
}

async function treeOf({ root, resultsPath, effects }: CountedStop): Promise<string | undefined> {
  const { runCommand, env, signal, deadline } = effects;
  const timeoutMs = Math.min(GIT_TIMEOUT_MS, deadline.atMs - RESERVE_MS - uptimeMs());
  return timeoutMs <= 0
    ? undefined
    : fingerprintTree(root, { runCommand, env, signal, timeoutMs, except: resultsPath });
}
