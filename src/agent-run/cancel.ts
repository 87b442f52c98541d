import { rmSync } from 'node:fs';
import { cancelledText } from '../messages/promise-loop-texts.ts';
import { after } from '../process/waits.ts';
import {
  type AgentRun,
  readAgentRun,
  readAgentRunFile,
  taskFileName,
  updateAgentRun,
} from '../state/agent-run.ts';
import { removeFailures } from '../state/failures.ts';
import { cancelAttempts, loopFiles, peekLoop } from '../state/loop-file.ts';
import { failuresPath } from '../state/loop-location.ts';
import { settleRunCheckpoint } from './iterate.ts';
import { endLeftoverAgent } from './run-agent.ts';
import { alreadyActive, isActive } from './start.ts';
import { findTask, recordInTask } from './task-file.ts';
import { cancelledRun } from './transitions.ts';

/**
 * Calls a loop off: one that drives an agent, by its task; else a hook's, by its key, or the last part of that.
 *
 * @returns what a person is to know of it, or why nothing was done
 * @throws where its state cannot be written
 */
export async function cancelByName(
  root: string,
  name: string,
  effects: { readonly now: () => Date; readonly env: NodeJS.ProcessEnv },
): Promise<{ readonly said: string } | { readonly refused: string }> {
  const loop = readAgentRun(root, name);
  const path = loopFiles(root).find((file) => isNamed(peekLoop(file)?.task, name));
  // One that has ended keeps its file, and must not stand before a hook's loop of the same task.
  if (loop && (path === undefined || !hasEnded(loop))) {
    const cancelled = await cancelAgentRun(root, name, effects);
    if ('refused' in cancelled) return cancelled;
    return { said: [cancelledText(cancelled.loop), ...cancelled.notes].join('\n') };
  }
  const state = path === undefined ? undefined : await cancelAttempts(path, effects.now());
  if (!state) return { refused: `There is no loop ${name}.` };
  const where = `the loop ${state.task} at iteration ${state.iteration}`;
  return { said: `Cancelled ${where}: its next stop is allowed, and nothing is verified then.` };
}

function hasEnded({ status }: AgentRun): boolean {
  return status !== 'running' && status !== 'interrupted';
}

/** By its key as status shows it, or by the last part of it: `demo` is .trellis/tasks/demo. */
function isNamed(key: string | undefined, name: string): boolean {
  return key !== undefined && (key === name || key.split('/').at(-1) === name);
}

/** What became of a loop that was to be cancelled. */
export type CancelledAgentRun =
  | { readonly loop: AgentRun; readonly notes: readonly string[] }
  | { readonly refused: string };

/** Its driver ends the agent, and itself, within a fraction of this; then it is ended from here. */
const DRIVER_GRACE_MS = 1500;
const DRIVER_POLL_MS = 20;

/**
 * Calls a task's loop off, for good: its driver is told, the agent's whole tree is ended, and nobody can go on with it.
 *
 * @throws where its state cannot be written
 */
export async function cancelAgentRun(
  root: string,
  task: string,
  { now, env }: { readonly now: () => Date; readonly env: NodeJS.ProcessEnv },
): Promise<CancelledAgentRun> {
  const loop = await updateAgentRun(root, task, (present) => {
    if (!present) return { refused: `There is no loop of ${task}.` };
    const isOver = present.status !== 'running' && present.status !== 'interrupted';
    return isOver
      ? { refused: `The loop of ${task} has ended already: it is ${present.status}.` }
      : cancelledRun(present, now());
  });
  if ('refused' in loop) return loop;
  if (await isActive(loop)) return { loop, notes: await stopDriver(root, loop) };
  await endLeftoverAgent(loop);
  const settled = await settleRunCheckpoint(root, loop, { now: now(), env });
  const file = findTask(root, task);
  const unnoted = file && 'path' in file ? recordInTask(file.path, loop, '') : undefined;
  return { loop, notes: [settled, unnoted].filter((note) => note !== undefined) };
}

/** The driver may be at any point: it sees that its loop is cancelled at the latest when it saves it next. */
async function stopDriver(root: string, loop: AgentRun): Promise<string[]> {
  const { driver, task_id } = loop;
  if (driver === null) return [];
  try {
    process.kill(driver.pid, 'SIGTERM');
  } catch (error) {
    return [`Process ${driver.pid}, which drives it, could not be told: ${(error as Error).message}`];
  }
  for (let waited = 0; waited < DRIVER_GRACE_MS && (await isActive(loop)); waited += DRIVER_POLL_MS)
    await after(DRIVER_POLL_MS).promise;
  // The agent that it noted last may have been started since the loop was read.
  if (await isActive(loop)) await endLeftoverAgent(readAgentRun(root, task_id) ?? loop);
  return [];
}

/**
 * Removes the state of a promise loop that nobody drives; an agent that a killed driver left behind is ended. What its
 * agents have printed stays, and so does its checkpoint.
 *
 * @param path absolute, of its file
 * @returns the loop, undefined where its file was unreadable; or why it is left
 */
export async function removeAgentRun(
  root: string,
  path: string,
): Promise<{ readonly loop: AgentRun | undefined } | { readonly refused: string }> {
  const loop = readAgentRunFile(path);
  if (loop && (await isActive(loop))) return alreadyActive(loop);
  if (loop) await endLeftoverAgent(loop);
  rmSync(path, { recursive: true, force: true });
  if (loop) removeFailures(failuresPath(root, `promise-${taskFileName(loop.task_id)}`));
  return { loop };
}
