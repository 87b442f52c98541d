import { describe, expect, test } from 'vitest';
import { plain } from '../../../src/messages/paint.ts';
import { lastCallLine, loopLines, type RunStatus, runText } from '../../../src/messages/status.ts';
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
    ['show its age and when it expires', {}, ['started 10 min ago, expires in 20 min']],
    ['show a minute left', { expires_in_seconds: 119 }, ['started 10 min ago, expires in 2 min']],
    [
      'show that it has expired',
      { expired: true },
      ['started 10 min ago, expired: the next stop is iteration 1'],
    ],
    ['show no expiry at iteration 0', { iteration: 0 }, ['started 10 min ago']],
    ['show no age without a start time', { age_seconds: null, expires_in_seconds: null }, []],
    ['show a start time in the future', { age_seconds: -5 }, ['started just now, expires in 20 min']],
    [
      'show that its gates are running',
      { verifying: true, expires_in_seconds: 1 },
      ['started 10 min ago, expires in 1 s, no result yet: its gates are running, or the hook was ended'],
    ],
    [
      'show its last stop',
      { last: logRecord({ time: ago(40) }) },
      ['started 10 min ago, expires in 20 min', 'last 40 s ago: blocked: gates-failed'],
    ],
  ])('%s', (_, fields, details) => {
    const report = loop(fields);

    expect(loopLines([report], now, plain)).toEqual([
      `Loop      t: iteration ${report.iteration}/5`,
      ...details.map((detail) => `          ${detail}`),
    ]);
  });
});

describe('the line of a verification run shows', () => {
  const gate = (name: string, fields: Partial<RunStatus['gates'][number]> = {}) => ({
    name,
    outcome: null,
    started_at: ago(50),
    duration_ms: 50_000,
    usual_ms: null,
    ...fields,
  });
  const done = { outcome: 'passed', started_at: null } as const;
  test.each([
    ['a gate that runs', [gate('test')], 0, 'test: 50 s so far'],
    [
      'how long it usually takes, and who waits',
      [gate('test', { usual_ms: 240_000 })],
      2,
      'test: 50 s so far, usually 4 min; 2 processes wait for it',
    ],
    [
      'gates that run at the same time, and those that have ended',
      [gate('lint', done), gate('test'), gate('e2e', { started_at: ago(300) })],
      1,
      'test: 50 s so far; e2e: 5 min so far; 1 gate done; 1 process waits for it',
    ],
    ['that no gate runs now', [gate('a', done), gate('b', done)], 0, '2 gates done'],
    ['a run that begins', [], 0, '0 gates done'],
    ['a clock that was set back', [gate('test', { started_at: ago(-90) })], 0, 'test: 0 s so far'],
    ['no control characters', [gate('a\x1b[31m\nb')], 0, 'a b: 50 s so far'],
  ])('%s', (_, gates, waiting, text) => {
    expect(runText({ gates, waiting }, now)).toBe(text);
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
      '59 s ago: agent check, blocked: gates-failed (b failed, exit 3; c timed-out)',
    ],
    [
      'a pass',
      { time: ago(60), answer: 'allow', why: 'commands-passed' },
      '60 s ago: agent check, allowed: commands-passed',
    ],
    [
      'what was reused and joined',
      {
        time: ago(60),
        answer: 'allow',
        why: 'commands-passed',
        gates: [
          { name: 'a', outcome: 'passed', exit: 0, duration_ms: 240_000, reused: '2026-01-31T10:27:00.000Z' },
          { name: 'b', outcome: 'passed', exit: 0, duration_ms: 10_000, joined: true },
        ],
      },
      '60 s ago: agent check, allowed: commands-passed, 1 reused, 1 joined (saved 4 min 10 s)',
    ],
    [
      'a stop that was ignored',
      { time: ago(7200), agent: 'x', answer: 'ignore', why: 'y\nz' },
      '2 h ago: agent x, ignored: y z',
    ],
    [
      'an unknown agent',
      { time: ago(172_800), agent: null, answer: 'ignore', why: 'y' },
      '2 days ago: agent unknown, ignored: y',
    ],
    [
      'a hook that was ended',
      { time: ago(0), answer: 'none', why: 'ended by SIGTERM' },
      'just now: agent check, no answer: ended by SIGTERM',
    ],
    ['a clock that was set back', { time: ago(-90) }, 'just now: agent check, blocked: gates-failed'],
    ['almost two minutes', { time: ago(119) }, '2 min ago: agent check, blocked: gates-failed'],
  ] as const)('%s', (_, call, line) => {
    expect(lastCallLine(logRecord(call), now)).toBe(`Last call ${line}`);
  });
});
