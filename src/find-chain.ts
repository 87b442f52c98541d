import type { Chain } from './loop/chain.ts';
import { moveChain, readChains, removeExpiredChains } from './loop/chain-file.ts';
import type { StopEvent } from './loop/stop-event.ts';

/** The chain of a session, where it has one that stops are judged by. */
export interface FoundChain {
  readonly chain: Chain | undefined;
  /** Chains that nobody has touched for a day, and that are gone now. */
  readonly expired: readonly Chain[];
}

/**
 * Finds the chain that a main agent's stop is verified by: its session's own; else the oldest one that has no session
 * yet, since the agent that it was begun for stops before any other does. That one is this session's from now on.
 */
export async function findChain(root: string, event: StopEvent, now: Date): Promise<FoundChain> {
  const session = event.sessionId ?? null;
  const expired = removeExpiredChains(root, now);
  const live = readChains(root).filter(({ atStop }) => atStop !== 'nothing');
  const own = live.findLast((chain) => session !== null && chain.session === session);
  if (own) return { chain: own, expired };
  const free = live.find((chain) => chain.session === null);
  if (!free) return { chain: undefined, expired };
  const claimed = await moveChain(root, free.id, (chain) =>
    chain.session === null ? { chain: { ...chain, session } } : { refused: 'it is of another session' },
  );
  return { chain: 'refused' in claimed ? undefined : claimed.chain, expired };
}
