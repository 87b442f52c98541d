import { answerOf } from '../messages/status.ts';
import type { ChainReport } from '../state/chain-report.ts';
import type { StopLoopStatus } from '../state/stop-loop.ts';
import type { Card } from './board.ts';
import { fit } from './words.ts';

/** A loop that stops of agents move on, with what it waits for. */
export function hookCard(report: StopLoopStatus): Card {
  const { loop, iteration, max } = report;
  return {
    kind: 'hook',
    id: loop,
    name: fit(loop),
    title: null,
    at: `${iteration}/${max}`,
    standing: hookStanding(report),
    since: null,
    activity: null,
    cancel: { task: loop },
  };
}

function hookStanding({ iteration, expired, verifying, last }: StopLoopStatus): string {
  if (expired && iteration > 0) return 'expired: the next stop is the first again';
  if (verifying) return 'its gates run, or its hook was ended';
  return last ? `waits for the next stop; ${fit(answerOf(last))}` : 'waits for the next stop';
}

/** Gates that were typed into a prompt, with what they wait for. */
export function chainCard(chain: ChainReport): Card {
  const { id, attempts, max_attempts, commands } = chain;
  return {
    kind: 'chain',
    id,
    name: fit(commands.length > 0 ? `${id} ${commands.join(', ')}` : id),
    title: null,
    at: `${attempts}/${max_attempts}`,
    standing: chainStanding(chain),
    since: null,
    activity: null,
    cancel: { why: `"ralph-loop gate abort ${id}" calls typed gates off.` },
  };
}

function chainStanding({ id, status, verifying, step, steps }: ChainReport): string {
  const where = steps > 1 ? `step ${step}/${steps} ` : '';
  if (verifying) return `${where}is being verified`;
  const waits = {
    awaiting: 'waits for the next stop',
    failed: 'failed; waits for the next stop',
    review: "waits for the agent's review",
    escalated: `waits for you: ralph-loop gate retry ${id}`,
  };
  return `${where}${waits[status]}`;
}
