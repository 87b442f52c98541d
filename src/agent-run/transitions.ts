import type { ProcessIdentity } from '../process/identity.ts';
import type { Activity, AgentRun, AgentRunFailure } from '../state/agent-run.ts';
import type { IterationRecord } from '../state/log-record.ts';

/** What a loop keeps to in a stage. */
export interface StageRules {
  readonly agent: string;
  /** False: the agent is run once, without a loop. */
  readonly enabled: boolean;
  readonly maxIterations: number;
  readonly completionPromise: string;
}

/** What a loop as a whole keeps to. */
export interface AgentRunRules {
  /** Of each of its stages, in their order. */
  readonly stages: readonly StageRules[];
  /** Infinite where it may cost whatever it does. */
  readonly maxCostUsd: number;
  readonly maxStalled: number;
}

/** How an iteration ended. */
export interface IterationEnd
  extends Pick<
    IterationRecord,
    'outcome' | 'why' | 'promise_found' | 'duration_ms' | 'cost_usd' | 'tokens' | 'gates'
  > {
  /** What its agent is to be told next time; null: the same as this time. */
  readonly feedback: string | null;
  /** The same text for the same failure. */
  readonly failedBy: string | null;
  /** Whether the agent has changed anything; null where git does not tell. */
  readonly changed: boolean | null;
  /** It ended with an error before it can have done anything. */
  readonly crashedAtOnce: boolean;
}

type AgentRunStart = Pick<
  AgentRun,
  'id' | 'task_id' | 'title' | 'order' | 'base_tree' | 'checkpoint' | 'driver'
>;

export function createAgentRun(about: AgentRunStart, { stages }: AgentRunRules, now: Date): AgentRun {
  const time = now.toISOString();
  return {
    ...about,
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

/** Counts an iteration before its agent is started: whatever happens then, it is spent. */
export function beginIteration(loop: AgentRun, now: Date): AgentRun {
  return {
    ...withActivity(loop, { kind: 'agent', name: loop.stage }, now),
    iteration: loop.iteration + 1,
    agent: null,
  };
}

export function withAgent(loop: AgentRun, agent: ProcessIdentity): AgentRun {
  return { ...loop, agent };
}

/** What goes on within the present iteration. */
export function withActivity(loop: AgentRun, activity: Omit<Activity, 'since'>, now: Date): AgentRun {
  const since = now.toISOString();
  return { ...loop, activity: { ...activity, since }, updated_at: since };
}

/** How an iteration is told of whose driver was killed; nobody knows how long it took. */
const INTERRUPTED_BY_KILL: IterationEnd = {
  outcome: 'interrupted',
  why: 'its driver was killed',
  promise_found: false,
  duration_ms: 0,
  cost_usd: null,
  tokens: null,
  gates: [],
  feedback: null,
  failedBy: null,
  changed: null,
  crashedAtOnce: false,
};

/**
 * Goes on with a loop that was interrupted, or whose driver was killed. An iteration whose agent had been started is
 * spent; one that had only been counted begins again under its number.
 */
export function resumedRun(
  loop: AgentRun,
  driver: ProcessIdentity,
  rules: AgentRunRules,
  now: Date,
): AgentRun {
  const resumed: AgentRun = { ...loop, status: 'running', driver, updated_at: now.toISOString() };
  const isSpent = loop.iteration >= loop.max_iterations;
  if (loop.activity === null) return isSpent ? failedRun(resumed, 'cap') : resumed;
  const wasStarted = loop.agent !== null || loop.activity.kind === 'gate';
  if (!wasStarted) return { ...resumed, iteration: loop.iteration - 1, activity: null };
  const ended = endIteration(loop, INTERRUPTED_BY_KILL, rules, now);
  const next: AgentRun = isSpent ? failedRun(ended, 'cap') : { ...ended, status: 'running', driver };
  return { ...next, last: ended.last && { ...ended.last, continuing: !isSpent } };
}

export function cancelledRun(loop: AgentRun, now: Date): AgentRun {
  return { ...loop, status: 'cancelled', updated_at: now.toISOString() };
}

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
    return tooDear ? failedRun(loop, 'budget') : { ...loop, ...atStage(next) };
  }
  const failure = failureOf(loop, end, tooDear, rules);
  return failure === undefined ? loop : failedRun(loop, failure);
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

export function failedRun(loop: AgentRun, failure: AgentRunFailure): AgentRun {
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
