import type { AgentRun } from '../state/agent-run.ts';
import { appendLog } from '../state/execution-log.ts';
import { ralphDirectory } from '../state/paths.ts';
import { endIteration } from './end-iteration.ts';
import type { AgentRunContext } from './loop-event.ts';
import { OwnLoop } from './own-loop.ts';
import type { LoopPlan } from './plan-loop.ts';
import type { IterationEnd } from './rules.ts';
import { runIteration } from './run-iteration.ts';
import { settleLoop } from './settle-loop.ts';
import { noteInTask } from './task-file.ts';
import { beginIteration } from './transitions.ts';

/** How often it is looked whether the loop's file is still there. */
const KEEP_MS = 1000;

/**
 * Drives a loop until it passes, is given up, interrupted or cancelled.
 *
 * @param loop saved, and running
 * @throws where its state cannot be written: nothing would count the iterations
 */
export async function runIterations(
  plan: LoopPlan,
  loop: AgentRun,
  effects: AgentRunContext,
): Promise<AgentRun> {
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
async function iterate(plan: LoopPlan, own: OwnLoop, effects: AgentRunContext): Promise<string> {
  const { now, onEvent } = effects;
  const loop = await own.changeUnlessCancelled((present) => beginIteration(present, now()));
  if (loop.status !== 'running') return '';
  noteTask(plan, loop, '', effects);
  const { end, said } = await runIteration(plan, own, effects);
  const ended = await own.change((present) =>
    endIteration(present, present.status === 'cancelled' ? cancelled(end) : end, plan.rules, now()),
  );
  await log(plan, ended, effects);
  onEvent({ type: 'ended', loop: ended });
  return said;
}

function cancelled(end: IterationEnd): IterationEnd {
  return { ...end, outcome: 'cancelled', why: 'it was cancelled' };
}

async function log({ root }: LoopPlan, { last }: AgentRun, { onEvent }: AgentRunContext): Promise<void> {
  if (last === null) return;
  try {
    await appendLog(ralphDirectory(root), last);
  } catch (error) {
    onEvent({ type: 'note', text: `The execution log could not be written: ${(error as Error).message}` });
  }
}

function noteTask(plan: LoopPlan, loop: AgentRun, said: string, { onEvent }: AgentRunContext): void {
  const why = plan.taskFile && noteInTask(plan.taskFile.path, loop, said);
  if (why !== undefined) onEvent({ type: 'note', text: why });
}
