import { describe, expect, test } from 'vitest';
import { plain } from '../../../src/messages/paint.ts';
import { lastCallLine, loopLines } from '../../../src/messages/status.ts';
import type { StopLoopStatus } from '../../../src/state/stop-loop.ts';
import { logRecord } from '../../helpers/log-record.ts';

const now = new Date('2026-01-31T10:30:00Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000).toISOString();
const loop = (fields: Partial<StopLoopStatus> = {}): StopLoopStatus => ({
  loop: 't',
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
describe('the lines of a loop', () => {
  test.each([
    ['show its age and when it expires', {}, ['started 10m ago, expires in 20m']],
    ['show a minute left', { expires_in_seconds: 119 }, ['started 10m ago, expires in 1m']],
    [
      'show that it has expired',
      { expired: true },
      ['started 10m ago, expired: the next stop is iteration 1'],
    ],
    ['show no expiry at iteration 0', { iteration: 0 }, ['started 10m ago']],
    ['show no age without a start time', { age_seconds: null, expires_in_seconds: null }, []],
    ['show a start time in the future', { age_seconds: -5 }, ['started in the future, expires in 20m']],
    [
      'show that its gates are running',
      { verifying: true, expires_in_seconds: 1 },
      ['started 10m ago, expires in 1s, no result yet: its gates are running, or the hook was ended'],
    ],
    [
      'show its last stop',
      { last: logRecord({ time: ago(40) }) },
      ['started 10m ago, expires in 20m', 'last 40s ago: blocked: gates-failed'],
    ],
  ])('%s', (_, fields, details) => {
    const report = loop(fields);

    expect(loopLines([report], now, plain)).toEqual([
      `Loop      t: iteration ${report.iteration}/5`,
      ...details.map((detail) => `          ${detail}`),
    ]);
  });
});

describe('the line of the last call shows', () => {
  const gates = [
    { name: 'a', outcome: 'passed', exit: 0, duration_ms: 1 },
    { name: 'b', outcome: 'failed', exit: 3, duration_ms: 1 },
    { name: 'c', outcome: 'timed-out', exit: null, duration_ms: 1 },
    { name: 'd', outcome: 'skipped', exit: null, duration_ms: 0 },
  ] as const;
  test.each([
    [
      'a block',
      { time: ago(59), gates },
      '59s ago: agent check, blocked: gates-failed (b failed, exit 3; c timed-out)',
    ],
    [
      'a pass',
      { time: ago(60), answer: 'allow', why: 'commands-passed' },
      '1m ago: agent check, allowed: commands-passed',
    ],
    [
      'a stop that was ignored',
      { time: ago(7200), agent: 'x', answer: 'ignore', why: 'y\nz' },
      '2h ago: agent x, ignored: y z',
    ],
    [
      'an unknown agent',
      { time: ago(172_800), agent: null, answer: 'ignore', why: 'y' },
      '2d ago: agent unknown, ignored: y',
    ],
    [
      'a hook that was ended',
      { time: ago(0), answer: 'none', why: 'ended by SIGTERM' },
      '0s ago: agent check, no answer: ended by SIGTERM',
    ],
    ['a clock that was set back', { time: ago(-90) }, 'in the future: agent check, blocked: gates-failed'],
    // Whole units, rounded down: never "60m" or "24h".
    ['almost two minutes', { time: ago(119) }, '1m ago: agent check, blocked: gates-failed'],
    ['almost an hour', { time: ago(3599) }, '59m ago: agent check, blocked: gates-failed'],
    ['almost two hours', { time: ago(7199) }, '1h ago: agent check, blocked: gates-failed'],
    ['almost a day', { time: ago(86_399) }, '23h ago: agent check, blocked: gates-failed'],
    ['almost two days', { time: ago(172_799) }, '1d ago: agent check, blocked: gates-failed'],
  ] as const)('%s', (_, call, line) => {
    expect(lastCallLine(logRecord(call), now)).toBe(`Last call ${line}`);
  });
});
