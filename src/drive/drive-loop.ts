import { join } from 'node:path';
import { fingerprintTree } from '../checkpoint/fingerprint-tree.ts';
import { endIteration } from '../loop/end-iteration.ts';
import { appendLog } from '../loop/execution-log.ts';
import { ralphDirectory } from '../loop/loop-location.ts';
import type { PromiseLoop } from '../loop/promise-loop.ts';
import { taskFileName } from '../loop/promise-loop-file.ts';
import type { IterationEnd } from '../loop/promise-loop-rules.ts';
import { beginIteration, during, noteAgent } from '../loop/promise-loop-steps.ts';
import { endStrays } from '../process/end-strays.ts';
import { markProcess } from '../process/mark-process.ts';
import { renderPrompt } from '../promise/render-prompt.ts';
import type { StopEffects } from '../stop-effects.ts';
import { type AgentEnd, judgeAgent } from './judge-agent.ts';
import { OwnLoop } from './own-loop.ts';
import { type LoopPlan, stageOf } from './plan-loop.ts';
import { presentSpecification, specificationFor } from './read-specification.ts';
import { runAgent } from './run-agent.ts';
import { promiseOutput } from './run-promise-gates.ts';
import { settleLoop } from './settle-loop.ts';
import { noteInTask } from './task-file.ts';

/** What happens while a loop is driven, told as it happens. */
export type LoopEvent =
  | { readonly type: 'begun'; readonly loop: PromiseLoop; readonly logPath: string }
  | { readonly type: 'gate'; readonly name: string }
  | { readonly type: 'ended'; readonly loop: PromiseLoop }
  /** Something went wrong that does not end the loop. */
  | { readonly type: 'note'; readonly text: string };

export interface DriveEffects extends StopEffects {
  readonly onEvent: (event: LoopEvent) => void;
}

const GIT_TIMEOUT_MS = 10_000;
/** How often it is looked whether the loop's file is still there. */
const KEEP_MS = 1000;

/**
 * Drives a loop until it passes, is given up, interrupted or cancelled.
 *
 * @param loop saved, and running
 * @throws where its state cannot be written: nothing would count the iterations
 */
export async function driveLoop(
  plan: LoopPlan,
  loop: PromiseLoop,
  effects: DriveEffects,
): Promise<PromiseLoop> {
  const own = new OwnLoop(plan.root, loop);
  let said = '';
  // Whoever wants to see or cancel the loop must find it. Where it cannot be written, its next change tells.
  const keeping = setInterval(() => own.writeIfGone().catch(() => {}), KEEP_MS);
  try {
    while (own.present.status === 'running') said = await iterate(plan, own, effects);
  } finally {
    clearInterval(keeping);
  }
  const settled = await settleLoop(plan.root, own.present, { now: effects.now(), env: effects.env });
  if (settled !== undefined) effects.onEvent({ type: 'note', text: settled });
  noteTask(plan, own.present, said, effects);
  return own.present;
}

/** One iteration: it is counted, the agent works, what it promises is verified. @returns what the agent said last */
async function iterate(plan: LoopPlan, own: OwnLoop, effects: DriveEffects): Promise<string> {
  const { now, onEvent } = effects;
  const loop = await own.changeUnlessCancelled((present) => beginIteration(present, now()));
  if (loop.status !== 'running') return '';
  noteTask(plan, loop, '', effects);
  const { end, said } = await work(plan, own, effects);
  const ended = await own.change((present) =>
    endIteration(present, present.status === 'cancelled' ? cancelled(end) : end, plan.rules, now()),
  );
  await log(plan, ended, effects);
  onEvent({ type: 'ended', loop: ended });
  return said;
}

async function work(
  plan: LoopPlan,
  own: OwnLoop,
  effects: DriveEffects,
): Promise<{ readonly end: IterationEnd; readonly said: string }> {
  const { root } = plan;
  const { now, onEvent } = effects;
  const loop = own.present;
  const files = join(promiseOutput(root, loop), `${taskFileName(loop.stage)}-${loop.iteration}`);
  const prompt = promptOf(plan, loop);
  onEvent({ type: 'begun', loop, logPath: `${files}.log` });
  const treeBefore = await treeOf(plan, effects);
  const run = await runAgent(
    {
      command: plan.order.command ?? stageOf(plan, loop).command ?? '',
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
        const agent = await markProcess(pid);
        const { status } = await own.changeUnlessCancelled((present) => noteAgent(present, agent));
        if (status === 'cancelled') throw new Error('the loop is cancelled');
      },
    },
  );
  const treeAfter = await treeOf(plan, effects);
  const agentEnd: AgentEnd = {
    run,
    prompt,
    changed: differ(treeBefore, treeAfter),
    treeChanged: differ(loop.base_tree, treeAfter),
  };
  const end = await judgeAgent(plan, loop, agentEnd, effects, (name) => {
    onEvent({ type: 'gate', name });
    // For people who look: where it cannot be saved, the iteration's end cannot be either, and that is told.
    own.changeUnlessCancelled((present) => during(present, { kind: 'gate', name }, now())).catch(() => {});
  });
  // Gates that were cut off leave processes behind, too.
  if (effects.signal.aborted) endStrays(loop.id);
  return { end, said: run.message };
}

/** What the agent of this iteration reads. */
export function promptOf(plan: LoopPlan, loop: PromiseLoop): string {
  return renderPrompt({
    taskId: loop.task_id,
    title: loop.title,
    stage: loop.stage,
    iteration: loop.iteration,
    maxIterations: loop.max_iterations,
    specification: specificationFor(stageOf(plan, loop), presentSpecification(plan)),
    promise: loop.completion_promise,
    feedback: loop.feedback,
  });
}

/** The working tree as it is now; the task's file, wherever it lies, is changed by the loop itself. */
export async function treeOf(
  { root, taskFile }: Pick<LoopPlan, 'root' | 'taskFile'>,
  { runCommand, env, signal }: Pick<StopEffects, 'runCommand' | 'env' | 'signal'>,
): Promise<string | null> {
  const options = { runCommand, env, signal, timeoutMs: GIT_TIMEOUT_MS, except: taskFile?.path };
  return (await fingerprintTree(root, options)) ?? null;
}

/** @returns null where git does not tell */
function differ(one: string | null, other: string | null): boolean | null {
  return one === null || other === null ? null : one !== other;
}

function cancelled(end: IterationEnd): IterationEnd {
  return { ...end, outcome: 'cancelled', why: 'it was cancelled' };
}

async function log({ root }: LoopPlan, { last }: PromiseLoop, { onEvent }: DriveEffects): Promise<void> {
  if (last === null) return;
  try {
    await appendLog(ralphDirectory(root), last);
  } catch (error) {
    onEvent({ type: 'note', text: `The execution log could not be written: ${(error as Error).message}` });
  }
}

function noteTask(plan: LoopPlan, loop: PromiseLoop, said: string, { onEvent }: DriveEffects): void {
  const why = plan.taskFile && noteInTask(plan.taskFile.path, loop, said);
  if (why !== undefined) onEvent({ type: 'note', text: why });
}
