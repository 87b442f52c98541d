import type { GateRunSummary } from '../gates/gate.ts';
import type { BlockReason } from '../hosts/stop-event.ts';

/** Why a run that has not passed sends the agent back. */
export function whyFailed({ verdict }: GateRunSummary): BlockReason {
  return verdict === 'incomplete' ? 'out-of-time' : 'gates-failed';
}
