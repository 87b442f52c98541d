import type { StopEvent } from '../hosts/types.ts';
import { directoryIsThere, removeLoop, restoreAttempt, saveAttempt, saveReset } from './loop-file.ts';
import type { LoopLocation } from './loop-location.ts';
import { isCancelled, type LoopState } from './loop-state.ts';
import type { Patience } from './state-lock.ts';

/** A stop attempt that has been counted. */
export interface CountedAttempt {
  readonly iteration: number;
  readonly maxIterations: number;
  /** False at the cap, and where blocking could go on for ever since the count cannot be kept. */
  readonly mayBlock: boolean;
  /** A person has called the loop off since its last stop. */
  readonly cancelled: boolean;
  /** What went wrong in counting, for the log. */
  readonly notes: readonly string[];
  /** Ends the loop: the next stop is its first again. */
  reset(): Promise<void>;
  /** Makes sure that the count is still there once the gates have run, whatever they removed. */
  keep(): Promise<void>;
}

export interface CountingRules {
  readonly maxIterations: number;
  readonly stateTimeoutMinutes: number;
}

/**
 * Counts a stop attempt in its loop.
 *
 * Where the project cannot be written, the host's word that it is not already continuing is needed to block at all;
 * and since hosts give it wrongly, the attempts are counted elsewhere all the same.
 */
export async function countAttempt(
  loop: LoopLocation,
  event: StopEvent,
  rules: CountingRules,
  now: Date,
  patience: Patience,
): Promise<CountedAttempt> {
  const save = (path: string) => saveAttempt(path, { task: loop.key, ...rules }, now, patience);
  try {
    const state = await save(loop.path);
    return counted(state, rules, true, [], {
      reset: () => endLoop(loop, state),
      keep: () => keepCount(loop, state),
    });
  } catch (error) {
    const notes = [`the loop state cannot be written: ${(error as Error).message}`];
    try {
      const { fallbackCounterPath: spareCountPath } = await import('./fallback-counter.ts');
      const spare = spareCountPath(loop.path, process.env);
      const state = await save(spare);
      const reset = () => saveReset(spare, state);
      return counted(state, rules, event.continuing === false, notes, { reset });
    } catch (spareError) {
      notes.push(`nor can it elsewhere: ${(spareError as Error).message}`);
      return counted(undefined, rules, event.continuing === false, notes, {});
    }
  }
}

function counted(
  state: LoopState | undefined,
  { maxIterations }: CountingRules,
  mayBlock: boolean,
  notes: string[],
  { reset, keep }: Partial<Pick<CountedAttempt, 'reset' | 'keep'>>,
): CountedAttempt {
  const iteration = state?.iteration ?? 1;
  return {
    iteration,
    maxIterations,
    mayBlock: mayBlock && iteration < maxIterations,
    cancelled: state !== undefined && isCancelled(state),
    notes,
    // A count that cannot be reset runs into its timeout; the stop is allowed as it was.
    reset: async () => reset?.().catch(() => {}),
    keep: async () => keep?.().catch(() => {}),
  };
}

async function endLoop(loop: LoopLocation, state: LoopState): Promise<void> {
  if (loop.keepAfterReset) await saveReset(loop.path, state);
  else removeLoop(loop.path);
}

/** Where Trellis's whole directory is gone, its task is too: the next stop is then none of our business. */
async function keepCount(loop: LoopLocation, state: LoopState): Promise<void> {
  if (!loop.keepAfterReset || directoryIsThere(loop.path)) await restoreAttempt(loop.path, state);
}
