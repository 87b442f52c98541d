import { rmSync } from 'node:fs';
import { failure, type Result, success } from '../base/result.ts';
import { after } from '../base/time.ts';
import { cancelledText } from '../messages/agent-run.ts';
import {
  type AgentRun,
  agentRunFailures,
  isActive,
  isUnfinished,
  readAgentRun,
  readAgentRunFile,
  unusableAgentRun,
  updateAgentRun,
} from '../state/agent-run.ts';
import { appendProjectLog } from '../state/execution-log.ts';
import { removeFailures } from '../state/failures.ts';
import { cancelStopLoop, readStopLoop, stopLoopFiles } from '../state/stop-loop.ts';
import { settleRunCheckpoint } from './iterate.ts';
import { endLeftoverAgent } from './run-agent.ts';
import { alreadyActive } from './start.ts';
import { findTask, recordInTask } from './task-file.ts';
import { cancelledRecord, cancelRun } from './transitions.ts';

interface CancelContext {
  readonly now: () => Date;
  readonly env: NodeJS.ProcessEnv;
  /** Who cancels, as in `Caller`. */
  readonly by: string;
}

/** How long a run's process has to end its agent and itself; it needs a fraction of it. */
const DRIVER_GRACE_MS = 1500;
const DRIVER_POLL_MS = 20;

/**
 * Cancels an agent run by its task, or a stop loop by its key or the last part of the key.
 *
 * @returns what was done, in sentences for the person
 * @throws when the state cannot be written
 */
export async function cancelByName(
  root: string,
  name: string,
  context: CancelContext,
): Promise<Result<string>> {
  const run = readAgentRun(root, name);
  const path = stopLoopFiles(root).find((file) => isNamed(readStopLoop(file)?.task, name));
  // An agent run keeps its file when it has ended: a stop loop of the same task can still be cancelled.
  if (run && (path === undefined || isUnfinished(run))) return cancelAgentRun(root, name, context);
  const state = path === undefined ? undefined : await cancelStopLoop(path, context.by);
  if (!state) return failure(unusableAgentRun(root, name) ?? `There is no loop ${name}.`);
  return success(
    `Cancelled the loop ${state.task} at iteration ${state.iteration}: its next stop is allowed, and nothing is verified then.`,
  );
}

/** Whether a name is the key of a stop loop, or its last part: `demo` is `.trellis/tasks/demo`. */
function isNamed(key: string | undefined, name: string): boolean {
  return key !== undefined && (key === name || key.split('/').at(-1) === name);
}

/** Cancels an agent run, so that it cannot be resumed, and ends its process and its agent. */
async function cancelAgentRun(
  root: string,
  task: string,
  { now, env, by }: CancelContext,
): Promise<Result<string>> {
  const cancelled = await updateAgentRun(root, task, (run) => {
    if (!run) return failure(`There is no run of ${task}.`);
    if (!isUnfinished(run)) return failure(`The run of ${task} has already ended: it is ${run.status}.`);
    return success(cancelRun(run, by, now()));
  });
  if (!cancelled.ok) return cancelled;
  const run = cancelled.value;
  if (await isActive(run)) return success(sentences(cancelledText(run), await stopDriver(root, run)));
  await endLeftoverAgent(run);
  // If the log cannot be written, the run is cancelled all the same.
  await appendProjectLog(root, cancelledRecord(run, now())).catch(() => {});
  const settled = await settleRunCheckpoint(root, run, 'other', { now: now(), env });
  const found = findTask(root, task);
  const recorded = found.ok && found.value ? recordInTask(found.value.path, run, '') : undefined;
  return success(
    sentences(cancelledText(run), settled, recorded?.ok === false ? recorded.failure.message : undefined),
  );
}

function sentences(...texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined).join('\n');
}

/**
 * Ends the process of a cancelled run. The process notices the cancellation when it saves the run next, at the latest.
 *
 * @returns the problem when the process cannot be signalled
 */
async function stopDriver(root: string, run: AgentRun): Promise<string | undefined> {
  const { driver, task_id } = run;
  if (driver === null) return undefined;
  try {
    process.kill(driver.pid, 'SIGTERM');
  } catch (error) {
    return `The process ${driver.pid}, which executes the run, cannot be signalled: ${(error as Error).message}`;
  }
  for (let waited = 0; waited < DRIVER_GRACE_MS && (await isActive(run)); waited += DRIVER_POLL_MS)
    await after(DRIVER_POLL_MS).promise;
  // The process may have started another agent since the run was read.
  if (await isActive(run)) await endLeftoverAgent(readAgentRun(root, task_id) ?? run);
  return undefined;
}

/**
 * Removes the state file of an agent run, unless its process is alive, and ends the agent that a killed process left
 * behind. The output of its agents and its checkpoint are kept.
 *
 * @param path absolute path of the state file
 * @returns the removed run; undefined when its file could not be read
 */
export async function removeAgentRun(root: string, path: string): Promise<Result<AgentRun | undefined>> {
  const run = readAgentRunFile(path);
  if (run && (await isActive(run))) return alreadyActive(run);
  if (run) await endLeftoverAgent(run);
  rmSync(path, { recursive: true, force: true });
  if (run) removeFailures(agentRunFailures(root, run.task_id));
  return success(run);
}
