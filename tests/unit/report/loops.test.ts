import { describe, expect, test } from 'vitest';
import { chainRecord, decidedWhy } from '../../../src/chain/chain-log.ts';
import { readLoops } from '../../../src/report/loops.ts';
import { chainTask, type GateAction } from '../../../src/state/chain.ts';
import type { IterationRecord, LogRecord } from '../../../src/state/execution-log.ts';
import { logRecord } from '../../helpers/log-record.ts';
import { iterationRecord, loggedGate } from '../../helpers/sample-log.ts';

const passes = [loggedGate('test')];
const fails = [loggedGate('test', 'failed')];

const block = (iteration: number, task = 't') => logRecord({ task, iteration, gates: fails });
const pass = (iteration: number, task = 't') =>
  logRecord({ task, iteration, gates: passes, answer: 'allow', why: 'commands-passed' });
const allow = (why: string, fields: Partial<LogRecord> = {}) =>
  logRecord({ gates: fails, answer: 'allow', why, ...fields });

const chain = (fields: Partial<LogRecord>) => logRecord({ task: 'chain:k3', ...fields });
const acted = (action: GateAction) =>
  chainRecord(
    { host: 'terminal', session: 's', task: chainTask({ id: 'k3' }), why: decidedWhy(action, 'by a person') },
    new Date('2026-01-31T10:30:00.000Z'),
  );
const escalated = chain({ gates: fails, answer: 'allow', why: 'escalated', iteration: 5 });
const waiting = chain({ answer: 'allow', why: 'escalated', iteration: null });
const reviewed = chain({ gates: passes, why: 'review' });
const verified = chain({ gates: passes, answer: 'allow', why: 'verified' });

const iteration = (n: number, fields: Partial<IterationRecord> = {}) =>
  iterationRecord({
    ralph_iteration: n,
    ralph_max: 3,
    outcome: 'denied',
    why: 'lint fails',
    continuing: true,
    ...fields,
  });

/** `name: outcome after so many iterations (reason, detail)`. */
function loopsIn(log: Partial<Parameters<typeof readLoops>[0]>): string[] {
  return readLoops({ stops: [], iterations: [], ...log }).map(({ name, outcome, iterations, end }) => {
    const why = end ? ` (${end.reason}, ${end.detail})` : '';
    return `${name}: ${outcome} after ${iterations}${why}`;
  });
}

describe('readLoops reads from the stops of agents', () => {
  test.for<{ name: string; records: LogRecord[]; loops: string[] }>([
    { name: 'a loop that passes at the first stop', records: [pass(1)], loops: ['t: first-try after 1'] },
    {
      name: 'a loop that escalated, and the next one',
      records: [
        block(1),
        allow('escalated', { task: 't', iteration: 2, escalated: { gate: 'test', reason: 'no network' } }),
        block(1),
      ],
      loops: ['t: escalated after 2 (escalated, test: no network)', 't: open after 1'],
    },
    {
      name: 'a loop whose markers are found',
      records: [allow('markers-found')],
      loops: ['t: first-try after 1'],
    },
    {
      name: 'a loop that passes at the third stop',
      records: [block(1), block(2), pass(3)],
      loops: ['t: later after 3'],
    },
    {
      name: 'two loops of one task',
      records: [block(1), pass(2), block(1), block(2)],
      loops: ['t: later after 2', 't: open after 2'],
    },
    {
      name: 'a loop that began again at iteration 1',
      records: [block(1), block(2), pass(1)],
      loops: ['t: open after 2', 't: first-try after 1'],
    },
    {
      name: 'a second loop whose first hook was killed',
      records: [pass(1), block(2)],
      loops: ['t: first-try after 1', 't: open after 2'],
    },
    {
      name: 'two loops at the same time',
      records: [block(1, 'a'), block(1, 'b'), pass(2, 'b'), pass(2, 'a')],
      loops: ['a: later after 2', 'b: later after 2'],
    },
    {
      name: 'a loop whose first records were rotated away',
      records: [block(3), pass(4)],
      loops: ['t: later after 4'],
    },
    {
      name: 'a loop in which a killed hook logged nothing',
      records: [block(1), pass(3)],
      loops: ['t: later after 3'],
    },
    {
      name: 'a loop whose hook was terminated',
      records: [logRecord({ answer: 'none', why: 'ended by SIGTERM' })],
      loops: ['t: open after 1'],
    },
    {
      name: 'a loop that reached the limit',
      records: [block(1), allow('cap-reached', { iteration: 2, max: 2 })],
      loops: ['t: unverified after 2 (limit reached, iteration 2/2: test failed, exit 1)'],
    },
    {
      name: 'one loop per stop when attempts cannot be counted',
      records: [allow('cannot-count'), allow('cannot-count')],
      loops: Array(2).fill('t: unverified after 1 (cannot be counted, iteration 1/5: test failed, exit 1)'),
    },
    {
      name: 'an internal error without a task',
      records: [allow('internal-error', { task: null, iteration: null, gates: [] })],
      loops: ['agent check: unverified after 1 (internal error, )'],
    },
    {
      name: 'a reason that only a later version knows',
      records: [allow('moon', { gates: [] })],
      loops: ['t: unverified after 1 (moon, iteration 1/5)'],
    },
    {
      name: 'a loop that a person cancelled',
      records: [block(1), allow('cancelled', { gates: [], iteration: 2 }), block(2)],
      loops: ['t: cancelled after 2 (cancelled, iteration 2/5)', 't: open after 2'],
    },
    {
      name: 'no loop when stops are not guarded',
      records: [
        logRecord({ task: null, answer: 'ignore', why: 'no current task is set' }),
        logRecord({ answer: 'ignore', why: 'agent "x" is not guarded here' }),
        allow('no-gates', { task: null }),
        allow('no-gates'),
      ],
      loops: [],
    },
    {
      name: 'no loop from a record without a valid time',
      records: [logRecord({ time: 'yesterday' })],
      loops: [],
    },
  ])('$name', ({ records, loops }) => {
    expect(loopsIn({ stops: records })).toEqual(loops);
  });
});

