import { upwards } from '../base/files.ts';
import { failure, type Result, success } from '../base/result.ts';
import { keptText } from '../messages/chain.ts';
import {
  LATER_CHANGES,
  notRolledBackText,
  otherWorkReason,
  rolledBackText,
  UNKNOWN_CHANGES,
} from '../messages/checkpoint.ts';
import { type AgentRun, isActive, isUnfinished, readAgentRuns } from '../state/agent-run.ts';
import { chainTask, isChainExpired } from '../state/chain.ts';
import { readChains } from '../state/chain-store.ts';
import { readLog } from '../state/execution-log.ts';
import { ralphDirectory } from '../state/paths.ts';
import { fingerprintTree } from './fingerprint-tree.ts';
import { asResult, openRepository } from './git.ts';
import { restoreCheckpoint } from './restore.ts';
import { createCheckpoint } from './save.ts';
import { checkpointTime, dropCheckpoint } from './store.ts';

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

const GIT_TIMEOUT_MS = 10_000;

/**
 * A fingerprint of the whole working tree, which a rollback would change: also of the part outside of the project.
 *
 * @param root absolute directory of the project
 * @returns null when there is none
 */
export async function fingerprintRepository(root: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const opened = await asResult(() => openRepository(root, env));
  if (!opened.ok) return null;
  const top = Buffer.from(opened.value.top, 'latin1').toString();
  // The signal of the caller is aborted when a run is interrupted, which is when the fingerprint is needed.
  const { signal } = new AbortController();
  const options = { env, signal, timeoutMs: GIT_TIMEOUT_MS, withCommit: true };
  return (await fingerprintTree(top, options)) ?? null;
}

/** A chain or an agent run that has a checkpoint. */
interface SavedLoop {
  readonly id: string;
  readonly checkpoint: string;
}

/**
 * How a loop has ended.
 *
 * - `passed`: its checkpoint is dropped.
 * - `kept`: the working tree stays as it is.
 * - `failed`: the working tree is restored. `tree` is the fingerprint when it ended, null when it is unknown, and `now`
 *   when the caller has just ended it.
 */
export type LoopEnd =
  | { readonly how: 'passed' }
  | { readonly how: 'kept' }
  | { readonly how: 'failed'; readonly tree: string | null | 'now' };

interface SettledCheckpoint {
  /** For the person; undefined when the checkpoint was dropped because the loop has passed. */
  readonly note: string | undefined;
  /** Whether the checkpoint is still there. */
  readonly isKept: boolean;
}

/**
 * Drops the checkpoint of a loop, keeps it, or restores it, after the present state is saved. It is not restored when that
 * would remove the work of somebody else: a change of the tree since the loop has ended, or another loop.
 *
 * @param root absolute directory of the project
 */
export async function settleLoopCheckpoint(
  root: string,
  loop: SavedLoop,
  end: LoopEnd,
  context: CheckpointContext,
): Promise<SettledCheckpoint> {
  const { checkpoint } = loop;
  if (end.how === 'passed') {
    await dropCheckpoint(root, checkpoint, context.env);
    return { note: undefined, isKept: false };
  }
  if (end.how === 'kept') return { note: keptText(checkpoint), isKept: true };
  const rolledBack = await rollBack(root, loop, end, context);
  if (!rolledBack.ok)
    return { note: notRolledBackText(checkpoint, rolledBack.failure.message), isKept: true };
  await dropCheckpoint(root, checkpoint, context.env);
  return { note: rolledBackText(rolledBack.value), isKept: false };
}

async function rollBack(
  root: string,
  loop: SavedLoop,
  { tree }: Extract<LoopEnd, { how: 'failed' }>,
  context: CheckpointContext,
) {
  if (tree === null) return failure(UNKNOWN_CHANGES);
  if (tree !== 'now' && tree !== (await fingerprintRepository(root, context.env)))
    return failure(LATER_CHANGES);
  const other = await findOtherWork(root, loop, context.now);
  if (other !== undefined) return failure(other);
  return restoreCheckpoint(root, loop.checkpoint, context);
}

/** Finds the work of another chain or agent run since the checkpoint, in the project and in the directories around it. */
async function findOtherWork(
  root: string,
  { id, checkpoint }: SavedLoop,
  now: Date,
): Promise<string | undefined> {
  const since = checkpointTime(checkpoint).getTime();
  for (const directory of upwards(root)) {
    for (const run of readAgentRuns(directory)) {
      const how = run.id === id ? undefined : await workOf(run, since);
      if (how) return otherWorkReason(run.task_id, how);
    }
    for (const chain of readChains(directory))
      if (chain.id !== id && chain.status !== 'escalated' && !isChainExpired(chain, now))
        return otherWorkReason(`chain ${chain.id}`, 'active');
    // A chain that has passed has no file any more.
    const passed = readLog(ralphDirectory(directory)).find(
      ({ time, task, answer, why }) =>
        answer === 'allow' &&
        why === 'verified' &&
        Date.parse(time) >= since &&
        task?.startsWith(chainTask({ id: '' })) &&
        task !== chainTask({ id }),
    );
    if (passed?.task) return otherWorkReason(passed.task.replace(':', ' '), 'passed');
  }
  return undefined;
}

async function workOf(run: AgentRun, since: number): Promise<'active' | 'passed' | undefined> {
  if (await isActive(run)) return 'active';
  // The work of an earlier run is in the checkpoint.
  if (Date.parse(run.updated_at) < since) return undefined;
  if (run.status === 'passed') return 'passed';
  return isUnfinished(run) ? 'active' : undefined;
}
