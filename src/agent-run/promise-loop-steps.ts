import type { ProcessMark } from '../process/process-mark.ts';
import type { Activity, PromiseLoop } from '../state/promise-loop.ts';
import { endIteration, giveUp } from './end-iteration.ts';
import type { IterationEnd, LoopRules } from './promise-loop-rules.ts';
import { atStage } from './promise-loop-stage.ts';

type Begun = Pick<PromiseLoop, 'id' | 'task_id' | 'title' | 'order' | 'base_tree' | 'checkpoint' | 'driver'>;

export function beginPromiseLoop(about: Begun, { stages }: LoopRules, now: Date): PromiseLoop {
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
export function beginIteration(loop: PromiseLoop, now: Date): PromiseLoop {
  return {
    ...during(loop, { kind: 'agent', name: loop.stage }, now),
    iteration: loop.iteration + 1,
    agent: null,
  };
}

export function noteAgent(loop: PromiseLoop, agent: ProcessMark): PromiseLoop {
  return { ...loop, agent };
}

/** What goes on within the present iteration. */
export function during(loop: PromiseLoop, activity: Omit<Activity, 'since'>, now: Date): PromiseLoop {
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
export function resumeLoop(loop: PromiseLoop, driver: ProcessMark, rules: LoopRules, now: Date): PromiseLoop {
  const resumed: PromiseLoop = { ...loop, status: 'running', driver, updated_at: now.toISOString() };
  const isSpent = loop.iteration >= loop.max_iterations;
  if (loop.activity === null) return isSpent ? giveUp(resumed, 'cap') : resumed;
  const wasStarted = loop.agent !== null || loop.activity.kind === 'gate';
  if (!wasStarted) return { ...resumed, iteration: loop.iteration - 1, activity: null };
  const ended = endIteration(loop, BROKEN_OFF, rules, now);
  const next: PromiseLoop = isSpent ? giveUp(ended, 'cap') : { ...ended, status: 'running', driver };
  return { ...next, last: ended.last && { ...ended.last, continuing: !isSpent } };
}

export function cancelLoop(loop: PromiseLoop, now: Date): PromiseLoop {
  return { ...loop, status: 'cancelled', updated_at: now.toISOString() };
}
