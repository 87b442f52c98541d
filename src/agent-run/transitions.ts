import type { ProcessIdentity } from '../process/identity.ts';
import type { Activity, AgentRun } from '../state/agent-run.ts';
import { endIteration, giveUp } from './end-iteration.ts';
import type { AgentRunRules, IterationEnd } from './rules.ts';
import { atStage } from './stage.ts';

type Begun = Pick<AgentRun, 'id' | 'task_id' | 'title' | 'order' | 'base_tree' | 'checkpoint' | 'driver'>;

export function createAgentRun(about: Begun, { stages }: AgentRunRules, now: Date): AgentRun {
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
    ...during(loop, { kind: 'agent', name: loop.stage }, now),
    iteration: loop.iteration + 1,
    agent: null,
  };
}

export function noteAgent(loop: AgentRun, agent: ProcessIdentity): AgentRun {
  return { ...loop, agent };
}

/** What goes on within the present iteration. */
export function during(loop: AgentRun, activity: Omit<Activity, 'since'>, now: Date): AgentRun {
  const since = now.toISOString();
  return { ...loop, activity: { ...activity, since }, updated_at: since };
}

/** How an iteration is told of whose driver was killed; nobody knows how long it took. */
const BROKEN_OFF: IterationEnd = {
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
export function resumeAgentRun(
  loop: AgentRun,
  driver: ProcessIdentity,
  rules: AgentRunRules,
  now: Date,
): AgentRun {
  const resumed: AgentRun = { ...loop, status: 'running', driver, updated_at: now.toISOString() };
  const isSpent = loop.iteration >= loop.max_iterations;
  if (loop.activity === null) return isSpent ? giveUp(resumed, 'cap') : resumed;
  const wasStarted = loop.agent !== null || loop.activity.kind === 'gate';
  if (!wasStarted) return { ...resumed, iteration: loop.iteration - 1, activity: null };
  const ended = endIteration(loop, BROKEN_OFF, rules, now);
  const next: AgentRun = isSpent ? giveUp(ended, 'cap') : { ...ended, status: 'running', driver };
  return { ...next, last: ended.last && { ...ended.last, continuing: !isSpent } };
}

export function cancelAgentRun(loop: AgentRun, now: Date): AgentRun {
  return { ...loop, status: 'cancelled', updated_at: now.toISOString() };
}
