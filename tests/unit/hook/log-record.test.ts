import { describe, expect, test } from 'vitest';
import { logRecord } from '../../../src/hook/hook.ts';
import type { CountedAttempt } from '../../../src/state/stop-loop.ts';
import { resultOf, summaryOf } from '../../helpers/gate-results.ts';
import { stopEvent } from '../../helpers/stop-event.ts';

const now = new Date('2026-01-31T10:30:00.123Z');
const attempt: CountedAttempt = {
  iteration: 2,
  maxIterations: 5,
  mayBlock: true,
  cancelled: undefined,
  notes: [],
  waits: 0,
  isAfterLost: false,
  isForged: false,
  reset: async () => {},
  keep: async () => {},
};
const block = { decision: 'block', why: 'gates-failed', reason: 'long text' } as const;
const failed = summaryOf(resultOf('a', 'failed', { durationMs: 7 }));

test('a stop attempt is one line with all fields', () => {
  const event = stopEvent({ sessionId: 's', agent: 'check' });
  const judged = { answer: block, root: '/p', task: 't', attempt, summary: failed, notes: ['x'] };

  expect(logRecord(event, judged, undefined, now)).toEqual({
    time: '2026-01-31T10:30:00.123Z',
    host: 'claude-code',
    session: 's',
    agent: 'check',
    task: 't',
    iteration: 2,
    max: 5,
    gates: [{ name: 'a', outcome: 'failed', exit: 1, duration_ms: 7 }],
    answer: 'block',
    why: 'gates-failed',
    notes: ['x'],
  });
});

test('input that is not an event is a line too', () => {
  const judged = { answer: { decision: 'ignore', why: 'no JSON' } as const, root: undefined };

  expect(logRecord(undefined, judged, undefined, now)).toEqual({
    time: now.toISOString(),
    host: 'unknown',
    session: null,
    agent: null,
    task: null,
    iteration: null,
    max: null,
    gates: [],
    answer: 'ignore',
    why: 'no JSON',
  });
});

describe('the length of a line is limited', () => {
  const long = 'x\n'.repeat(100_000);
  const ignored = (why: string) => ({ answer: { decision: 'ignore', why } as const, root: undefined });

  test.each([
    [20, 20, undefined],
    [21, 21, 'and 1 more'],
    [500, 21, 'and 480 more'],
  ])('to the first twenty of %d notes, and the number of the others', (n, length, last) => {
    const notes = Array.from({ length: n }, (_, i) => `note ${i}`);
    const logged = logRecord(undefined, { ...ignored('x'), notes }, undefined, now).notes ?? [];

    expect(logged).toHaveLength(length);
    expect(logged.slice(0, 20)).toEqual(notes.slice(0, 20));
    if (last !== undefined) expect(logged.at(-1)).toBe(last);
  });

  test('to the first hundred gates', () => {
    const results = Array.from({ length: 300 }, (_, i) => resultOf(`${i}`));
    const { gates } = logRecord(
      undefined,
      { ...ignored('x'), summary: summaryOf(...results) },
      undefined,
      now,
    );

    expect(gates.map(({ name }) => name)).toEqual(Array.from({ length: 100 }, (_, i) => `${i}`));
  });

  test('to 500 characters on one line for each text', () => {
    const event = stopEvent({ sessionId: long, agent: long });
    const record = logRecord(event, { ...ignored(long), notes: [long] }, undefined, now);

    for (const text of [record.session, record.agent, record.why, record.notes?.[0]]) {
      expect(text).toHaveLength(500);
      expect(text).not.toContain('\n');
    }
  });

  test("for a loop's key and a gate's name too", () => {
    const summary = summaryOf(resultOf(long, 'failed'));
    const record = logRecord(stopEvent(), { answer: block, root: '/p', task: long, summary }, undefined, now);

    expect(record.task?.length).toBeLessThanOrEqual(500);
    expect(record.gates[0]?.name.length).toBeLessThanOrEqual(500);
  });
});

test.each([
  ['it was blocked', { answer: block }, undefined, 'block', 'gates-failed'],
  [
    'it was allowed',
    { answer: { decision: 'allow', why: 'commands-passed' } as const },
    undefined,
    'allow',
    'commands-passed',
  ],
  ['the host ended it', { answer: block, summary: failed }, 'SIGTERM' as const, 'none', 'ended by SIGTERM'],
])('the line has the reason of the answer: %s', (_, judged, endedBy, answer, why) => {
  expect(logRecord(stopEvent(), { root: '/p', ...judged }, endedBy, now)).toMatchObject({ answer, why });
});