describe('readLoops reads from the stops of a chain', () => {
  test.for<{ name: string; records: LogRecord[]; loops: string[] }>([
    {
      name: 'a chain that is verified at the first stop',
      records: [verified],
      loops: ['chain:k3: first-try after 1'],
    },
    {
      name: 'two steps that hold at once as one iteration',
      records: [chain({ gates: passes, why: 'next-step' }), verified],
      loops: ['chain:k3: first-try after 1'],
    },
    {
      name: 'a second step that fails once',
      records: [chain({ gates: passes, why: 'next-step' }), chain({ gates: fails }), verified],
      loops: ['chain:k3: later after 2'],
    },
    {
      name: 'a review that passes',
      records: [reviewed, chain({ iteration: null, answer: 'allow', why: 'verified' })],
      loops: ['chain:k3: first-try after 1'],
    },
    {
      name: 'a review that fails once',
      records: [reviewed, chain({ iteration: null, why: 'review-failed' }), reviewed, verified],
      loops: ['chain:k3: later after 2'],
    },
    {
      name: 'a review without a verdict',
      records: [reviewed, chain({ iteration: null, why: 'review-incomplete' }), verified],
      loops: ['chain:k3: later after 2'],
    },
    {
      name: 'a retry while the commands run, which is not an attempt',
      records: [acted('retry'), chain({ gates: fails, why: 'retried' }), verified],
      loops: ['chain:k3: first-try after 1'],
    },
    {
      name: 'a step that begins because a person skipped the one before',
      records: [escalated, acted('skip'), chain({ iteration: null, why: 'next-step' })],
      loops: ['chain:k3: open after 3'],
    },
    {
      name: 'one end of a chain without attempts left, though every later stop logs it',
      records: [escalated, waiting, waiting],
      loops: ['chain:k3: unverified after 1 (limit reached, iteration 5/5: test failed, exit 1)'],
    },
    {
      name: 'a chain that is verified after a retry',
      records: [chain({ gates: fails }), escalated, acted('retry'), verified],
      loops: ['chain:k3: later after 3'],
    },
    {
      name: 'a chain that was retried',
      records: [escalated, acted('retry')],
      loops: ['chain:k3: open after 2'],
    },
    {
      name: 'a chain whose last step was skipped',
      records: [escalated, acted('skip')],
      loops: ['chain:k3: unverified after 2 (skipped, by a person)'],
    },
    {
      name: 'a chain with a skipped step whose other steps hold',
      records: [escalated, acted('skip'), chain({ gates: passes, answer: 'allow', why: 'unverified' })],
      loops: ['chain:k3: unverified after 3 (skipped, by a person)'],
    },
    {
      name: 'a chain that runs once and fails',
      records: [chain({ gates: fails, answer: 'allow', why: 'unverified', max: 1 })],
      loops: ['chain:k3: unverified after 1 (failed, iteration 1/1: test failed, exit 1)'],
    },
    {
      name: 'a chain that was aborted',
      records: [acted('abort')],
      loops: ['chain:k3: cancelled after 1 (cancelled, by a person)'],
    },
    {
      name: 'no loop when a chain has only started or is verified by another process',
      records: [
        chain({ answer: 'ignore', why: 'gates begun: `npm test`' }),
        chain({ answer: 'ignore', why: 'it is being verified by process 7' }),
      ],
      loops: [],
    },
  ])('$name', ({ records, loops }) => {
    expect(loopsIn({ stops: records })).toEqual(loops);
  });
});

