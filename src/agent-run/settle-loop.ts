import { keptText } from '../messages/chain.ts';
import type { AgentRun } from '../state/agent-run.ts';

/**
 * Does with a loop's checkpoint what was asked for: when the loop passes, it goes and the work stays; when it is given up,
 * and a rollback was asked for, the work goes back to it, after what is there has been saved.
 *
 * @param root absolute directory of the project
 * @returns what the person is to know of it
 */
export async function settleLoop(
  root: string,
  { checkpoint, status, order }: AgentRun,
  { now, env }: { readonly now: Date; readonly env: NodeJS.ProcessEnv },
): Promise<string | undefined> {
  if (checkpoint === null || status === 'running') return undefined;
  const { dropCheckpoint } = await import('../checkpoint/drop-checkpoint.ts');
  if (status === 'passed') {
    await dropCheckpoint(root, checkpoint, env);
    return undefined;
  }
  const isGivenUp = status === 'failed' || status === 'cancelled';
  if (!isGivenUp || !order.rollback) return keptText(checkpoint);
  const { rollBack } = await import('../checkpoint/roll-back.ts');
  const { isDone, said } = await rollBack(root, checkpoint, { now, env });
  if (isDone) await dropCheckpoint(root, checkpoint, env);
  return said;
}
