import { after } from '../base/time.ts';
import type { AgentRun } from '../state/agent-run.ts';
import { readAgentRun, updateAgentRun } from '../state/agent-run-file.ts';
import { isDriven } from './begin-loop.ts';
import { endAgent } from './end-agent.ts';
import { settleLoop } from './settle-loop.ts';
import { findTask, noteInTask } from './task-file.ts';
import { cancelAgentRun } from './transitions.ts';

/** What became of a loop that was to be cancelled. */
export type Cancelled =
  | { readonly loop: AgentRun; readonly notes: readonly string[] }
  | { readonly refused: string };

/** Its driver ends the agent, and itself, within a fraction of this; then it is ended from here. */
const DRIVER_MS = 1500;
const LOOK_MS = 20;

/**
 * Calls a task's loop off, for good: its driver is told, the agent's whole tree is ended, and nobody can go on with it.
 *
 * @throws where its state cannot be written
 */
export async function cancelPromiseLoop(
  root: string,
  task: string,
  { now, env }: { readonly now: () => Date; readonly env: NodeJS.ProcessEnv },
): Promise<Cancelled> {
  const loop = await updateAgentRun(root, task, (present) => {
    if (!present) return { refused: `There is no loop of ${task}.` };
    const isOver = present.status !== 'running' && present.status !== 'interrupted';
    return isOver
      ? { refused: `The loop of ${task} has ended already: it is ${present.status}.` }
      : cancelAgentRun(present, now());
  });
  if ('refused' in loop) return loop;
  if (await isDriven(loop)) return { loop, notes: await tellDriver(root, loop) };
  await endAgent(loop);
  const settled = await settleLoop(root, loop, { now: now(), env });
  const file = findTask(root, task);
  const unnoted = file && 'path' in file ? noteInTask(file.path, loop, '') : undefined;
  return { loop, notes: [settled, unnoted].filter((note) => note !== undefined) };
}

/** The driver may be at any point: it sees that its loop is cancelled at the latest when it saves it next. */
async function tellDriver(root: string, loop: AgentRun): Promise<string[]> {
  const { driver, task_id } = loop;
  if (driver === null) return [];
  try {
    process.kill(driver.pid, 'SIGTERM');
  } catch (error) {
    return [`Process ${driver.pid}, which drives it, could not be told: ${(error as Error).message}`];
  }
  for (let waited = 0; waited < DRIVER_MS && (await isDriven(loop)); waited += LOOK_MS)
    await after(LOOK_MS).promise;
  // The agent that it noted last may have been started since the loop was read.
  if (await isDriven(loop)) await endAgent(readAgentRun(root, task_id) ?? loop);
  return [];
}
