import { describe, expect, test } from 'vitest';
import {
  type AgentRunRules,
  beginIteration,
  createAgentRun,
  endIteration,
  type IterationEnd,
  resumedRun,
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
  feedback: 'Repair it.',
  failedBy: 'tests',
  changed: true,
  crashedAtOnce: false,
};

function begun(rules = rulesOf()): AgentRun {
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

/** Goes through iterations that end so, one after another. */
function after(ends: readonly Partial<IterationEnd>[], rules = rulesOf()): AgentRun {
  return ends.reduce(
    (loop, end) => endIteration(withAgent(beginIteration(loop, NOW), AGENT), { ...END, ...end }, rules, NOW),
    begun(rules),
  );
}

const accepted: Partial<IterationEnd> = { outcome: 'accepted', feedback: null, failedBy: null };
const idle: Partial<IterationEnd> = { changed: false };

describe('after iterations that ended so, the loop', () => {
  test.each<[string, Partial<IterationEnd>[], object, Partial<AgentRunRules>?]>([
    [
      'goes on, and tells why',
      [{}],
      { status: 'running', stage: 'coder', iteration: 1, feedback: 'Repair it.' },
    ],
    [
      'keeps what it told where there is nothing new to tell',
      [{}, { outcome: 'timed-out', feedback: null }],
      { feedback: 'Repair it.' },
    ],
    [
      'goes on to the next stage, which begins anew',
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
      'passes with its last stage',
      [accepted, accepted],
      { status: 'passed', stage: 'qa', iteration: 1, driver: null },
    ],
    ['has nothing more to tell when it has passed', [accepted, {}, accepted], { feedback: null }],
    [
      'is given up at the cap',
      [{}, {}, {}],
      { status: 'failed', failure: 'cap', iteration: 3, driver: null },
    ],
    [
      'is given up at the cap of its stage',
      [accepted, {}, {}],
      { status: 'failed', failure: 'cap', stage: 'qa' },
    ],
    ['passes at the cap too', [{}, {}, accepted], { status: 'running', stage: 'qa' }],
    [
      'runs once where loops are switched off',
      [{}],
      { status: 'failed', failure: 'once' },
      { stages: [stage('coder', 3, false)] },
    ],
    [
      'is given up where it costs too much',
      [{ cost_usd: 0.6 }, { cost_usd: 0.6 }],
      { status: 'failed', failure: 'budget', cost_usd: 1.2 },
    ],
    [
      'may cost as much as is allowed',
      [{ cost_usd: 0.5 }, { cost_usd: 0.5 }],
      { status: 'running', cost_usd: 1 },
    ],
    [
      'does not begin a stage that nobody pays for',
      [{ ...accepted, cost_usd: 2 }],
      { status: 'failed', failure: 'budget', stage: 'coder' },
    ],
    ['passes whatever it has cost', [accepted, { ...accepted, cost_usd: 2 }], { status: 'passed' }],
    [
      'sums what is told',
      [
        { cost_usd: null, tokens: 5 },
        { cost_usd: 0.25, tokens: 6 },
      ],
      { cost_usd: 0.25, tokens: 11 },
    ],
    ['is given up where nothing changes', [idle, idle], { status: 'failed', failure: 'stalled', stalled: 2 }],
    [
      'goes on where it fails in another way',
      [idle, { ...idle, failedBy: 'lint' }],
      { status: 'running', stalled: 1 },
    ],
    ['goes on where something changes', [idle, {}, idle], { stalled: 1 }, { stages: [stage('coder', 9)] }],
    [
      'goes on where nobody knows whether something changes',
      [{ changed: null }, { changed: null }],
      { status: 'running', stalled: 0 },
    ],
    [
      'is given up where there is no agent',
      [{ outcome: 'not-started' }],
      { status: 'failed', failure: 'no-agent' },
    ],
    [
      'is given up where agents fail at once',
      Array(3).fill({ outcome: 'crashed', crashedAtOnce: true }),
      { status: 'failed', failure: 'crashing' },
      { stages: [stage('coder', 9)] },
    ],
    [
      'goes on where agents failed at once, but not in a row',
      [
        ...Array(2).fill({ outcome: 'crashed', crashedAtOnce: true }),
        {},
        { outcome: 'crashed', crashedAtOnce: true },
      ],
      { status: 'running', crashed: 1 },
      { stages: [stage('coder', 9)] },
    ],
    [
      'is interrupted',
      [{ outcome: 'interrupted' }],
      { status: 'interrupted', driver: null, agent: null, activity: null },
    ],
    ['is cancelled', [{ outcome: 'cancelled' }], { status: 'cancelled', driver: null }],
  ])('%s', (_, ends, expected, rules) => {
    expect(after(ends, rulesOf(rules))).toMatchObject(expected);
  });
});

test('an iteration is recorded as it was, and whether the loop goes on', () => {
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

describe('a loop that is resumed', () => {
  const other = { pid: 3, started: '3' };
  const resumed = (loop: AgentRun) => resumedRun(loop, other, rulesOf(), NOW);
  const counted = beginIteration(after([{}]), NOW);

  test.each<[string, AgentRun, object]>([
    [
      'after an iteration goes on with the next one',
      after([{}]),
      { iteration: 1, status: 'running', activity: null },
    ],
    [
      'begins an iteration again whose agent was not started',
      counted,
      { iteration: 1, status: 'running', activity: null },
    ],
    [
      'counts one whose agent was started',
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
      'counts one whose gates ran',
      withActivity({ ...counted, agent: null }, { kind: 'gate', name: 'test' }, NOW),
      { iteration: 2, status: 'running', last: { ralph_iteration: 2, outcome: 'interrupted' } },
    ],
    [
      'is given up where that was the last one',
      withAgent(beginIteration(after([{}, {}]), NOW), AGENT),
      {
        iteration: 3,
        status: 'failed',
        failure: 'cap',
        driver: null,
        last: { ralph_iteration: 3, continuing: false },
      },
    ],
    ['after Ctrl-C goes on', after([{ outcome: 'interrupted' }]), { iteration: 1, status: 'running' }],
    [
      'after Ctrl-C at the last one is given up',
      after([{}, {}, { outcome: 'interrupted' }]),
      { status: 'failed', failure: 'cap' },
    ],
  ])('%s', (_, loop, expected) => {
    const next = resumed(loop);
    expect(next).toMatchObject(expected);
    expect(next.driver).toEqual(next.status === 'running' ? other : null);
  });
});
