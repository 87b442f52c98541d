import { describe, expect, test } from 'vitest';
import {
  type AgentRunRules,
  beginIteration,
  createAgentRun,
  endIteration,
  type IterationEnd,
  resumeRun,
  withActivity,
  withAgent,
} from '../../../src/agent-run/transitions.ts';
import type { AgentRun } from '../../../src/state/agent-run.ts';

const NOW = new Date('2026-01-31T10:30:00Z');
const DRIVER = { pid: 1, started: '1' };
const AGENT = { pid: 2, started: '2' };
const stage = (agent: string, maxIterations = 3, enabled = true) => ({
  agent,
  maxIterations,
  enabled,
  completionPromise: `${agent} DONE`,
});
const rulesOf = (more: Partial<AgentRunRules> = {}): AgentRunRules => ({
  stages: [stage('coder'), stage('qa', 2)],
  maxCostUsd: 1,
  maxStalled: 2,
  ...more,
});
const END: IterationEnd = {
  outcome: 'denied',
  why: 'the tests fail',
  promise_found: true,
  duration_ms: 5,
  cost_usd: null,
  tokens: null,
  gates: [],
  feedback: 'Fix it.',
  failedBy: 'tests',
  changed: true,
  crashedAtOnce: false,
};

function newRun(rules = rulesOf()): AgentRun {
  const order = { command: ['claude'], prompt_file: null, rollback: false };
  const about = {
    id: 'x',
    task_id: 'T',
    title: null,
    order,
    base_tree: null,
    checkpoint: null,
    driver: DRIVER,
  };
  return createAgentRun(about, rules, NOW);
}

/** Returns the run after iterations with these ends. */
function after(ends: readonly Partial<IterationEnd>[], rules = rulesOf()): AgentRun {
  return ends.reduce(
    (run, end) => endIteration(withAgent(beginIteration(run, NOW), AGENT), { ...END, ...end }, rules, NOW),
    newRun(rules),
  );
}

const accepted: Partial<IterationEnd> = { outcome: 'accepted', feedback: null, failedBy: null };
const idle: Partial<IterationEnd> = { changed: false };

describe('endIteration', () => {
  test.each<[string, Partial<IterationEnd>[], object, Partial<AgentRunRules>?]>([
    [
      'continues the run and keeps the feedback',
      [{}],
      { status: 'running', stage: 'coder', iteration: 1, feedback: 'Fix it.' },
    ],
    [
      'keeps the earlier feedback when there is no new one',
      [{}, { outcome: 'timed-out', feedback: null }],
      { feedback: 'Fix it.' },
    ],
    [
      'continues with the next stage from its first iteration',
      [{}, accepted],
      {
        status: 'running',
        stage: 'qa',
        iteration: 0,
        max_iterations: 2,
        completion_promise: 'qa DONE',
        feedback: null,
      },
    ],
    [
      'passes the run after the last stage',
      [accepted, accepted],
      { status: 'passed', stage: 'qa', iteration: 1, driver: null },
    ],
    ['removes the feedback when the run has passed', [accepted, {}, accepted], { feedback: null }],
    [
      'fails the run at the last iteration',
      [{}, {}, {}],
      { status: 'failed', failure: 'cap', iteration: 3, driver: null },
    ],
    [
      'fails the run at the last iteration of a stage',
      [accepted, {}, {}],
      { status: 'failed', failure: 'cap', stage: 'qa' },
    ],
    ['accepts a promise at the last iteration', [{}, {}, accepted], { status: 'running', stage: 'qa' }],
    [
      'fails the run after one iteration when repetition is disabled',
      [{}],
      { status: 'failed', failure: 'once' },
      { stages: [stage('coder', 3, false)] },
    ],
    [
      'fails the run when it costs more than allowed',
      [{ cost_usd: 0.6 }, { cost_usd: 0.6 }],
      { status: 'failed', failure: 'budget', cost_usd: 1.2 },
    ],
    [
      'continues the run when it costs as much as allowed',
      [{ cost_usd: 0.5 }, { cost_usd: 0.5 }],
      { status: 'running', cost_usd: 1 },
    ],
    [
      'does not start the next stage when the run costs more than allowed',
      [{ ...accepted, cost_usd: 2 }],
      { status: 'failed', failure: 'budget', stage: 'coder' },
    ],
    ['passes the run whatever it costs', [accepted, { ...accepted, cost_usd: 2 }], { status: 'passed' }],
    [
      'adds up costs and tokens',
      [
        { cost_usd: null, tokens: 5 },
        { cost_usd: 0.25, tokens: 6 },
      ],
      { cost_usd: 0.25, tokens: 11 },
    ],
    [
      'fails the run when nothing changes',
      [idle, idle],
      { status: 'failed', failure: 'stalled', stalled: 2 },
    ],
    [
      'continues the run when it fails in another way',
      [idle, { ...idle, failedBy: 'lint' }],
      { status: 'running', stalled: 1 },
    ],
    [
      'counts from the start again when something changes',
      [idle, {}, idle],
      { stalled: 1 },
      { stages: [stage('coder', 9)] },
    ],
    [
      'continues the run when changes are unknown',
      [{ changed: null }, { changed: null }],
      { status: 'running', stalled: 0 },
    ],
    [
      'fails the run when the agent cannot be started',
      [{ outcome: 'not-started' }],
      { status: 'failed', failure: 'no-agent' },
    ],
    [
      'fails the run after three agents in a row that fail at once',
      Array(3).fill({ outcome: 'crashed', crashedAtOnce: true }),
      { status: 'failed', failure: 'crashing' },
      { stages: [stage('coder', 9)] },
    ],
    [
      'continues the run when agents fail at once, but not in a row',
      [
        ...Array(2).fill({ outcome: 'crashed', crashedAtOnce: true }),
        {},
        { outcome: 'crashed', crashedAtOnce: true },
      ],
      { status: 'running', crashed: 1 },
      { stages: [stage('coder', 9)] },
    ],
    [
      'interrupts the run',
      [{ outcome: 'interrupted' }],
      { status: 'interrupted', driver: null, agent: null, activity: null },
    ],
    ['cancels the run', [{ outcome: 'cancelled' }], { status: 'cancelled', driver: null }],
  ])('%s', (_, ends, expected, rules) => {
    expect(after(ends, rulesOf(rules))).toMatchObject(expected);
  });
});

