import { chainIds } from './loop/chain-ids.ts';
import type { StopEvent } from './loop/stop-event.ts';

/** Whether a stop could be one of a session that has a chain: subagents' never are. */
export function mayHaveChain({ isMain }: StopEvent, root: string): boolean {
  return isMain && chainIds(root).length > 0;
}
