import type { AgentRun } from '../state/agent-run.ts';

/**
 * Settles an agent run's checkpoint when the run has ended.
 *
 * @param root absolute directory of the project
 * @returns a message for the person
 */
export async function settleLoop(
  root: string,
  { checkpoint, status, order }: AgentRun,
  context: { readonly now: Date; readonly env: NodeJS.ProcessEnv },
): Promise<string | undefined> {
  if (checkpoint === null || status === 'running') return undefined;
  const { settleLoopCheckpoint } = await import('../checkpoint/settle.ts');
  // An interrupted run can be resumed.
  const isRolledBack = order.rollback && (status === 'failed' || status === 'cancelled');
  const end = { isPassed: status === 'passed', isRolledBack, canRetry: false };
  return settleLoopCheckpoint(root, checkpoint, end, context);
}
