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
  boardOf({ loops: [], chains: [], promise_loops: [], runs: [], ...source }, tasks);
/** The cards of the stop loops and chains, which are first without agent runs. */
const hookCards = ({ lanes }: Board) => lanes[0]?.cards ?? [];
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
    ['cancelled', left({ status: 'cancelled' }), ['cancelled: TASK-001']],
    ['cancelled while its process ends', activeRunReport({ status: 'cancelled' }), ['cancelled: TASK-001']],
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
    const promise_loops = [left({ status: 'passed' })];
    expect(board({ promise_loops }).lanes.map(({ name }) => name)).toEqual(['todo', 'done', 'failed']);
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
    expect(lanes(board({ promise_loops }))).toEqual(['done: B, A', 'failed: D', 'cancelled: C']);
  });
});

describe('boardOf puts a task', () => {
  test.each([
    ['todo', 'todo'],
    ['planning', 'todo'],
    [null, 'todo'],
    ['in_progress', 'in progress'],
    ['review', 'review'],
    ['on_hold', 'on hold'],
    ['completed', 'done'],
    ['done', 'done'],
    ['failed', 'failed'],
    ['canceled', 'cancelled'],
  ])('with the status %j in the lane %s', (status, lane) => {
    expect(lanes(board({}, [task('T', { status })]))).toEqual([`${lane}: T`]);
  });

  test('in lanes from todo to cancelled, before and after the stages of agent runs', () => {
    const states = ['cancelled', 'review', 'completed', 'on_hold', 'in_progress', 'failed', 'todo'];
    const tasks = states.map((status) => task(status, { status }));
    const names = board({ promise_loops: [activeRunReport()] }, tasks).lanes.map(({ name }) => name);
    expect(names).toEqual([
      ...['todo', 'in progress', 'review', 'on hold', 'coder', 'done', 'failed', 'cancelled'],
    ]);
  });

  test.each([
    ['its directory', 'T', {}],
    ['its path', '.trellis/tasks/T', {}],
    ['its path below .trellis', 'tasks/T', {}],
    ['its id', 'add-login', { id: 'add-login' }],
  ])(
    'in no lane beside an agent run, and in progress beside a stop loop, that has %s as its name',
    (_, name, fields) => {
      const tasks = [task('T', { title: 'Log in', ...fields })];
      expect(
        lanes(board({ promise_loops: [left({ task_id: name, status: 'failed' })] }, tasks)),
      ).toHaveLength(1);
      const guarded = board({ loops: [hookLoop({ loop: name })] }, tasks);
      expect(lanes(guarded)).toEqual([
        `stop loops and chains: ${name}`,
        `in progress: ${tasks[0]?.id ?? 'T'}`,
      ]);
      expect(guarded.lanes[0]?.cards[0]?.title).toBe('Log in');
    },
  );

  test('under its id, as before an agent run so during it', () => {
    const tasks = [task('02-cart', { id: 'TASK-002' })];
    expect(lanes(board({}, tasks))).toEqual(['todo: TASK-002']);
    for (const task_id of ['TASK-002', '02-cart'])
      expect(lanes(board({ promise_loops: [activeRunReport({ task_id })] }, tasks))).toEqual([
        'coder: TASK-002',
      ]);
  });
});

describe('the lane of the stop loops and chains is', () => {
  const loops = [hookLoop()];
  const names = (source: Partial<BoardSource>) => board(source, [task('T')]).lanes.map(({ name }) => name);
  test.each([
    ['first without an agent run', { loops }, 0],
    ['first with chains alone', { chains: [reportChain(chainOf())] }, 0],
    ['last with an agent run', { loops, promise_loops: [left({ status: 'passed' })] }, 3],
    ['absent if all have ended', { loops: [hookLoop({ iteration: 0 }), hookLoop({ expired: true })] }, -1],
  ])('%s', (_, source, at) => {
    expect(names(source).indexOf('stop loops and chains')).toBe(at);
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
      tone: 'yellow',
      failing: null,
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
  const gates = [
    { name: 'x'.repeat(60), outcome: 'failed', exit: 1, duration_ms: 5 },
    ...Array.from(
      { length: 9 },
      (_, n) => ({ name: `gate-${n}`, outcome: 'failed', exit: n, duration_ms: 5 }) as const,
    ),
  ] as const;
  test.each([
    ['the next stop', {}, 'waits for the next stop', null],
    [
      'the next stop, after a block',
      { last: logRecord() },
      'waits for the next stop',
      /^blocked: gates-failed/,
    ],
    [
      'the next stop, after ten failures',
      { last: logRecord({ gates }) },
      'waits for the next stop',
      /gate-8 failed, exit 8\)$/,
    ],
    ['its gates', { verifying: true, last: logRecord() }, 'its gates run, or its hook was killed', null],
  ])('%s', (_, fields, state, failing) => {
    const [card] = hookCards(board({ loops: [hookLoop(fields)] }));
    expect(card).toMatchObject({
      kind: 'hook',
      name: '.trellis/tasks/demo',
      state,
      failing: failing && expect.stringMatching(failing),
      cancel: success('.trellis/tasks/demo'),
    });
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
    const [card] = hookCards(board({ chains: [reportChain(chainOf(fields))] }));
    expect(card).toMatchObject({ kind: 'chain', id: 'k3x9-7f2a', state });
    expect(card?.cancel).toEqual(failure('"ralph-loop gate abort k3x9-7f2a" cancels a chain'));
  });
});
