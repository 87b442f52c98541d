import { failure, success } from '../base/result.ts';
import type { Chain } from '../state/chain.ts';
import { chainRoots } from '../state/chain-location.ts';
import { moveChain, readStoredChains, removeExpired, type StoredChain } from '../state/chain-store.ts';

/** The chain that verifies a stop. */
interface FoundChain {
  readonly found: StoredChain | undefined;
  /** Chains that expired and were removed. */
  readonly expired: readonly Chain[];
}

/**
 * Finds the chain that verifies a stop of a session's main agent: the session's latest chain; else the oldest chain of
 * the project without a session, which becomes this session's: the agent that started it stops before any other.
 *
 * @param roots the directories that hold chains, from `chainRoots`
 * @param root absolute directory of the project
 */
export async function findChain(
  roots: readonly string[],
  root: string,
  session: string | null,
  now: Date,
): Promise<FoundChain> {
  const { live, expired } = removeExpired(readStoredChains(roots), now);
  const candidates = live.filter(({ chain }) => verifiesStops(chain));
  const own = candidates.findLast(({ chain }) => chain.session === session);
  if (session !== null && own) return { found: own, expired };
  const free = candidates.find((each) => each.root === root && each.chain.session === null);
  if (!free) return { found: undefined, expired };
  const claimed = await moveChain(root, free.chain.id, (chain) =>
    chain.session === null ? success({ chain: { ...chain, session } }) : failure('it is of another session'),
  );
  return { found: claimed.ok ? { root, chain: claimed.value.chain } : undefined, expired };
}

/** The chains that a decision without an id may be about: those that wait for one, else all. */
export function decidableChains(chains: readonly Chain[]): readonly Chain[] {
  const escalated = chains.filter(({ status }) => status === 'escalated');
  return escalated.length > 0 ? escalated : chains;
}

export const verifiesStops = ({ atStop }: Chain) => atStop !== 'nothing';

/**
 * The chains of a session, the latest last.
 *
 * @param root absolute directory of the project
 */
export function chainsOfSession(root: string, session: string | null): StoredChain[] {
  return readStoredChains(chainRoots(root)).filter(({ chain }) => chain.session === session);
}
