import { identifyProcess } from '../process/identity.ts';
import type { AgentRun } from '../state/agent-run.ts';
import { updateAgentRun } from '../state/agent-run-file.ts';
import { appendLog, type IterationRecord, readIterations } from '../state/execution-log.ts';
import { ralphDirectory } from '../state/paths.ts';
import type { StopContext } from '../verification/types.ts';
import { type Begun, findDriven, isTakenOver, refuseDriven } from './begin-loop.ts';
import { endAgent } from './end-agent.ts';
import type { LoopPlan } from './plan-loop.ts';
import { resumeAgentRun } from './transitions.ts';

/**
 * Goes on with a task's loop that was interrupted, or whose driver was killed; an agent that it left behind is ended
 * first.
 *
 * @throws where its state cannot be written
 */
export async function resumeKeptLoop(plan: LoopPlan, kept: AgentRun, { now }: StopContext): Promise<Begun> {
  const { root, task, rules } = plan;
  const driven = await findDriven(plan);
  if (driven) return refuseDriven(driven);
  const driver = await identifyProcess(process.pid);
  const resumed = await updateAgentRun(root, task, (present) => {
    if (!present) return { refused: `There is no loop of ${task} any more.` };
    if (isTakenOver(present, kept)) return refuseDriven(present);
    return whyOver(present) ?? resumeAgentRun(present, driver, rules, now());
  });
  if ('refused' in resumed) return resumed;
  // Of two that resume at once, the one that is refused must not end the other's agent.
  await endAgent(kept);
  if (resumed.last) await logOnce(root, resumed.last);
  return { loop: resumed, notes: [] };
}

/** Why a loop cannot be gone on with, where it has come to its end. */
export function whyOver({ task_id, status }: AgentRun): { readonly refused: string } | undefined {
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
