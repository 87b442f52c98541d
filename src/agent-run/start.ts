import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { oneLine } from '../base/text.ts';
import { fingerprintTree } from '../checkpoint/fingerprint-tree.ts';
import { identifyProcess, isSameProcess } from '../process/identity.ts';
import { maskTexts } from '../process/mask-text.ts';
import { secretsIn } from '../process/secrets.ts';
import {
  type AgentRun,
  readAgentRun,
  readAgentRuns,
  taskFileName,
  updateAgentRun,
} from '../state/agent-run.ts';
import { appendLog, readIterations } from '../state/execution-log.ts';
import { removeFailures } from '../state/failures.ts';
import type { IterationRecord } from '../state/log-record.ts';
import { failuresPath, ralphDirectory } from '../state/loop-location.ts';
import type { StopContext } from '../verification/context.ts';
import { agentRunOutput } from './gates.ts';
import type { AgentRunPlan } from './plan.ts';
import { endLeftoverAgent } from './run-agent.ts';
import { findTask, type TaskFile } from './task-file.ts';
import { createAgentRun, resumedRun } from './transitions.ts';

/** A loop that this process drives from now on, or why it may not. */
export type StartedAgentRun =
  | { readonly loop: AgentRun; readonly notes: readonly string[] }
  | { readonly refused: string };

/**
 * Begins a task's loop anew. What is left of an earlier one goes: its agent, where its driver was killed, its files, and
 * its checkpoint, which nobody would find any more. Of several processes that begin at once, the first to save its loop
 * has it; what the others have done until then harms nobody.
 *
 * @throws where its state cannot be written
 */
export async function beginAgentRun(
  plan: AgentRunPlan,
  wanted: { readonly checkpoint: boolean },
  effects: StopContext,
): Promise<StartedAgentRun> {
  const { root, task, order, taskFile, rules } = plan;
  const earlier = readAgentRun(root, task);
  const driven = await findActive(plan);
  if (driven) return alreadyActive(driven);
  if (earlier) await endLeftoverAgent(earlier);
  const checkpoint = wanted.checkpoint ? await createRunCheckpoint(plan, effects) : null;
  if (typeof checkpoint === 'object' && checkpoint !== null) return checkpoint;
  const about = {
    id: randomBytes(8).toString('hex'),
    task_id: task,
    title: taskFile?.title ?? null,
    order: maskTexts(order, secretsIn(effects.env)),
    base_tree: await treeOf(plan, effects),
    checkpoint,
    driver: await identifyProcess(process.pid),
  };
  const begun = await updateAgentRun(root, task, (present) =>
    isOwnedElsewhere(present, earlier) ? alreadyActive(present) : createAgentRun(about, rules, effects.now()),
  );
  if ('refused' in begun) {
    await dropRunCheckpoint(root, checkpoint, effects);
    return begun;
  }
  rmSync(agentRunOutput(root, begun), { recursive: true, force: true });
  removeFailures(failuresPath(root, `promise-${taskFileName(task)}`));
  await dropRunCheckpoint(root, earlier?.checkpoint ?? null, effects);
  const isUnfinished = earlier?.status === 'running' || earlier?.status === 'interrupted';
  const note = `An earlier loop of ${task} had come to iteration ${earlier?.iteration}/${earlier?.max_iterations} (${earlier?.stage}); this one begins anew.`;
  return { loop: begun, notes: isUnfinished ? [note] : [] };
}

/** The loop of a task that a process drives, be it by another of the task's names. */
export async function findActive({
  root,
  task,
  taskFile,
}: Pick<AgentRunPlan, 'root' | 'task' | 'taskFile'>): Promise<AgentRun | undefined> {
  for (const loop of readAgentRuns(root)) {
    if ((loop.task_id === task || isSameTask(taskFile, root, loop)) && (await isActive(loop))) return loop;
  }
  return undefined;
}

function isSameTask(taskFile: TaskFile | undefined, root: string, { task_id }: AgentRun): boolean {
  const other = taskFile && findTask(root, task_id);
  return other !== undefined && 'path' in other && other.path === taskFile?.path;
}