describe('readLoops reads from the iterations of agent runs', () => {
  const accepted = { outcome: 'accepted', continuing: false } as const;
  test.for<{ name: string; records: IterationRecord[]; loops: string[] }>([
    {
      name: 'a run that passes at the first iteration',
      records: [iteration(1, accepted)],
      loops: ['TASK-001: first-try after 1'],
    },
    {
      name: 'a run that passes at the second iteration',
      records: [iteration(1), iteration(2, accepted)],
      loops: ['TASK-001: later after 2'],
    },
    {
      name: 'two stages of which one fails once',
      records: [
        iteration(1, { outcome: 'accepted' }),
        iteration(1, { stage: 'tester' }),
        iteration(2, accepted),
      ],
      loops: ['TASK-001: later after 2'],
    },
    {
      name: 'two runs of one task',
      records: [iteration(1), iteration(1, { loop: 'l2', ...accepted }), iteration(2, accepted)],
      loops: ['TASK-001: later after 2', 'TASK-001: first-try after 1'],
    },
    {
      name: 'a run that reached the limit',
      records: [iteration(3, { continuing: false })],
      loops: ['TASK-001: unverified after 1 (limit reached, coder, iteration 3/3: lint fails)'],
    },
    {
      name: 'a run that failed before the limit',
      records: [iteration(2, { continuing: false, why: 'costs more than $2.00' })],
      loops: ['TASK-001: unverified after 1 (failed, coder, iteration 2/3: costs more than $2.00)'],
    },
    {
      name: 'a run that was cancelled',
      records: [iteration(3, { outcome: 'cancelled', continuing: false, why: 'called off' })],
      loops: ['TASK-001: cancelled after 1 (cancelled, coder, iteration 3/3: called off)'],
    },
    {
      name: 'a run that was interrupted and can be resumed',
      records: [iteration(1, { outcome: 'interrupted', continuing: false, why: 'by a signal' })],
      loops: ['TASK-001: interrupted after 1 (interrupted, coder, iteration 1/3: by a signal)'],
    },
    {
      name: 'a run that was interrupted and then cancelled',
      records: [
        iteration(1, { outcome: 'interrupted', continuing: false }),
        iteration(1, { outcome: 'cancelled', continuing: false, why: 'called off' }),
      ],
      loops: ['TASK-001: cancelled after 2 (cancelled, coder, iteration 1/3: called off)'],
    },
    {
      name: 'a run that was interrupted and passes when it is resumed',
      records: [iteration(1, { outcome: 'interrupted', continuing: false }), iteration(2, accepted)],
      loops: ['TASK-001: later after 2'],
    },
    { name: 'no run from a record without a valid time', records: [iteration(1, { time: '' })], loops: [] },
  ])('$name', ({ records, loops }) => {
    expect(loopsIn({ iterations: records })).toEqual(loops);
  });
});

test('readLoops leaves out gates, numbers and control characters that are not valid', () => {
  const gates = [
    null,
    7,
    { name: 'a' },
    { name: '\x1b[31mb\nc', outcome: 'failed', exit: 'x', duration_ms: '9' },
  ];
  const stop = {
    time: '2026-01-31T10:30:00Z',
    answer: 'block',
    why: 'gates-failed',
    task: '\x1b[1mt',
    gates,
  };
  const iterationFields = { loop: 'l', task_id: 'T', stage: 's', outcome: 'denied' };
  const numbers = { cost_usd: 'much', tokens: Number.NaN };
  const [hook, run] = readLoops({
    stops: [stop as unknown as LogRecord],
    iterations: [{ ...stop, ...iterationFields, ...numbers } as unknown as IterationRecord],
  });
  expect(hook?.attempts).toMatchObject([
    { name: 't', iteration: null, gates: [{ name: 'b c', outcome: 'failed', exit: null, duration_ms: 0 }] },
  ]);
  expect(run?.attempts).toMatchObject([{ agentMs: 0, costUsd: null, tokens: null }]);
});
