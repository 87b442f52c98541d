import type { StopEvent } from '../hosts/types.ts';
import type { Chain } from '../state/chain.ts';
import { moveChain, readChains, removeExpiredChains } from '../state/chain-file.ts';
import { chainRoots } from './chain-roots.ts';

/** A chain, and the directory that keeps it. */
export interface KeptChain {
  readonly root: string;
  readonly chain: Chain;
}

/** The chain of a session, where it has one that stops are judged by. */
export interface FoundChain {
  readonly kept: KeptChain | undefined;
  /** Chains that nobody has touched for a day, and that are gone now. */
  readonly expired: readonly Chain[];
}

/**
 * Finds the chain that a main agent's stop is verified by: its session's own; else the oldest one of the project that
 * has no session yet, since the agent that it was begun for stops before any other does. That one is this session's
 * from now on.
 */
export async function findChain(root: string, event: StopEvent, now: Date): Promise<FoundChain> {
  const session = event.sessionId ?? null;
  const expired = chainRoots(root).flatMap((directory) => removeExpiredChains(directory, now));
  const own = chainsOfSession(root, session).findLast(({ chain }) => isForStops(chain));
  if (session !== null && own) return { kept: own, expired };
  const free = readChains(root).find((chain) => isForStops(chain) && chain.session === null);
  if (!free) return { kept: undefined, expired };
  const claimed = await moveChain(root, free.id, (chain) =>
    chain.session === null ? { chain: { ...chain, session } } : { refused: 'it is of another session' },
  );
  return { kept: 'refused' in claimed ? undefined : { root, chain: claimed.chain }, expired };
}

/** Whether stops are judged by it at all. */
export const isForStops = ({ atStop }: Chain) => atStop !== 'nothing';

/**
 * The chains of a session, the latest last.
 *
 * @param root absolute directory of the project
 */
export function chainsOfSession(root: string, session: string | null): KeptChain[] {
  return chainRoots(root)
    .flatMap((directory) => readChains(directory).map((chain) => ({ root: directory, chain })))
    .filter(({ chain }) => chain.session === session)
    .toSorted((a, b) => a.chain.created_at.localeCompare(b.chain.created_at));
}
