import { describe, expect, test } from 'vitest';
import { failure, success } from '../../../src/base/result.ts';
import { type AgentRun, reportAgentRun } from '../../../src/state/agent-run.ts';
import { reportChain } from '../../../src/state/chain.ts';
import type { StopLoopStatus } from '../../../src/state/stop-loop.ts';
import { type Board, type BoardSource, boardOf, type TrellisTask } from '../../../src/watch/board.ts';
import { activeRunReport, agentRunOf } from '../../helpers/agent-run.ts';
import { chainOf, step } from '../../helpers/chain.ts';
import { logRecord } from '../../helpers/log-record.ts';
import { verifyGate } from '../../helpers/typed-prompt.ts';

const now = new Date('2026-01-31T10:35:23Z');
const left = (fields: Partial<AgentRun>) => reportAgentRun(agentRunOf(fields), false, now);
const hookLoop = (fields: Partial<StopLoopStatus> = {}): StopLoopStatus => ({
  loop: '.trellis/tasks/demo',
  iteration: 2,
  max: 5,
  started_at: '2026-01-31T10:20:00.000000',
  age_seconds: 600,
  expires_in_seconds: 1200,
  expired: false,
  verifying: false,
  last: null,
  ...fields,
});
const task = (name: string, fields: Partial<TrellisTask> = {}): TrellisTask => ({
  name,
  id: null,
  title: null,
  status: 'todo',
  ...fields,
});
const board = (source: Partial<BoardSource>, tasks: readonly TrellisTask[] = []) =>
  boardOf({ loops: [], chains: [], promise_loops: [], ...source }, tasks);
/** `coder: TASK-001, TASK-002`, without empty lanes. */
const lanes = ({ lanes }: Board) =>
  lanes
    .filter(({ cards }) => cards.length > 0)
    .map(({ name, cards }) => `${name}: ${cards.map((card) => card.name).join(', ')}`);

describe('boardOf puts an agent run in its lane when it is', () => {
  test.each([
    ['driven', activeRunReport(), ['coder: TASK-001']],
    ['left by a killed process', left({ status: 'running' }), ['coder: TASK-001']],
    ['interrupted', left({ status: 'interrupted', stage: 'reviewer' }), ['reviewer: TASK-001']],
    ['passed', left({ status: 'passed' }), ['done: TASK-001']],
    ['failed', left({ status: 'failed' }), ['failed: TASK-001']],
    ['cancelled', left({ status: 'cancelled' }), ['failed: TASK-001']],
    ['cancelled while its process ends', activeRunReport({ status: 'cancelled' }), ['failed: TASK-001']],
  ])('%s', (_, loop, expected) => {
    expect(lanes(board({ promise_loops: [loop] }))).toEqual(expected);
  });

  test('of one of several stages, in the usual order with other stages after them', () => {
    const stages = ['docs', 'qa', 'reviewer', 'art', 'coder', 'qa'];
    const promise_loops = stages.map((stage, index) => activeRunReport({ stage, task_id: `T${index}` }));
    expect(lanes(board({ promise_loops }))).toEqual([
      'coder: T4',
      'reviewer: T2',
      'qa: T1, T5',
      'docs: T0',
      'art: T3',
    ]);
  });

  test('of no stage, with the lanes todo, done and failed always present', () => {
    expect(board({}).lanes.map(({ name }) => name)).toEqual(['todo', 'done', 'failed']);
  });

  test('ended, with the latest first', () => {
    const ended = (task_id: string, minute: number, status: AgentRun['status']) =>
      left({ task_id, status, updated_at: `2026-01-31T11:0${minute}:00.000Z` });
    const promise_loops = [
      ended('A', 1, 'passed'),
      ended('B', 3, 'passed'),
      ended('C', 2, 'cancelled'),
      ended('D', 4, 'failed'),
    ];
    expect(lanes(board({ promise_loops }))).toEqual(['done: B, A', 'failed: D, C']);
  });
});

describe('boardOf puts a task in the lane todo', () => {
  test.each([
    ['when its status is todo', [task('T')], ['todo: T']],
    ['when its status is planning', [task('T', { status: 'planning' })], ['todo: T']],
    ['when it has no status', [task('T', { status: null })], ['todo: T']],
    ['but not when it is in progress', [task('T', { status: 'in_progress' })], []],
    ['but not when it is completed', [task('T', { status: 'completed' })], []],
  ])('%s', (_, tasks, expected) => {
    expect(lanes(board({}, tasks))).toEqual(expected);
  });

  test.each([
    ['its directory', 'T', {}],
    ['its path', '.trellis/tasks/T', {}],
    ['its path below .trellis', 'tasks/T', {}],
    ['its id', 'add-login', { id: 'add-login' }],
  ])('but not when a loop has %s as its name', (_, task_id, fields) => {
    const tasks = [task('T', fields)];
    expect(lanes(board({ promise_loops: [left({ task_id, status: 'failed' })] }, tasks))).toHaveLength(1);
    expect(lanes(board({ loops: [hookLoop({ loop: task_id })] }, tasks))).toEqual([]);
  });
});

