import { fingerprintTree } from '../checkpoint/fingerprint-tree.ts';
import type { StopContext } from '../verification/types.ts';
import type { LoopPlan } from './plan-loop.ts';

const GIT_TIMEOUT_MS = 10_000;

/** The working tree as it is now; the task's file, wherever it lies, is changed by the loop itself. */
export async function treeOf(
  { root, taskFile }: Pick<LoopPlan, 'root' | 'taskFile'>,
  { runCommand, env, signal }: Pick<StopContext, 'runCommand' | 'env' | 'signal'>,
): Promise<string | null> {
  const options = { runCommand, env, signal, timeoutMs: GIT_TIMEOUT_MS, except: taskFile?.path };
  return (await fingerprintTree(root, options)) ?? null;
}
