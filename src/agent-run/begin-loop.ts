import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { oneLine } from '../base/text.ts';
import { identifyProcess, isSameProcess } from '../process/identity.ts';
import { secretsIn } from '../process/secrets/environment.ts';
import { maskTexts } from '../process/secrets/masker.ts';
import type { AgentRun } from '../state/agent-run.ts';
import { readAgentRun, taskFileName, updateAgentRun } from '../state/agent-run-file.ts';
import { removeFailures } from '../state/failures.ts';
import { failuresPath } from '../state/paths.ts';
import { readAgentRuns } from '../state/read-agent-runs.ts';
import type { StopContext } from '../verification/types.ts';
import { endAgent } from './end-agent.ts';
import type { LoopPlan } from './plan-loop.ts';
import { promiseOutput } from './run-promise-gates.ts';
import { findTask, type TaskFile } from './task-file.ts';
import { createAgentRun } from './transitions.ts';
import { treeOf } from './tree-of.ts';

/** A loop that this process drives from now on, or why it may not. */
export type Begun =
  | { readonly loop: AgentRun; readonly notes: readonly string[] }
  | { readonly refused: string };

/**
 * Begins a task's loop anew. What is left of an earlier one goes: its agent, where its driver was killed, its files, and
 * its checkpoint, which nobody would find any more. Of several processes that begin at once, the first to save its loop
 * has it; what the others have done until then harms nobody.
 *
 * @throws where its state cannot be written
 */
export async function beginLoop(
  plan: LoopPlan,
  wanted: { readonly checkpoint: boolean },
  effects: StopContext,
): Promise<Begun> {
  const { root, task, order, taskFile, rules } = plan;
  const earlier = readAgentRun(root, task);
  const driven = await findDriven(plan);
  if (driven) return refuseDriven(driven);
  if (earlier) await endAgent(earlier);
  const checkpoint = wanted.checkpoint ? await saveWork(plan, effects) : null;
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
    isTakenOver(present, earlier) ? refuseDriven(present) : createAgentRun(about, rules, effects.now()),
  );
  if ('refused' in begun) {
    await dropWork(root, checkpoint, effects);
    return begun;
  }
  rmSync(promiseOutput(root, begun), { recursive: true, force: true });
  removeFailures(failuresPath(root, `promise-${taskFileName(task)}`));
  await dropWork(root, earlier?.checkpoint ?? null, effects);
  const isUnfinished = earlier?.status === 'running' || earlier?.status === 'interrupted';
  const note = `An earlier loop of ${task} had come to iteration ${earlier?.iteration}/${earlier?.max_iterations} (${earlier?.stage}); this one begins anew.`;
  return { loop: begun, notes: isUnfinished ? [note] : [] };
}

/** The loop of a task that a process drives, be it by another of the task's names. */
export async function findDriven({
  root,
  task,
  taskFile,
}: Pick<LoopPlan, 'root' | 'task' | 'taskFile'>): Promise<AgentRun | undefined> {
  for (const loop of readAgentRuns(root)) {
    if ((loop.task_id === task || isOf(taskFile, root, loop)) && (await isDriven(loop))) return loop;
  }
  return undefined;
}

function isOf(taskFile: TaskFile | undefined, root: string, { task_id }: AgentRun): boolean {
  const other = taskFile && findTask(root, task_id);
  return other !== undefined && 'path' in other && other.path === taskFile?.path;
}

export async function isDriven({ driver }: AgentRun): Promise<boolean> {
  return driver !== null && (await isSameProcess(driver));
}

/** Whether another process has begun to drive a task's loop since it was read. */
export function isTakenOver(present: AgentRun | undefined, read: AgentRun | undefined): present is AgentRun {
  return present !== undefined && present.driver !== null && present.driver.pid !== read?.driver?.pid;
}

export function refuseDriven({ task_id, stage, iteration, max_iterations, driver }: AgentRun) {
  const where = `${stage}, iteration ${iteration}/${max_iterations}`;
  return {
    refused: `${task_id} is driven by process ${driver?.pid} already (${where}). To end it: ralph-loop cancel ${task_id}`,
  };
}

/** @returns the id of its checkpoint */
async function saveWork(
  { root, task }: LoopPlan,
  { now, env }: StopContext,
): Promise<string | { readonly refused: string }> {
  const { createLoopCheckpoint } = await import('../checkpoint/settle.ts');
  const created = await createLoopCheckpoint(root, oneLine(task, 100), { now: now(), env });
  return created.ok ? created.value : { refused: created.failure.message };
}

async function dropWork(root: string, checkpoint: string | null, { env }: StopContext): Promise<void> {
  if (checkpoint === null) return;
  const { dropCheckpoint } = await import('../checkpoint/store.ts');
  await dropCheckpoint(root, checkpoint, env);
}
