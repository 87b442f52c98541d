import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { keptText } from '../messages/chain-person-texts.ts';
import { identifyProcess } from '../process/identity.ts';
import { killOrphans } from '../process/kill-orphans.ts';
import { type AgentRun, agentRunPath, taskFileName, updateAgentRun } from '../state/agent-run.ts';
import { appendLog } from '../state/execution-log.ts';
import { ralphDirectory } from '../state/loop-location.ts';
import type { StopContext } from '../verification/context.ts';
import { agentRunOutput } from './gates.ts';
import { type FinishedAgent, judgeIteration } from './judge.ts';
import { type AgentRunPlan, currentPrompt, currentStage } from './plan.ts';
import { runAgent } from './run-agent.ts';
import { treeOf } from './start.ts';
import { recordInTask } from './task-file.ts';
import { beginIteration, endIteration, type IterationEnd, withActivity, withAgent } from './transitions.ts';

/** What happens while a loop is driven, told as it happens. */
export type AgentRunEvent =
  | { readonly type: 'begun'; readonly loop: AgentRun; readonly logPath: string }
  | { readonly type: 'gate'; readonly name: string }
  | { readonly type: 'ended'; readonly loop: AgentRun }
  /** Something went wrong that does not end the loop. */
  | { readonly type: 'note'; readonly text: string };

export interface AgentRunContext extends StopContext {
  readonly onEvent: (event: AgentRunEvent) => void;
}

/** How often it is looked whether the loop's file is still there. */
const RESTORE_INTERVAL_MS = 1000;

/**
 * Drives a loop until it passes, is given up, interrupted or cancelled.
 *
 * @param loop saved, and running
 * @throws where its state cannot be written: nothing would count the iterations
 */
export async function runIterations(
  plan: AgentRunPlan,
  loop: AgentRun,
  effects: AgentRunContext,
): Promise<AgentRun> {
  const own = new SavedAgentRun(plan.root, loop);
  let said = '';
  // Whoever wants to see or cancel the loop must find it. Where it cannot be written, its next change tells.
  const keeping = setInterval(() => own.writeIfGone().catch(() => {}), RESTORE_INTERVAL_MS);
  try {
    while (own.present.status === 'running') said = await iterate(plan, own, effects);
  } finally {
    clearInterval(keeping);
  }
  const settled = await settleRunCheckpoint(plan.root, own.present, { now: effects.now(), env: effects.env });
  if (settled !== undefined) effects.onEvent({ type: 'note', text: settled });
  updateTask(plan, own.present, said, effects);
  return own.present;
}

/** One iteration: it is counted, the agent works, what it promises is verified. @returns what the agent said last */
async function iterate(plan: AgentRunPlan, own: SavedAgentRun, effects: AgentRunContext): Promise<string> {
  const { now, onEvent } = effects;
  const loop = await own.changeUnlessCancelled((present) => beginIteration(present, now()));
  if (loop.status !== 'running') return '';
  updateTask(plan, loop, '', effects);
  const { end, said } = await runIteration(plan, own, effects);
  const ended = await own.change((present) =>
    endIteration(present, present.status === 'cancelled' ? asCancelled(end) : end, plan.rules, now()),
  );
  await logIteration(plan, ended, effects);
  onEvent({ type: 'ended', loop: ended });
  return said;
}

function asCancelled(end: IterationEnd): IterationEnd {
  return { ...end, outcome: 'cancelled', why: 'it was cancelled' };
}

async function logIteration(
  { root }: AgentRunPlan,
  { last }: AgentRun,
  { onEvent }: AgentRunContext,
): Promise<void> {
  if (last === null) return;
  try {
    await appendLog(ralphDirectory(root), last);
  } catch (error) {
    onEvent({ type: 'note', text: `The execution log could not be written: ${(error as Error).message}` });
  }
}

function updateTask(plan: AgentRunPlan, loop: AgentRun, said: string, { onEvent }: AgentRunContext): void {
  const why = plan.taskFile && recordInTask(plan.taskFile.path, loop, said);
  if (why !== undefined) onEvent({ type: 'note', text: why });
}

/**
 * The agent of an iteration works, and what it promises is verified.
 *
 * @param own counted, and saved
 * @throws where its state or its files cannot be written
 */
