import type { ProcessIdentity } from '../process/process-group.ts';
import type { Activity, AgentRun, AgentRunFailure } from '../state/agent-run.ts';
import type { IterationRecord } from '../state/execution-log.ts';

/** The limits of one stage. */
interface StageRules {
  readonly agent: string;
  /** False: the agent runs once, without repetition. */
  readonly enabled: boolean;
  readonly maxIterations: number;
  readonly completionPromise: string;
}

/** The limits of an agent run. */
export interface AgentRunRules {
  /** In the order in which they run. */
  readonly stages: readonly StageRules[];
  /** Infinite without a limit. */
  readonly maxCostUsd: number;
  readonly maxStalled: number;
}

/** The result of one iteration. */
export interface IterationEnd
  extends Pick<
    IterationRecord,
    'outcome' | 'why' | 'promise_found' | 'duration_ms' | 'cost_usd' | 'tokens' | 'gates' | 'escalated'
  > {
  /** What the next prompt says about it; null keeps the feedback of this iteration. */
  readonly feedback: string | null;
  /** Identifies the failure: equal texts are the same failure. */
  readonly failedBy: string | null;
  /** Whether the agent changed the working tree; null without git. */
  readonly changed: boolean | null;
  /** Whether the agent failed before it can have done anything. */
  readonly crashedAtOnce: boolean;
}

/** After so many agents in a row that failed at once, the next one would fail too. */
const MAX_CRASHED = 3;

type AgentRunStart = Pick<
  AgentRun,
  'id' | 'task_id' | 'title' | 'order' | 'prompt' | 'base_tree' | 'checkpoint' | 'driver'
>;

export function createAgentRun(start: AgentRunStart, { stages }: AgentRunRules, now: Date): AgentRun {
  const time = now.toISOString();
  return {
    ...start,
    stages: stages.map(({ agent }) => agent),
    ...atStage(stages[0]),
    status: 'running',
    failure: null,
    activity: null,
    agent: null,
    last: null,
    cost_usd: null,
    tokens: null,
    started_at: time,
    updated_at: time,
  };
}

