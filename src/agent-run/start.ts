import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { failure, type Result, success } from '../base/result.ts';
import { oneLine } from '../base/text.ts';
import { fingerprintTree } from '../checkpoint/fingerprint-tree.ts';
import { createLoopCheckpoint, fingerprintRepository } from '../checkpoint/settle.ts';
import { dropCheckpoint } from '../checkpoint/store.ts';
import { LATER_CHANGES, noRollbackText, UNKNOWN_CHANGES } from '../messages/checkpoint.ts';
import { identifyProcess } from '../process/process-group.ts';
import { secretsIn } from '../process/secrets/environment.ts';
import { maskTexts } from '../process/secrets/masker.ts';
import {
  type AgentRun,
  agentRunFailures,
  agentRunOutput,
  isActive,
  isUnfinished,
  readAgentRun,
  readAgentRuns,
  updateAgentRun,
} from '../state/agent-run.ts';
import { appendProjectLog, type IterationRecord, readIterations } from '../state/execution-log.ts';
import { removeFailures } from '../state/failures.ts';
import { ralphDirectory } from '../state/paths.ts';
import type { RunContext } from '../verification/types.ts';
import { type AgentRunPlan, savedPrompt } from './plan.ts';
import { endLeftoverAgent } from './run-agent.ts';
import { findTask, type TaskFile } from './task-file.ts';
import { createAgentRun, resumeRun } from './transitions.ts';

/** A saved run that this process executes from now on. */
interface StartedAgentRun {
  readonly run: AgentRun;
  /** For the person, a sentence each. */
  readonly notes: readonly string[];
}

const GIT_TIMEOUT_MS = 10_000;

/**
 * Begins a new agent run for a task. It replaces an earlier run of the task: the agent that a killed process left behind
 * is ended, and the files and the checkpoint of that run are removed. When several processes begin at once, the first
 * one to save its run wins; the others leave nothing behind.
 *
 * @throws when the state cannot be written
 */
export async function beginAgentRun(
  plan: AgentRunPlan,
  options: { readonly checkpoint: boolean },
  context: RunContext,
): Promise<Result<StartedAgentRun>> {
  const { root, task, order, taskFile, rules } = plan;
  const earlier = readAgentRun(root, task);
  const active = await findActive(plan);
  if (active) return alreadyActive(active);
  if (earlier) await endLeftoverAgent(earlier);
  const checkpoint = options.checkpoint
    ? await createLoopCheckpoint(root, oneLine(task, 100), { now: context.now(), env: context.env })
    : success(null);
  if (!checkpoint.ok) return checkpoint;
  const start = {
    id: randomBytes(8).toString('hex'),
    task_id: task,
    title: taskFile?.title ?? null,
    order: maskTexts(order, secretsIn(context.env)),
    prompt: savedPrompt(plan),
    base_tree: await treeFingerprint(plan, context),
    checkpoint: checkpoint.value,
    driver: await identifyProcess(process.pid),
  };
  const begun = await updateAgentRun(root, task, (saved) =>
    isOwnedElsewhere(saved, earlier)
      ? alreadyActive(saved)
      : success(createAgentRun(start, rules, context.now())),
  );
  if (!begun.ok) {
    await dropRunCheckpoint(root, checkpoint.value, context);
    return begun;
  }
  rmSync(agentRunOutput(root, task), { recursive: true, force: true });
  removeFailures(agentRunFailures(root, task));
  await dropRunCheckpoint(root, earlier?.checkpoint ?? null, context);
  return success({
    run: begun.value,
    notes: earlier && isUnfinished(earlier) ? [replacesNote(earlier)] : [],
  });
}

function replacesNote({ task_id, iteration, max_iterations, stage }: AgentRun): string {
  return `An earlier run of ${task_id} was at iteration ${iteration}/${max_iterations} (${stage}). This run starts from the beginning.`;
}

/**
 * Resumes an agent run that was interrupted, or whose process was killed. The agent that it left behind is ended first.
 *
 * @param kept as it was when the plan was made
 * @throws when the state cannot be written
 */
