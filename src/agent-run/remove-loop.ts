import { rmSync } from 'node:fs';
import { forgetFailures } from '../state/failure-file.ts';
import { memoryPath } from '../state/loop-location.ts';
import type { PromiseLoop } from '../state/promise-loop.ts';
import { taskFileName } from '../state/promise-loop-file.ts';
import { readLoopAt } from '../state/read-promise-loops.ts';
import { isDriven, refuseDriven } from './begin-loop.ts';
import { endAgent } from './end-agent.ts';

/**
 * Removes the state of a promise loop that nobody drives; an agent that a killed driver left behind is ended. What its
 * agents have printed stays, and so does its checkpoint.
 *
 * @param path absolute, of its file
 * @returns the loop, undefined where its file was unreadable; or why it is left
 */
export async function removePromiseLoop(
  root: string,
  path: string,
): Promise<{ readonly loop: PromiseLoop | undefined } | { readonly refused: string }> {
  const loop = readLoopAt(path);
  if (loop && (await isDriven(loop))) return refuseDriven(loop);
  if (loop) await endAgent(loop);
  rmSync(path, { recursive: true, force: true });
  if (loop) forgetFailures(memoryPath(root, `promise-${taskFileName(loop.task_id)}`));
  return { loop };
}
