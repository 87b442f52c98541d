import { failure, type Result, success } from '../base/result.ts';
import { keptText } from '../messages/chain.ts';
import { restoreCheckpoint } from './restore.ts';
import { createCheckpoint } from './save.ts';
import { dropCheckpoint } from './store.ts';

// The checkpoint of a loop, which is a chain or an agent run: made before its first attempt, settled when it ends.

interface CheckpointContext {
  readonly now: Date;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Saves the working tree before the first attempt of a loop.
 *
 * @param root absolute directory of the project
 * @returns the id of the checkpoint
 */
export async function createLoopCheckpoint(
  root: string,
  label: string,
  context: CheckpointContext,
): Promise<Result<string>> {
  const created = await createCheckpoint(root, { kind: 'loop', label, ...context });
  return created.ok
    ? success(created.value.checkpoint.id)
    : failure(`The working tree cannot be saved before the first attempt: ${created.failure.message}`);
}

/** How a loop has ended. */
interface LoopEnd {
  readonly isPassed: boolean;
  /** Whether the working tree is to be restored because the loop has not passed. */
  readonly isRolledBack: boolean;
  /** Whether the loop may be retried, and then be rolled back again. */
  readonly canRetry: boolean;
}

/**
 * Drops the checkpoint of a loop that has passed; restores it, and saves the present state first, when a rollback was
 * requested; keeps it otherwise.
 *
 * @param root absolute directory of the project
 * @returns a message for the person, undefined when the checkpoint was dropped because the loop has passed
 */
export async function settleLoopCheckpoint(
  root: string,
  checkpoint: string,
  { isPassed, isRolledBack, canRetry }: LoopEnd,
  context: CheckpointContext,
): Promise<string | undefined> {
  if (isPassed) {
    await dropCheckpoint(root, checkpoint, context.env);
    return undefined;
  }
  if (!isRolledBack) return keptText(checkpoint);
  const restored = await restoreCheckpoint(root, checkpoint, context);
  if (!restored.ok) return `The working tree could not be rolled back: ${restored.failure.message}`;
  if (!canRetry) await dropCheckpoint(root, checkpoint, context.env);
  return `The working tree was rolled back. Its state before the rollback: ralph-loop checkpoint restore ${restored.value.rescue.id}.`;
}