export async function resumeAgentRun(
  plan: AgentRunPlan,
  kept: AgentRun,
  { now, env }: Pick<RunContext, 'now' | 'env'>,
): Promise<Result<StartedAgentRun>> {
  const { root, task, rules } = plan;
  const active = await findActive(plan);
  if (active) return alreadyActive(active);
  const driver = await identifyProcess(process.pid);
  const obstacle = await rollbackObstacle(root, kept, env);
  const resumed = await updateAgentRun(root, task, (saved) => {
    if (!saved) return failure(`There is no run of ${task} any more`);
    if (isOwnedElsewhere(saved, kept)) return alreadyActive(saved);
    const resumable = checkResumable(saved);
    if (!resumable.ok) return resumable;
    const run = resumeRun(saved, driver, rules, now());
    const rollback = run.order.rollback && obstacle === undefined;
    const order = { ...run.order, prompt_file: plan.order.prompt_file, rollback };
    return success({ ...run, order, prompt: savedPrompt(plan), ended_tree: null });
  });
  if (!resumed.ok) return resumed;
  // Only the process that has the run ends the agent: of two that resume at once, the other would end the new agent.
  await endLeftoverAgent(kept);
  if (resumed.value.last) await logOnce(root, resumed.value.last);
  return success({ run: resumed.value, notes: obstacle === undefined ? [] : [obstacle] });
}

/** Why a run that continues is not rolled back when it fails: that would remove what a person did in between. */
async function rollbackObstacle(
  root: string,
  { checkpoint, order, ended_tree = null }: AgentRun,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  if (checkpoint === null || !order.rollback) return undefined;
  const isUnchanged = ended_tree !== null && ended_tree === (await fingerprintRepository(root, env));
  return isUnchanged
    ? undefined
    : noRollbackText(checkpoint, ended_tree === null ? UNKNOWN_CHANGES : LATER_CHANGES);
}

/** Fails for a run that has passed, failed or was cancelled. */
export function checkResumable(run: AgentRun): Result<AgentRun> {
  const { task_id, status } = run;
  if (status === 'running' || status === 'interrupted') return success(run);
  const how = { passed: 'has passed', failed: 'has failed', cancelled: 'was cancelled' }[status];
  return failure(`The run of ${task_id} ${how}. To start a new one: ralph-loop run --task ${task_id}`);
}

/** An iteration is logged after it is saved: its process may have been killed between the two. */
async function logOnce(root: string, last: IterationRecord): Promise<void> {
  const isLogged = readIterations(ralphDirectory(root)).some(
    ({ loop, stage, ralph_iteration }) =>
      loop === last.loop && stage === last.stage && ralph_iteration === last.ralph_iteration,
  );
  if (!isLogged) await appendProjectLog(root, last);
}

/** Finds the run of a task that a live process executes, also under another name of the task. */
async function findActive({
  root,
  task,
  taskFile,
}: Pick<AgentRunPlan, 'root' | 'task' | 'taskFile'>): Promise<AgentRun | undefined> {
  for (const run of readAgentRuns(root)) {
    if ((run.task_id === task || isSameTask(taskFile, root, run)) && (await isActive(run))) return run;
  }
  return undefined;
}

function isSameTask(taskFile: TaskFile | undefined, root: string, { task_id }: AgentRun): boolean {
  if (!taskFile) return false;
  const other = findTask(root, task_id);
  return other.ok && other.value?.path === taskFile.path;
}

/** Whether another process has started to execute the run since it was read. */
function isOwnedElsewhere(saved: AgentRun | undefined, read: AgentRun | undefined): saved is AgentRun {
  return saved !== undefined && saved.driver !== null && saved.driver.pid !== read?.driver?.pid;
}

export function alreadyActive({
  task_id,
  stage,
  iteration,
  max_iterations,
  driver,
}: AgentRun): Result<never> {
  const where = `${stage}, iteration ${iteration}/${max_iterations}`;
  return failure(
    `Process ${driver?.pid} is already running ${task_id} (${where}). To end it: ralph-loop cancel ${task_id}`,
  );
}

/** Returns a fingerprint of the working tree without the task's file, which the run itself changes; null without git. */
export async function treeFingerprint(
  { root, taskFile }: Pick<AgentRunPlan, 'root' | 'taskFile'>,
  { env, signal }: Pick<RunContext, 'env' | 'signal'>,
): Promise<string | null> {
  const options = { env, signal, timeoutMs: GIT_TIMEOUT_MS, except: taskFile?.path, withCommit: true };
  return (await fingerprintTree(root, options)) ?? null;
}

async function dropRunCheckpoint(
  root: string,
  checkpoint: string | null,
  { env }: RunContext,
): Promise<void> {
  if (checkpoint !== null) await dropCheckpoint(root, checkpoint, env);
}
