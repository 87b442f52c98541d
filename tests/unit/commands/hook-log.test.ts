import { expect, test } from 'vitest';
import { recordOf } from '../../../src/commands/hook-log.ts';
import type { CountedAttempt } from '../../../src/loop/count-attempt.ts';
import { resultOf, summaryOf } from '../../helpers/gate-results.ts';
import { stopEvent } from '../../helpers/stop-event.ts';

const now = new Date('2026-01-31T10:30:00.123Z');
const attempt: CountedAttempt = {
  iteration: 2,
  maxIterations: 5,
  mayBlock: true,
  notes: [],
  reset: async () => {},
};
const block = { decision: 'block', reason: 'long text' } as const;
const failed = summaryOf(resultOf('a', 'failed', { durationMs: 7 }));

test('a stop attempt is a line that names everything', () => {
  const event = stopEvent({ sessionId: 's', agent: 'check' });
  const judged = { answer: block, root: '/p', task: 't', attempt, summary: failed, notes: ['x'] };

  expect(recordOf(event, judged, undefined, now)).toEqual({
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

test('input that was no event is a line too', () => {
  const judged = { answer: { decision: 'ignore', why: 'no JSON' } as const, root: undefined };

  expect(recordOf(undefined, judged, undefined, now)).toEqual({
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

test.each([
  ['the gates failed', { answer: block, summary: failed }, undefined, 'block', 'gates-failed'],
  [
    'time ran out',
    { answer: block, summary: summaryOf(resultOf('a', 'out-of-time')) },
    undefined,
    'block',
    'out-of-time',
  ],
  ['the config is broken', { answer: block }, undefined, 'block', 'config-broken'],
  [
    'all passed',
    { answer: { decision: 'allow', why: 'commands-passed' } as const },
    undefined,
    'allow',
    'commands-passed',
  ],
  ['the host ended it', { answer: block, summary: failed }, 'SIGTERM' as const, 'none', 'ended by SIGTERM'],
])('the line says why: %s', (_, judged, endedBy, answer, why) => {
  expect(recordOf(stopEvent(), { root: '/p', ...judged }, endedBy, now)).toMatchObject({ answer, why });
});
