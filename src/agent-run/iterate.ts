import { join } from 'node:path';
import { realPathInside, reasonOf } from '../base/files.ts';
import { success } from '../base/result.ts';
import { listed } from '../base/text.ts';
import { fingerprintRepository, type LoopEnd, settleLoopCheckpoint } from '../checkpoint/settle.ts';
import { identifyProcess } from '../process/process-group.ts';
import { type AgentRun, agentRunOutput, taskFileName, updateAgentRun } from '../state/agent-run.ts';
import { appendProjectLog, type IterationRecord } from '../state/execution-log.ts';
import type { RunContext } from '../verification/types.ts';
import { type FinishedAgent, judgeIteration } from './judge.ts';
import { type AgentRunPlan, currentPrompt, currentStage } from './plan.ts';
import { runAgent } from './run-agent.ts';
import { treeFingerprint } from './start.ts';
import { recordInTask } from './task-file.ts';
import {
  asCancelled,
  beginIteration,
  cancelledRecord,
  endIteration,
  type IterationEnd,
  withActivity,
  withAgent,
} from './transitions.ts';

/** The events of an agent run, reported as they happen. */
export type AgentRunEvent =
  | { readonly type: 'begun'; readonly run: AgentRun; readonly logPath: string }
  /** The gates that run now. */
  | { readonly type: 'gates'; readonly names: readonly string[] }
  | { readonly type: 'ended'; readonly run: AgentRun }
  /** A problem that does not end the run. */
  | { readonly type: 'note'; readonly text: string };

export interface AgentRunContext extends RunContext {
  readonly onEvent: (event: AgentRunEvent) => void;
}

/**
 * Executes an agent run until it passes, fails, is interrupted or cancelled.
 *
 * @param run saved, with this process as its driver
 * @throws when the state cannot be written, since the iterations would not be counted
 */
export async function runIterations(
  plan: AgentRunPlan,
  run: AgentRun,
  context: AgentRunContext,
): Promise<AgentRun> {
  const saved = new SavedAgentRun(plan.root, run);
  let lastMessage = '';
  while (saved.run.status === 'running') lastMessage = await iterate(plan, saved, context);
  const settling = { now: context.now(), env: context.env };
  const settled = await settleRunCheckpoint(plan.root, saved.run, 'this', settling);
  if (settled !== undefined) context.onEvent({ type: 'note', text: settled });
  updateTask(plan, saved.run, lastMessage, context);
  const { status, checkpoint, order } = saved.run;
  if (status !== 'interrupted' || checkpoint === null || !order.rollback) return saved.run;
  const ended_tree = await fingerprintRepository(plan.root, context.env);
  return saved.changeUnlessCancelled((run) => ({ ...run, ended_tree }));
}

/** Counts an iteration, runs it, and saves and logs its end. Returns the agent's last message. */
async function iterate(plan: AgentRunPlan, saved: SavedAgentRun, context: AgentRunContext): Promise<string> {
  const { now, onEvent } = context;
  const begun = await saved.changeUnlessCancelled((run) => beginIteration(run, now()));
  if (begun.status !== 'running') {
    await logIteration(plan, cancelledRecord(begun, now()), context);
    return '';
  }
  updateTask(plan, begun, '', context);
  const { end, message } = await runIteration(plan, saved, context);
  const ended = await saved.change((run) =>
    endIteration(run, run.status === 'cancelled' ? asCancelled(end, run) : end, plan.rules, now()),
  );
  await logIteration(plan, ended.last, context);
  onEvent({ type: 'ended', run: ended });
  return message;
}

/** Runs the agent of a counted iteration, and verifies its promise. */
async function runIteration(
  plan: AgentRunPlan,
  saved: SavedAgentRun,
  context: AgentRunContext,
): Promise<{ readonly end: IterationEnd; readonly message: string }> {
  const { root } = plan;
  const { env, now, onEvent, runCommand, signal } = context;
  const { run } = saved;
  const files = join(agentRunOutput(root, run.task_id), `${taskFileName(run.stage)}-${run.iteration}`);
  // A repository can have a link in its place; the agent's output would be written outside of the project.
  realPathInside(root, files);
  const prompt = currentPrompt(plan, run);
  onEvent({ type: 'begun', run, logPath: `${files}.log` });
  const treeBefore = await treeFingerprint(plan, context);
  const result = await runAgent(
    {
      command: plan.order.command ?? currentStage(plan, run).command ?? '',
      prompt,
      cwd: root,
      env,
      timeoutSeconds: plan.iterationTimeoutSeconds,
      treeId: run.id,
      promptPath: `${files}.md`,
      logPath: `${files}.log`,
    },
    runCommand,
    {
      signal,
      onSpawned: async (pid) => {
        const agent = await identifyProcess(pid);
        const { status } = await saved.changeUnlessCancelled((present) => withAgent(present, agent));
        if (status === 'cancelled') throw new Error('the run is cancelled');
      },
    },
  );
  const treeAfter = await treeFingerprint(plan, context);
  const finished: FinishedAgent = {
    result,
    prompt,
    changed: differ(treeBefore, treeAfter),
    treeChanged: differ(run.base_tree, treeAfter),
  };
  const end = await judgeIteration(plan, run, finished, context, (names) => {
    onEvent({ type: 'gates', names });
    const name = listed(names, 200);
    // Only `status` shows it. If it cannot be saved, the end of the iteration cannot be saved either, which is reported.
    saved
      .changeUnlessCancelled((present) => withActivity(present, { kind: 'gate', name }, now()))
      .catch(() => {});
  });
  return { end, message: result.message };
}

