import type { RunResult } from '../gates/types.ts';
import type { BlockReason } from '../hosts/types.ts';

/** Why a run that has not passed sends the agent back. */
export function whyFailed({ verdict }: RunResult): BlockReason {
  return verdict === 'incomplete' ? 'out-of-time' : 'gates-failed';
}
