import { rmSync } from 'node:fs';
import type { AgentRun } from '../state/agent-run.ts';
import { taskFileName } from '../state/agent-run-file.ts';
import { removeFailures } from '../state/failures.ts';
import { failuresPath } from '../state/paths.ts';
import { readAgentRunAt } from '../state/read-agent-runs.ts';
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
): Promise<{ readonly loop: AgentRun | undefined } | { readonly refused: string }> {
  const loop = readAgentRunAt(path);
  if (loop && (await isDriven(loop))) return refuseDriven(loop);
  if (loop) await endAgent(loop);
  rmSync(path, { recursive: true, force: true });
  if (loop) removeFailures(failuresPath(root, `promise-${taskFileName(loop.task_id)}`));
  return { loop };
}
