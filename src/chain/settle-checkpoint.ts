import { setTimeout } from 'node:timers/promises';
import { keptText } from '../messages/chain.ts';
import type { MovedChain } from '../state/chain.ts';
import { UNWANTED_RUN_ENDS_MS } from './watch-run.ts';

/**
 * Does with a chain's checkpoint what was asked for: when the chain holds, it goes and the work stays; when it is
 * called off, or no attempt is left, and `rollback:true` was typed, the work goes back to it, after what is there has
 * been saved.
 *
 * @param root absolute directory of the project
 * @returns what the person is to know of it
 */
export async function settleCheckpoint(
  root: string,
  { chain, ended }: MovedChain,
  { now, env }: { readonly now: Date; readonly env: NodeJS.ProcessEnv },
): Promise<string | undefined> {
  const { checkpoint } = chain;
  const turn = ended ?? (chain.status === 'escalated' ? 'escalated' : undefined);
  if (checkpoint === null || turn === undefined) return undefined;
  const { dropCheckpoint } = await import('../checkpoint/drop-checkpoint.ts');
  if (turn === 'passed' || turn === 'skipped') {
    await dropCheckpoint(root, checkpoint, env);
    return undefined;
  }
  const isAskedFor = chain.steps.some(({ verify }) => verify.some(({ rollback }) => rollback));
  if (!isAskedFor) return keptText(checkpoint);
  // What runs for it would write into the work that was just restored.
  if (chain.running !== null) await setTimeout(UNWANTED_RUN_ENDS_MS);
  const { rollBack } = await import('../checkpoint/roll-back.ts');
  const { isDone, said } = await rollBack(root, checkpoint, { now, env });
  // An escalated chain may be retried, and then it goes back there again.
  if (isDone && ended !== undefined) await dropCheckpoint(root, checkpoint, env);
  return said;
}