/** The fields that a new stage resets. */
function atStage(stage: StageRules | undefined) {
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

/** Counts an iteration. It is counted before its agent starts, so that a killed process cannot lose the count. */
export function beginIteration(run: AgentRun, now: Date): AgentRun {
  return {
    ...withActivity(run, { kind: 'agent', name: run.stage }, now),
    iteration: run.iteration + 1,
    agent: null,
  };
}

export function withAgent(run: AgentRun, agent: ProcessIdentity): AgentRun {
  return { ...run, agent };
}

export function withActivity(run: AgentRun, activity: Omit<Activity, 'since'>, now: Date): AgentRun {
  const since = now.toISOString();
  return { ...run, activity: { ...activity, since }, updated_at: since };
}

/** Ends the current iteration: the run passes, continues with this stage or the next, or fails. */
export function endIteration(run: AgentRun, end: IterationEnd, rules: AgentRunRules, now: Date): AgentRun {
  const ended: AgentRun = {
    ...run,
    activity: null,
    agent: null,
    feedback: end.feedback ?? run.feedback,
    failed_by: end.failedBy,
    stalled: stalledAfter(run, end),
    crashed: end.crashedAtOnce ? run.crashed + 1 : 0,
    cost_usd: sum(run.cost_usd, end.cost_usd),
    tokens: sum(run.tokens, end.tokens),
    updated_at: now.toISOString(),
  };
  const next = nextState(ended, end, rules);
  return { ...next, last: recordOf(run, end, next.status === 'running', now) };
}

function stalledAfter(run: AgentRun, { changed, failedBy }: IterationEnd): number {
  if (changed !== false) return 0;
  return run.failed_by === null || run.failed_by === failedBy ? run.stalled + 1 : 1;
}

function nextState(run: AgentRun, { outcome }: IterationEnd, rules: AgentRunRules): AgentRun {
  if (outcome === 'cancelled' || outcome === 'interrupted') return { ...run, status: outcome, driver: null };
  const isOverBudget = (run.cost_usd ?? 0) > rules.maxCostUsd;
  if (outcome === 'accepted') {
    const next = rules.stages[run.stages.indexOf(run.stage) + 1];
    if (!next) return { ...run, status: 'passed', driver: null, feedback: null };
    return isOverBudget ? failedRun(run, 'budget') : { ...run, ...atStage(next) };
  }
  if (outcome === 'escalated') return failedRun(run, 'escalated');
  if (outcome === 'not-started') return failedRun(run, 'no-agent');
  if (isOverBudget) return failedRun(run, 'budget');
  if (run.crashed >= MAX_CRASHED) return failedRun(run, 'crashing');
  if (run.stalled >= rules.maxStalled) return failedRun(run, 'stalled');
  if (run.iteration < run.max_iterations) return run;
  const stage = rules.stages.find(({ agent }) => agent === run.stage);
  return failedRun(run, stage?.enabled === false ? 'once' : 'cap');
}

function failedRun(run: AgentRun, failure: AgentRunFailure): AgentRun {
  return { ...run, status: 'failed', failure, driver: null };
}

function recordOf(run: AgentRun, end: IterationEnd, continuing: boolean, now: Date): IterationRecord {
  const { outcome, why, promise_found, duration_ms, cost_usd, tokens, gates, escalated } = end;
  return {
    time: now.toISOString(),
    loop: run.id,
    task_id: run.task_id,
    stage: run.stage,
    ralph_iteration: run.iteration,
    ralph_max: run.max_iterations,
    promise_found,
    continuing,
    duration_ms,
    cost_usd,
    tokens,
    outcome,
    why,
    gates,
    ...(escalated && { escalated }),
  };
}

function sum(one: number | null, other: number | null): number | null {
  return one === null && other === null ? null : (one ?? 0) + (other ?? 0);
}

/** The end of an iteration without a result. */
const NO_RESULT = {
  promise_found: false,
  duration_ms: 0,
  cost_usd: null,
  tokens: null,
  gates: [],
  feedback: null,
  failedBy: null,
  changed: null,
  crashedAtOnce: false,
} as const;

/** The end of an iteration whose ralph-loop process was killed. Its duration is unknown. */
const PROCESS_KILLED: IterationEnd = {
  ...NO_RESULT,
  outcome: 'interrupted',
  why: 'the ralph-loop process was killed',
};

/** The end of an iteration during which the run was cancelled. */
export function asCancelled(end: IterationEnd, { cancelled_by }: AgentRun): IterationEnd {
  return { ...end, outcome: 'cancelled', why: `the run was cancelled ${cancelled_by ?? ''}`.trim() };
}

/** For the log: a run that was cancelled while none of its iterations was in progress. */
export function cancelledRecord(run: AgentRun, now: Date): IterationRecord {
  return recordOf(run, asCancelled({ ...NO_RESULT, outcome: 'cancelled', why: '' }, run), false, now);
}

/**
 * Continues a run that was interrupted, or whose process was killed. An iteration whose agent had started is used up;
 * one that had only been counted starts again under the same number.
 */
export function resumeRun(run: AgentRun, driver: ProcessIdentity, rules: AgentRunRules, now: Date): AgentRun {
  const resumed: AgentRun = { ...run, status: 'running', driver, updated_at: now.toISOString() };
  const isLast = run.iteration >= run.max_iterations;
  if (run.activity === null) return isLast ? failedRun(resumed, 'cap') : resumed;
  const wasStarted = run.agent !== null || run.activity.kind === 'gate';
  if (!wasStarted) return { ...resumed, iteration: run.iteration - 1, activity: null };
  const ended = endIteration(run, PROCESS_KILLED, rules, now);
  const next: AgentRun = isLast ? failedRun(ended, 'cap') : { ...ended, status: 'running', driver };
  return { ...next, last: ended.last && { ...ended.last, continuing: !isLast } };
}

export function cancelRun(run: AgentRun, by: string, now: Date): AgentRun {
  return { ...run, status: 'cancelled', cancelled_by: by, updated_at: now.toISOString() };
}
