import type { AgentRun } from '../state/agent-run.ts';
import { type LoopPlan, stageOf } from './plan-loop.ts';
import { renderPrompt } from './promise/render-prompt.ts';
import { presentSpecification, specificationFor } from './read-specification.ts';

/** What the agent of this iteration reads. */
export function promptOf(plan: LoopPlan, loop: AgentRun): string {
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
