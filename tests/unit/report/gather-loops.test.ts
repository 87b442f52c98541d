import { describe, expect, test } from 'vitest';
import { actedWhy, chainRecord, chainTask } from '../../../src/chain/chain-record.ts';
import { gatherLoops } from '../../../src/report/gather-loops.ts';
import { attemptOfIteration, attemptOfStop } from '../../../src/report/read-attempt.ts';
import type { IterationRecord, LogRecord } from '../../../src/state/execution-log.ts';
import type { GateAction } from '../../../src/state/prompt-step.ts';
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
const said = (action: GateAction) =>
  chainRecord(
    { host: 'terminal', session: 's', task: chainTask({ id: 'k3' }), why: actedWhy(action) },
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

/** `name: outcome after so many iterations (why, detail)`. */
function told(attempts: Parameters<typeof gatherLoops>[0]): string[] {
  return gatherLoops(attempts).map(({ name, outcome, iterations, letGo }) => {
    const why = letGo ? ` (${letGo.why}, ${letGo.detail})` : '';
    return `${name}: ${outcome} after ${iterations}${why}`;
  });
}

describe('stops', () => {
  test.for<{ name: string; records: LogRecord[]; loops: string[] }>([
    { name: 'a pass at once', records: [pass(1)], loops: ['t: first-try after 1'] },
    { name: 'markers that are there', records: [allow('markers-found')], loops: ['t: first-try after 1'] },
    { name: 'a pass at last', records: [block(1), block(2), pass(3)], loops: ['t: later after 3'] },
    {
      name: 'the next loop of the same task',
      records: [block(1), pass(2), block(1), block(2)],
      loops: ['t: later after 2', 't: open after 2'],
    },
    {
      name: 'a loop that was left, and begun anew',
      records: [block(1), block(2), pass(1)],
      loops: ['t: open after 2', 't: first-try after 1'],
    },
    {
      name: 'the next loop, whose first hook was killed',
      records: [pass(1), block(2)],
      loops: ['t: first-try after 1', 't: open after 2'],
    },
    {
      name: 'loops side by side',
      records: [block(1, 'a'), block(1, 'b'), pass(2, 'b'), pass(2, 'a')],
      loops: ['a: later after 2', 'b: later after 2'],
    },
    {
      name: 'a loop whose beginning was rotated away',
      records: [block(3), pass(4)],
      loops: ['t: later after 4'],
    },
    {
      name: 'a hook that was killed, and logged nothing',
      records: [block(1), pass(3)],
      loops: ['t: later after 3'],
    },
    {
      name: 'a hook that was told to go',
      records: [logRecord({ answer: 'none', why: 'ended by SIGTERM' })],
      loops: ['t: open after 1'],
    },
    {
      name: 'the cap',
      records: [block(1), allow('cap-reached', { iteration: 2, max: 2 })],
      loops: ['t: let-go after 2 (cap reached, iteration 2/2: test failed, exit 1)'],
    },
    {
      name: 'a count that cannot be kept, stop by stop',
      records: [allow('cannot-count'), allow('cannot-count')],
      loops: Array(2).fill('t: let-go after 1 (cannot be counted, iteration 1/5: test failed, exit 1)'),
    },
    {
      name: 'a fault of ours, which knows of no task',
      records: [allow('internal-error', { task: null, iteration: null, gates: [] })],
      loops: ['agent check: let-go after 1 (internal error, )'],
    },
    {
      name: 'a reason of a later version',
      records: [allow('cancelled', { gates: [] })],
      loops: ['t: let-go after 1 (cancelled, iteration 1/5)'],
    },
    {
      name: 'what is none of our business',
      records: [
        logRecord({ task: null, answer: 'ignore', why: 'no current task is set' }),
        logRecord({ answer: 'ignore', why: 'agent "x" is not guarded here' }),
        allow('no-gates', { task: null }),
        allow('no-gates'),
      ],
      loops: [],
    },
    { name: 'a time that is none', records: [logRecord({ time: 'yesterday' })], loops: [] },
  ])('$name', ({ records, loops }) => {
    expect(told(records.flatMap((record) => attemptOfStop(record) ?? []))).toEqual(loops);
  });
});

describe('chains', () => {
  test.for<{ name: string; records: LogRecord[]; loops: string[] }>([
    { name: 'verified at once', records: [verified], loops: ['chain:k3: first-try after 1'] },
    {
      name: 'two steps that hold at once are one iteration',
      records: [chain({ gates: passes, why: 'next-step' }), verified],
      loops: ['chain:k3: first-try after 1'],
    },
    {
      name: 'the second step is refused once',
      records: [chain({ gates: passes, why: 'next-step' }), chain({ gates: fails }), verified],
      loops: ['chain:k3: later after 2'],
    },
    {
      name: 'a review that passes',
      records: [reviewed, chain({ iteration: null, answer: 'allow', why: 'verified' })],
      loops: ['chain:k3: first-try after 1'],
    },
    {
      name: 'a review that is refused',
      records: [reviewed, chain({ iteration: null, why: 'review-failed' }), reviewed, verified],
      loops: ['chain:k3: later after 2'],
    },
    {
      name: 'a review without a verdict',
      records: [reviewed, chain({ iteration: null, why: 'review-incomplete' }), verified],
      loops: ['chain:k3: later after 2'],
    },
    {
      name: 'retried while its commands ran, which comes to nothing',
      records: [said('retry'), chain({ gates: fails, why: 'retried' }), verified],
      loops: ['chain:k3: first-try after 1'],
    },
    {
      name: 'a next step that a person has skipped to, told at a stop',
      records: [escalated, said('skip'), chain({ iteration: null, why: 'next-step' })],
      loops: ['chain:k3: open after 3'],
    },
    {
      name: 'no attempt is left, and each stop after it says so',
      records: [escalated, waiting, waiting],
      loops: ['chain:k3: let-go after 1 (cap reached, iteration 5/5: test failed, exit 1)'],
    },
    {
      name: 'retried, and verified after all',
      records: [chain({ gates: fails }), escalated, said('retry'), verified],
      loops: ['chain:k3: later after 3'],
    },
    { name: 'retried', records: [escalated, said('retry')], loops: ['chain:k3: open after 2'] },
    {
      name: 'skipped, the last step',
      records: [escalated, said('skip')],
      loops: ['chain:k3: let-go after 2 (skipped, by a person)'],
    },
    {
      name: 'skipped, and the rest holds',
      records: [escalated, said('skip'), chain({ gates: passes, answer: 'allow', why: 'unverified' })],
      loops: ['chain:k3: let-go after 3 (skipped, by a person)'],
    },
    {
      name: 'run once, and only told',
      records: [chain({ gates: fails, answer: 'allow', why: 'unverified', max: 1 })],
      loops: ['chain:k3: let-go after 1 (failed, iteration 1/1: test failed, exit 1)'],
    },
    {
      name: 'called off',
      records: [said('abort')],
      loops: ['chain:k3: let-go after 1 (cancelled, by a person)'],
    },
    {
      name: 'begun, or being verified by another process: no attempt',
      records: [
        chain({ answer: 'ignore', why: 'gates begun: `npm test`' }),
        chain({ answer: 'ignore', why: 'it is being verified by process 7' }),
      ],
      loops: [],
    },
  ])('$name', ({ records, loops }) => {
    expect(told(records.flatMap((record) => attemptOfStop(record) ?? []))).toEqual(loops);
  });
});

describe('promise loops', () => {
  const accepted = { outcome: 'accepted', continuing: false } as const;
  test.for<{ name: string; records: IterationRecord[]; loops: string[] }>([
    { name: 'kept at once', records: [iteration(1, accepted)], loops: ['TASK-001: first-try after 1'] },
    {
      name: 'kept at last',
      records: [iteration(1), iteration(2, accepted)],
      loops: ['TASK-001: later after 2'],
    },
    {
      name: 'two stages, one refusal',
      records: [
        iteration(1, { outcome: 'accepted' }),
        iteration(1, { stage: 'tester' }),
        iteration(2, accepted),
      ],
      loops: ['TASK-001: later after 2'],
    },
    {
      name: 'two loops of one task',
      records: [iteration(1), iteration(1, { loop: 'l2', ...accepted }), iteration(2, accepted)],
      loops: ['TASK-001: later after 2', 'TASK-001: first-try after 1'],
    },
    {
      name: 'the cap',
      records: [iteration(3, { continuing: false })],
      loops: ['TASK-001: let-go after 1 (cap reached, coder, iteration 3/3: lint fails)'],
    },
    {
      name: 'given up before the cap',
      records: [iteration(2, { continuing: false, why: 'costs more than $2.00' })],
      loops: ['TASK-001: let-go after 1 (failed, coder, iteration 2/3: costs more than $2.00)'],
    },
    {
      name: 'cancelled',
      records: [iteration(3, { outcome: 'cancelled', continuing: false, why: 'called off' })],
      loops: ['TASK-001: let-go after 1 (cancelled, coder, iteration 3/3: called off)'],
    },
    {
      name: 'interrupted, which may be resumed',
      records: [iteration(1, { outcome: 'interrupted', continuing: false })],
      loops: ['TASK-001: open after 1'],
    },
    { name: 'a time that is none', records: [iteration(1, { time: '' })], loops: [] },
  ])('$name', ({ records, loops }) => {
    expect(told(records.flatMap((record) => attemptOfIteration(record) ?? []))).toEqual(loops);
  });
});

test('what is no gate, no number or no clean line in a log does no harm', () => {
  const gates = [
    null,
    7,
    { name: 'a' },
    { name: '\x1b[31mb\nc', outcome: 'failed', exit: 'x', duration_ms: '9' },
  ];
  const line = {
    time: '2026-01-31T10:30:00Z',
    answer: 'block',
    why: 'gates-failed',
    task: '\x1b[1mt',
    gates,
  };
  const attempt = attemptOfStop(line as unknown as LogRecord);
  expect(attempt).toMatchObject({ name: 't', count: null });
  expect(attempt?.gates).toEqual([{ name: 'bc', outcome: 'failed', exit: null, duration_ms: 0 }]);
  const promise = {
    ...line,
    loop: 'l',
    task_id: 'T',
    stage: 's',
    outcome: 'denied',
    cost_usd: 'much',
    tokens: Number.NaN,
  };
  expect(attemptOfIteration(promise as unknown as IterationRecord)).toMatchObject({
    agentMs: 0,
    costUsd: null,
    tokens: null,
  });
});
