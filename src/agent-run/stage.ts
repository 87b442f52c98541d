import type { AgentRun } from '../state/agent-run.ts';
import type { StageRules } from './rules.ts';

/** A loop's fields at the beginning of a stage. */
export function atStage(
  stage: StageRules | undefined,
): Pick<
  AgentRun,
  | 'stage'
  | 'iteration'
  | 'max_iterations'
  | 'completion_promise'
  | 'feedback'
  | 'failed_by'
  | 'stalled'
  | 'crashed'
> {
  return {
    stage: stage?.agent ?? '',
    iteration: 0,
    max_iterations: stage?.enabled ? stage.maxIterations : 1,
    completion_promise: stage?.completionPromise ?? '',
    feedback: null,
    failed_by: null,
    stalled: 0,
    crashed: 0,
  };
}