/** Returns null without git. */
function differ(one: string | null, other: string | null): boolean | null {
  return one === null || other === null ? null : one !== other;
}

async function logIteration(
  { root }: AgentRunPlan,
  last: IterationRecord | null,
  { onEvent }: AgentRunContext,
): Promise<void> {
  if (last === null) return;
  try {
    await appendProjectLog(root, last);
  } catch (error) {
    onEvent({ type: 'note', text: `The execution log cannot be written: ${reasonOf(error)}` });
  }
}

function updateTask(
  { taskFile }: AgentRunPlan,
  run: AgentRun,
  lastMessage: string,
  { onEvent }: AgentRunContext,
): void {
  const recorded = taskFile && recordInTask(taskFile.path, run, lastMessage);
  if (recorded?.ok === false) onEvent({ type: 'note', text: recorded.failure.message });
}

/**
 * The run that this process executes. The copy in memory counts: an agent can write the state file too, but it gains
 * neither iterations nor a pass by that. All that is taken from the file is that the run was cancelled, and by whom.
 */
class SavedAgentRun {
  readonly #root: string;
  #run: AgentRun;
  /** Changes are made one after another, also those that nobody waits for. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(root: string, run: AgentRun) {
    this.#root = root;
    this.#run = run;
  }

  get run(): AgentRun {
    return this.#run;
  }

  /**
   * Changes the run and saves it.
   *
   * @throws when it cannot be saved
   */
  change(change: (run: AgentRun) => AgentRun): Promise<AgentRun> {
    const saved = this.#queue.then(() => this.#save(change));
    this.#queue = saved.catch(() => {});
    return saved;
  }

  changeUnlessCancelled(change: (run: AgentRun) => AgentRun): Promise<AgentRun> {
    return this.change((run) => (run.status === 'cancelled' ? run : change(run)));
  }

  async #save(change: (run: AgentRun) => AgentRun): Promise<AgentRun> {
    const { id, task_id } = this.#run;
    const changed = await updateAgentRun(this.#root, task_id, (saved) => {
      if (saved?.id !== id || saved.status !== 'cancelled') return success(change(this.#run));
      const { status, cancelled_by } = saved;
      return success(change({ ...this.#run, status, ...(cancelled_by !== undefined && { cancelled_by }) }));
    }).catch((error: Error) => {
      throw new Error(
        `the state of ${task_id} cannot be written: ${reasonOf(error)}. To resume the run later: ralph-loop run --resume ${task_id}`,
        { cause: error },
      );
    });
    if (changed.ok) this.#run = changed.value;
    return this.#run;
  }
}

/**
 * Settles the checkpoint of a run that has ended.
 *
 * @param root absolute directory of the project
 * @param endedBy `this`: the process that executes the run; `other`: its process has ended earlier
 * @returns a message for the person
 */
export async function settleRunCheckpoint(
  root: string,
  run: AgentRun,
  endedBy: 'this' | 'other',
  context: { readonly now: Date; readonly env: NodeJS.ProcessEnv },
): Promise<string | undefined> {
  const { id, checkpoint, status } = run;
  if (checkpoint === null || status === 'running') return undefined;
  const { note } = await settleLoopCheckpoint(root, { id, checkpoint }, endOf(run, endedBy), context);
  return note;
}

function endOf({ status, order, ended_tree }: AgentRun, endedBy: 'this' | 'other'): LoopEnd {
  if (status === 'passed') return { how: 'passed' };
  // An interrupted run can be resumed.
  if (!order.rollback || status === 'interrupted') return { how: 'kept' };
  return { how: 'failed', tree: endedBy === 'this' ? 'now' : (ended_tree ?? null) };
}
