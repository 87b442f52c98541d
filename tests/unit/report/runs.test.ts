import { expect, test } from 'vitest';
import { runStatus } from '../../../src/report/runs.ts';
import type { Frame } from '../../../src/verification/live-runs.ts';
import { resultOf, shellGate } from '../../helpers/gate-results.ts';

const now = new Date('2026-01-31T10:30:00.000Z');
const started = (name: string, seconds: number): Frame => ({
  type: 'started',
  key: `key of ${name}`,
  gate: shellGate(name),
  time: now.getTime() - seconds * 1000,
});
const ended = (...result: Parameters<typeof resultOf>): Frame => ({
  type: 'ended',
  key: `key of ${result[0]}`,
  result: resultOf(...result),
  findings: undefined,
});

test('the status of a run has its gates in the order of their start, with their results and usual times', () => {
  const frames = [
    ended('reused', 'passed', { durationMs: 70, reused: '2026-01-31T10:00:00.000Z' }),
    started('lint', 60),
    started('test', 50),
    ended('lint', 'failed', { durationMs: 1999.6 }),
    started('later', -5),
  ];
  const usual = new Map([
    ['test', 240_000],
    ['lint', 2000],
  ]);
  expect(runStatus({ frames, followers: 2 }, usual, now)).toEqual({
    waiting: 2,
    gates: [
      { name: 'reused', outcome: 'passed', started_at: null, duration_ms: 70, usual_ms: null },
      {
        name: 'lint',
        outcome: 'failed',
        started_at: '2026-01-31T10:29:00.000Z',
        duration_ms: 2000,
        usual_ms: 2000,
      },
      {
        name: 'test',
        outcome: null,
        started_at: '2026-01-31T10:29:10.000Z',
        duration_ms: 50_000,
        usual_ms: 240_000,
      },
      {
        name: 'later',
        outcome: null,
        started_at: '2026-01-31T10:30:05.000Z',
        duration_ms: 0,
        usual_ms: null,
      },
    ],
  });
});
