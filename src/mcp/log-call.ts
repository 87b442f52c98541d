import { type ChainEvent, chainTask } from '../chain/chain-record.ts';
import { logChain } from '../chain/log-chain.ts';
import type { Chain } from '../state/chain.ts';
import type { CallContext } from './call-context.ts';

/** Logs what a call came to, in the words that a stop's line has: reports count both alike. */
export function logCall(
  chain: Chain,
  event: Omit<ChainEvent, 'host' | 'session' | 'task' | 'agent'>,
  { root, effects }: CallContext,
): Promise<void> {
  // Whichever agent calls, the protocol does not tell.
  const about = { host: 'mcp', session: chain.session, agent: null, task: chainTask(chain) } as const;
  return logChain(root, { ...about, ...event }, { now: effects.now(), env: effects.env });
}
