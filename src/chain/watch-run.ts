import type { Chain } from '../state/chain.ts';
import { readChain, restoreChain } from '../state/chain-file.ts';
import { isAtRun } from './chain-steps.ts';

/** Whoever calls a run off finds it ended after about this time. */
const LOOK_MS = 250;
/** Then its processes are gone too: they get 150 ms to end, and their last words 200. */
export const UNWANTED_RUN_ENDS_MS = 1000;

/** Looking after a run while it goes on. */
export interface RunWatch {
  /** Aborted once the run is not wanted any more. */
  readonly unwanted: AbortSignal;
  /** Ends the looking. */
  readonly stop: () => void;
}

/**
 * Looks, while a chain's commands run, whether a person has retried, skipped or aborted it in another process, or typed
 * something else: its file is all that the two processes share.
 *
 * @param begun the chain as its run was counted
 */
export function watchRun(root: string, begun: Chain): RunWatch {
  const abort = new AbortController();
  const look = setInterval(() => {
    restoreChain(root, begun);
    const present = readChain(root, begun.id);
    if (!present || !isAtRun(present, begun)) abort.abort();
  }, LOOK_MS);
  return { unwanted: abort.signal, stop: () => clearInterval(look) };
}
