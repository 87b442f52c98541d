import { join } from 'node:path';
import { identifyProcess } from '../process/identity.ts';
import { killOrphans } from '../process/process-group.ts';
import { taskFileName } from '../state/agent-run-file.ts';
import { type AgentEnd, judgeAgent } from './judge-agent.ts';
import type { AgentRunContext } from './loop-event.ts';
import type { OwnLoop } from './own-loop.ts';
import { type LoopPlan, stageOf } from './plan-loop.ts';
import { promptOf } from './prompt-of.ts';
import type { IterationEnd } from './rules.ts';
import { runAgent } from './run-agent.ts';
import { promiseOutput } from './run-promise-gates.ts';
import { during, noteAgent } from './transitions.ts';
import { treeOf } from './tree-of.ts';

/**
 * The agent of an iteration works, and what it promises is verified.
 *
 * @param own counted, and saved
 * @throws where its state or its files cannot be written
 */
export async function runIteration(
  plan: LoopPlan,
  own: OwnLoop,
  effects: AgentRunContext,
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
        const agent = await identifyProcess(pid);
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
  if (effects.signal.aborted) await killOrphans(loop.id);
  return { end, said: run.message };
}

/** @returns null where git does not tell */
function differ(one: string | null, other: string | null): boolean | null {
  return one === null || other === null ? null : one !== other;
}