export async function isActive({ driver }: AgentRun): Promise<boolean> {
  return driver !== null && (await isSameProcess(driver));
}

/** Whether another process has begun to drive a task's loop since it was read. */
export function isOwnedElsewhere(
  present: AgentRun | undefined,
  read: AgentRun | undefined,
): present is AgentRun {
  return present !== undefined && present.driver !== null && present.driver.pid !== read?.driver?.pid;
}

export function alreadyActive({ task_id, stage, iteration, max_iterations, driver }: AgentRun) {
  const where = `${stage}, iteration ${iteration}/${max_iterations}`;
  return {
    refused: `${task_id} is driven by process ${driver?.pid} already (${where}). To end it: ralph-loop cancel ${task_id}`,
  };
}

/** @returns the id of its checkpoint */
async function createRunCheckpoint(
  { root, task }: AgentRunPlan,
  { now, env }: StopContext,
): Promise<string | { readonly refused: string }> {
  const { createCheckpoint } = await import('../checkpoint/create-checkpoint.ts');
  const created = await createCheckpoint(root, { kind: 'loop', label: oneLine(task, 100), now: now(), env });
  if ('why' in created) return { refused: `The work cannot be saved before it begins: ${created.why}` };
  return created.checkpoint.id;
}

async function dropRunCheckpoint(
  root: string,
  checkpoint: string | null,
  { env }: StopContext,
): Promise<void> {
  if (checkpoint === null) return;
  const { dropCheckpoint } = await import('../checkpoint/drop-checkpoint.ts');
  await dropCheckpoint(root, checkpoint, env);
}

/**
 * Goes on with a task's loop that was interrupted, or whose driver was killed; an agent that it left behind is ended
 * first.
 *
 * @throws where its state cannot be written
 */
export async function resumeAgentRun(
  plan: AgentRunPlan,
  kept: AgentRun,
  { now }: StopContext,
): Promise<StartedAgentRun> {
  const { root, task, rules } = plan;
  const driven = await findActive(plan);
  if (driven) return alreadyActive(driven);
  const driver = await identifyProcess(process.pid);
  const resumed = await updateAgentRun(root, task, (present) => {
    if (!present) return { refused: `There is no loop of ${task} any more.` };
    if (isOwnedElsewhere(present, kept)) return alreadyActive(present);
    return checkResumable(present) ?? resumedRun(present, driver, rules, now());
  });
  if ('refused' in resumed) return resumed;
  // Of two that resume at once, the one that is refused must not end the other's agent.
  await endLeftoverAgent(kept);
  if (resumed.last) await logOnce(root, resumed.last);
  return { loop: resumed, notes: [] };
}

/** Why a loop cannot be gone on with, where it has come to its end. */
export function checkResumable({ task_id, status }: AgentRun): { readonly refused: string } | undefined {
  if (status === 'running' || status === 'interrupted') return undefined;
  const how = { passed: 'has passed', failed: 'was given up', cancelled: 'was cancelled' }[status];
  return { refused: `The loop of ${task_id} ${how}; begin a new one with: ralph-loop run --task ${task_id}` };
}

/** The iteration that ended last is logged after it is saved: a driver may have been killed between the two. */
async function logOnce(root: string, last: IterationRecord): Promise<void> {
  const directory = ralphDirectory(root);
  const isLogged = readIterations(directory).some(
    ({ loop, stage, ralph_iteration }) =>
      loop === last.loop && stage === last.stage && ralph_iteration === last.ralph_iteration,
  );
  if (!isLogged) await appendLog(directory, last);
}

const GIT_TIMEOUT_MS = 10_000;

/** The working tree as it is now; the task's file, wherever it lies, is changed by the loop itself. */
export async function treeOf(
  { root, taskFile }: Pick<AgentRunPlan, 'root' | 'taskFile'>,
  { runCommand, env, signal }: Pick<StopContext, 'runCommand' | 'env' | 'signal'>,
): Promise<string | null> {
  const options = { runCommand, env, signal, timeoutMs: GIT_TIMEOUT_MS, except: taskFile?.path };
  return (await fingerprintTree(root, options)) ?? null;
}