describe('the card of an agent run has', () => {
  const card = (loop: ReturnType<typeof left>) =>
    board({ promise_loops: [loop] }).lanes.flatMap(({ cards }) => cards)[0];

  test('its progress, start and activity', () => {
    const activity = { kind: 'gate', name: 'npm\ntest', since: '2026-01-31T10:35:00.000Z' } as const;
    expect(card(activeRunReport({ activity }))).toEqual({
      kind: 'task',
      id: 'TASK-001',
      name: 'TASK-001',
      title: 'Log people in',
      progress: 'Coder (3/15)',
      state: null,
      runningSince: '2026-01-31T10:30:00.000Z',
      activity: { ...activity, name: 'npm test' },
      cancel: success('TASK-001'),
    });
  });

  test.each([
    ['interrupted', { status: 'interrupted' }, 'interrupted: run --resume continues'],
    ['running', { status: 'running' }, 'its run was killed: run --resume continues'],
    ['passed', { status: 'passed' }, 'passed after 5m 23s'],
    ['cancelled', { status: 'cancelled' }, 'cancelled after 5m 23s'],
  ] as const)('a state and no activity when it is not driven: %s', (_, fields, state) => {
    const activity = { kind: 'agent', name: 'coder', since: '2026-01-31T10:35:00.000Z' } as const;
    expect(card(left({ ...fields, activity }))).toMatchObject({ state, runningSince: null, activity: null });
  });

  test.each([
    ['open', left({ status: 'interrupted' }), success('TASK-001')],
    ['passed', left({ status: 'passed' }), failure('TASK-001 has passed: there is nothing to cancel')],
    [
      'cancelled',
      left({ status: 'cancelled' }),
      failure('TASK-001 has been cancelled: there is nothing to cancel'),
    ],
  ])('the name that cancels it or the reason why not: %s', (_, loop, cancel) => {
    expect(card(loop)?.cancel).toEqual(cancel);
  });

  test('no control characters', () => {
    const title = 'a\u001b[2J\u0007b\r\nc\u001b]0;title\u0007';
    expect(card(activeRunReport({ title, stage: 'co\u001b[1mder' }))).toMatchObject({
      title: 'ab c',
      progress: 'Coder (3/15)',
    });
  });
});

test('boardOf lists the running agents', () => {
  const promise_loops = [
    activeRunReport({ cost_usd: 0.5 }),
    left({ task_id: 'left' }),
    activeRunReport({ task_id: 'over', status: 'cancelled' }),
  ];
  expect(board({ promise_loops }).agents).toEqual([
    {
      stage: 'coder',
      task: 'TASK-001',
      iteration: 3,
      max: 15,
      since: '2026-01-31T10:30:00.000Z',
      costUsd: 0.5,
    },
  ]);
});

describe('the card of a stop loop shows that it waits for', () => {
  test.each([
    ['the next stop', {}, 'waits for the next stop'],
    ['the next stop, after a block', { last: logRecord() }, 'waits for the next stop; blocked: gates-failed'],
    ['its gates', { verifying: true, last: logRecord() }, 'its gates run, or its hook was killed'],
    ['nothing', { expired: true }, 'expired: the next stop starts again at 1'],
    ['the first stop', { expired: true, iteration: 0 }, 'waits for the next stop'],
  ])('%s', (_, fields, state) => {
    expect(board({ loops: [hookLoop(fields)] }).hooks).toMatchObject([
      { kind: 'hook', name: '.trellis/tasks/demo', state, cancel: success('.trellis/tasks/demo') },
    ]);
  });
});

describe('the card of a chain shows that it waits for', () => {
  const steps = [step('one', verifyGate('npm test')), step('two', verifyGate('npm run e2e'))];
  test.each([
    ['the first stop', {}, 'waits for the next stop'],
    ['another stop', { status: 'failed' }, 'failed; waits for the next stop'],
    ['a review', { status: 'review' }, "waits for the agent's review"],
    ['a person', { status: 'escalated' }, 'waits for you: ralph-loop gate retry k3x9-7f2a'],
    ['its commands', { running: { pid: 7, started: '1' } }, 'is being verified'],
    ['a step', { steps, step: 1 }, 'step 2/2 waits for the next stop'],
  ] as const)('%s', (_, fields, state) => {
    const [card] = board({ chains: [reportChain(chainOf(fields))] }).hooks;
    expect(card).toMatchObject({ kind: 'chain', id: 'k3x9-7f2a', state });
    expect(card?.cancel).toEqual(failure('"ralph-loop gate abort k3x9-7f2a" cancels a chain'));
  });
});
