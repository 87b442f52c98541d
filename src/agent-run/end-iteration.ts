import type { AgentRun, AgentRunFailure } from '../state/agent-run.ts';
import type { IterationRecord } from '../state/execution-log.ts';
import type { AgentRunRules, IterationEnd } from './rules.ts';
import { atStage } from './stage.ts';

/** Of agents that end at once, so many in a row are enough to see that the next one will too. */
const MAX_CRASHED = 3;

/** Ends the present iteration: the loop passes, goes on, at this stage or the next, or is given up. */
export function endIteration(loop: AgentRun, end: IterationEnd, rules: AgentRunRules, now: Date): AgentRun {
  const spent: AgentRun = {
    ...loop,
    activity: null,
    agent: null,
    feedback: end.feedback ?? loop.feedback,
    failed_by: end.failedBy,
    stalled: stalledAfter(loop, end),
    crashed: end.crashedAtOnce ? loop.crashed + 1 : 0,
    cost_usd: sum(loop.cost_usd, end.cost_usd),
    tokens: sum(loop.tokens, end.tokens),
    updated_at: now.toISOString(),
  };
  const next = afterIteration(spent, end, rules);
  return { ...next, last: recordOf(loop, end, next.status === 'running', now) };
}

function stalledAfter(loop: AgentRun, { changed, failedBy }: IterationEnd): number {
  if (changed !== false) return 0;
  return loop.failed_by === null || loop.failed_by === failedBy ? loop.stalled + 1 : 1;
}

function afterIteration(loop: AgentRun, end: IterationEnd, rules: AgentRunRules): AgentRun {
  const { outcome } = end;
  if (outcome === 'cancelled' || outcome === 'interrupted') return { ...loop, status: outcome, driver: null };
  const tooDear = (loop.cost_usd ?? 0) > rules.maxCostUsd;
  if (outcome === 'accepted') {
    const next = rules.stages[loop.stages.indexOf(loop.stage) + 1];
    if (!next) return { ...loop, status: 'passed', driver: null, feedback: null };
    return tooDear ? giveUp(loop, 'budget') : { ...loop, ...atStage(next) };
  }
  const failure = failureOf(loop, end, tooDear, rules);
  return failure === undefined ? loop : giveUp(loop, failure);
}

function failureOf(
  loop: AgentRun,
  { outcome }: IterationEnd,
  tooDear: boolean,
  { stages, maxStalled }: AgentRunRules,
): AgentRunFailure | undefined {
  if (outcome === 'not-started') return 'no-agent';
  if (tooDear) return 'budget';
  if (loop.crashed >= MAX_CRASHED) return 'crashing';
  if (loop.stalled >= maxStalled) return 'stalled';
  if (loop.iteration < loop.max_iterations) return undefined;
  return stages.find(({ agent }) => agent === loop.stage)?.enabled === false ? 'once' : 'cap';
}

export function giveUp(loop: AgentRun, failure: AgentRunFailure): AgentRun {
  return { ...loop, status: 'failed', failure, driver: null };
}

function recordOf(loop: AgentRun, end: IterationEnd, continuing: boolean, now: Date): IterationRecord {
  const { outcome, why, promise_found, duration_ms, cost_usd, tokens, gates } = end;
  return {
    time: now.toISOString(),
    loop: loop.id,
    task_id: loop.task_id,
    stage: loop.stage,
    ralph_iteration: loop.iteration,
    ralph_max: loop.max_iterations,
    promise_found,
    continuing,
    duration_ms,
    cost_usd,
    tokens,
    outcome,
    why,
    gates,
  };
}

function sum(one: number | null, other: number | null): number | null {
  return one === null && other === null ? null : (one ?? 0) + (other ?? 0);
}
