import { setTimeout } from 'node:timers/promises';
import type { MovedChain } from '../state/chain.ts';
import { UNWANTED_RUN_ENDS_MS } from './watch-run.ts';

/**
 * Settles a chain's checkpoint when the chain has ended or has no attempt left.
 *
 * @param root absolute directory of the project
 * @returns a message for the person
 */
export async function settleCheckpoint(
  root: string,
  { chain, ended }: MovedChain,
  context: { readonly now: Date; readonly env: NodeJS.ProcessEnv },
): Promise<string | undefined> {
  const { checkpoint } = chain;
  if (checkpoint === null || (ended === undefined && chain.status !== 'escalated')) return undefined;
  const isPassed = ended === 'passed' || ended === 'skipped';
  const isRolledBack = !isPassed && chain.steps.some(({ verify }) => verify.some(({ rollback }) => rollback));
  // A run that goes on would write into the restored working tree.
  if (isRolledBack && chain.running !== null) await setTimeout(UNWANTED_RUN_ENDS_MS);
  const { settleLoopCheckpoint } = await import('../checkpoint/settle.ts');
  const end = { isPassed, isRolledBack, canRetry: ended === undefined };
  return settleLoopCheckpoint(root, checkpoint, end, context);
}