export async function runIteration(
  plan: AgentRunPlan,
  own: SavedAgentRun,
  effects: AgentRunContext,
): Promise<{ readonly end: IterationEnd; readonly said: string }> {
  const { root } = plan;
  const { now, onEvent } = effects;
  const loop = own.present;
  const files = join(agentRunOutput(root, loop), `${taskFileName(loop.stage)}-${loop.iteration}`);
  const prompt = currentPrompt(plan, loop);
  onEvent({ type: 'begun', loop, logPath: `${files}.log` });
  const treeBefore = await treeOf(plan, effects);
  const run = await runAgent(
    {
      command: plan.order.command ?? currentStage(plan, loop).command ?? '',
      prompt,
      cwd: root,
      env: effects.env,
      timeoutSeconds: plan.iterationTimeoutSeconds,
      treeId: loop.id,
      promptPath: `${files}.md`,
      logPath: `${files}.log`,
    },
    effects.runCommand,
    {
      signal: effects.signal,
      onSpawned: async (pid) => {
        const agent = await identifyProcess(pid);
        const { status } = await own.changeUnlessCancelled((present) => withAgent(present, agent));
        if (status === 'cancelled') throw new Error('the loop is cancelled');
      },
    },
  );
  const treeAfter = await treeOf(plan, effects);
  const agentEnd: FinishedAgent = {
    run,
    prompt,
    changed: differ(treeBefore, treeAfter),
    treeChanged: differ(loop.base_tree, treeAfter),
  };
  const end = await judgeIteration(plan, loop, agentEnd, effects, (name) => {
    onEvent({ type: 'gate', name });
    // For people who look: where it cannot be saved, the iteration's end cannot be either, and that is told.
    own
      .changeUnlessCancelled((present) => withActivity(present, { kind: 'gate', name }, now()))
      .catch(() => {});
  });
  // Gates that were cut off leave processes behind, too.
  if (effects.signal.aborted) killOrphans(loop.id);
  return { end, said: run.message };
}

/** @returns null where git does not tell */
function differ(one: string | null, other: string | null): boolean | null {
  return one === null || other === null ? null : one !== other;
}

/**
 * A loop as the process that drives it knows it. Others may cancel it meanwhile, and no more: an agent that writes into
 * the loop's file wins no iterations, nor does it pass by that.
 */
export class SavedAgentRun {
  readonly #root: string;
  #present: AgentRun;
  /** Changes are made one after another, even where nobody waits for them. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param loop as it is saved */
  constructor(root: string, loop: AgentRun) {
    this.#root = root;
    this.#present = loop;
  }

  get present(): AgentRun {
    return this.#present;
  }

  /**
   * Changes it, and saves it before anything else is done. A file that is gone, as after `git clean -fdx`, is written
   * again.
   *
   * @throws where it cannot be written
   */
  change(change: (loop: AgentRun) => AgentRun): Promise<AgentRun> {
    const saved = this.#last.then(() => this.#save(change));
    this.#last = saved.catch(() => {});
    return saved;
  }

  async #save(change: (loop: AgentRun) => AgentRun): Promise<AgentRun> {
    const { id, task_id } = this.#present;
    this.#present = await updateAgentRun(this.#root, task_id, (saved) => {
      // The agent can write the file too: of what stands there, that a person has cancelled the loop is all that counts.
      const isCancelled = saved?.id === id && saved.status === 'cancelled';
      return change(isCancelled ? { ...this.#present, status: 'cancelled' } : this.#present);
    }).catch((error: Error) => {
      const next = `When it can be, go on with: ralph-loop run --resume ${task_id}`;
      throw new Error(`the state of ${task_id} cannot be written: ${error.message}. ${next}`, {
        cause: error,
      });
    });
    return this.#present;
  }

  /** The same, unless somebody has cancelled it: then it stays as it is. */
  changeUnlessCancelled(change: (loop: AgentRun) => AgentRun): Promise<AgentRun> {
    return this.change((loop) => (loop.status === 'cancelled' ? loop : change(loop)));
  }

  /** @throws where it cannot be written */
  async writeIfGone(): Promise<void> {
    if (!existsSync(agentRunPath(this.#root, this.#present.task_id))) await this.change((loop) => loop);
  }
}

/**
 * Does with a loop's checkpoint what was asked for: when the loop passes, it goes and the work stays; when it is given up,
 * and a rollback was asked for, the work goes back to it, after what is there has been saved.
 *
 * @param root absolute directory of the project
 * @returns what the person is to know of it
 */
export async function settleRunCheckpoint(
  root: string,
  { checkpoint, status, order }: AgentRun,
  { now, env }: { readonly now: Date; readonly env: NodeJS.ProcessEnv },
): Promise<string | undefined> {
  if (checkpoint === null || status === 'running') return undefined;
  const { dropCheckpoint } = await import('../checkpoint/drop-checkpoint.ts');
  if (status === 'passed') {
    await dropCheckpoint(root, checkpoint, env);
    return undefined;
  }
  const isGivenUp = status === 'failed' || status === 'cancelled';
  if (!isGivenUp || !order.rollback) return keptText(checkpoint);
  const { rollBack } = await import('../checkpoint/roll-back.ts');
  const { isDone, said } = await rollBack(root, checkpoint, { now, env });
  if (isDone) await dropCheckpoint(root, checkpoint, env);
  return said;
}