test('endIteration records the iteration, and whether the run continues', () => {
  const { last } = after([{}, { ...accepted, cost_usd: 0.5, tokens: 7 }]);
  expect(last).toEqual({
    time: NOW.toISOString(),
    loop: 'x',
    task_id: 'T',
    stage: 'coder',
    ralph_iteration: 2,
    ralph_max: 3,
    promise_found: true,
    continuing: true,
    duration_ms: 5,
    cost_usd: 0.5,
    tokens: 7,
    outcome: 'accepted',
    why: 'the tests fail',
    gates: [],
  });
  expect(after([accepted, accepted]).last?.continuing).toBe(false);
});

describe('resumedRun', () => {
  const other = { pid: 3, started: '3' };
  const resumed = (run: AgentRun) => resumeRun(run, other, rulesOf(), NOW);
  const counted = beginIteration(after([{}]), NOW);

  test.each<[string, AgentRun, object]>([
    [
      'continues after a finished iteration',
      after([{}]),
      { iteration: 1, status: 'running', activity: null },
    ],
    [
      'repeats an iteration whose agent was not started',
      counted,
      { iteration: 1, status: 'running', activity: null },
    ],
    [
      'uses up an iteration whose agent was started',
      withAgent(counted, AGENT),
      {
        iteration: 2,
        status: 'running',
        agent: null,
        activity: null,
        last: { ralph_iteration: 2, outcome: 'interrupted', continuing: true },
      },
    ],
    [
      'uses up an iteration whose gates ran',
      withActivity({ ...counted, agent: null }, { kind: 'gate', name: 'test' }, NOW),
      { iteration: 2, status: 'running', last: { ralph_iteration: 2, outcome: 'interrupted' } },
    ],
    [
      'fails the run when that was the last iteration',
      withAgent(beginIteration(after([{}, {}]), NOW), AGENT),
      {
        iteration: 3,
        status: 'failed',
        failure: 'cap',
        driver: null,
        last: { ralph_iteration: 3, continuing: false },
      },
    ],
    [
      'continues after an interruption',
      after([{ outcome: 'interrupted' }]),
      { iteration: 1, status: 'running' },
    ],
    [
      'fails the run after an interruption at the last iteration',
      after([{}, {}, { outcome: 'interrupted' }]),
      { status: 'failed', failure: 'cap' },
    ],
  ])('%s', (_, run, expected) => {
    const next = resumed(run);
    expect(next).toMatchObject(expected);
    expect(next.driver).toEqual(next.status === 'running' ? other : null);
  });
});
