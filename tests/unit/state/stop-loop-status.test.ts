import { describe, expect, test } from 'vitest';
import type { LogRecord } from '../../../src/state/execution-log.ts';
import { type StopLoop, stopLoopStatus } from '../../../src/state/stop-loop.ts';
import { logRecord } from '../../helpers/log-record.ts';

const now = new Date(2026, 0, 31, 10, 30, 0);
const at = (minute: number) => new Date(2026, 0, 31, 10, minute, 0).toISOString();
const STARTED = '2026-01-31T10:20:00.000000';
const rules = { maxIterations: 5, stateTimeoutMinutes: 30 };

function report(state: Partial<StopLoop>, log: LogRecord[] = []) {
  return stopLoopStatus({ task: 't', iteration: 2, started_at: STARTED, ...state }, log, rules, now);
}

test('the status of a loop has its count, its age, and when it expires', () => {
  expect(report({})).toEqual({
    loop: 't',
    iteration: 2,
    max: 5,
    started_at: STARTED,
    age_seconds: 600,
    expires_in_seconds: 1200,
    expired: false,
    verifying: true,
    last: null,
  });
});

test.each([
  ['is over', '2026-01-31T09:50:00', { age_seconds: 2400, expires_in_seconds: -600, expired: true }],
  ['is in the future', '2026-01-31T10:31:00', { age_seconds: -60, expires_in_seconds: 1860, expired: false }],
  ['is none', null, { age_seconds: null, expires_in_seconds: null, expired: false }],
  ['cannot be read', 'x', { age_seconds: null, expires_in_seconds: null, expired: true }],
])('the status of a loop whose start time %s', (_, startedAt, expected) => {
  expect(report({ started_at: startedAt })).toMatchObject(expected);
});

describe('the status of a loop', () => {
  test('has the latest line of its task in the log', () => {
    const log = [
      logRecord({ task: 't', iteration: 1, time: at(21) }),
      logRecord({ task: 't', iteration: 2, time: at(22) }),
      logRecord({ task: 'other', iteration: 3, time: at(23) }),
      logRecord({ task: null, iteration: null, time: at(24) }),
    ];

    expect(report({}, log).last).toBe(log[1]);
  });

  test.each([
    ['has its line', { iteration: 2 }, logRecord({ task: 't', iteration: 2, time: at(22) }), false],
    [
      'has only the line of the one before',
      { iteration: 2 },
      logRecord({ task: 't', iteration: 1, time: at(22) }),
      true,
    ],
    [
      'has only the line of a loop before',
      { iteration: 2 },
      logRecord({ task: 't', iteration: 2, time: at(10) }),
      true,
    ],
    [
      'has a line, and the loop no time',
      { iteration: 2, started_at: null },
      logRecord({ task: 't', iteration: 2, time: at(10) }),
      false,
    ],
    ['has no line', { iteration: 1 }, undefined, true],
    ['is none', { iteration: 0 }, undefined, false],
  ])('shows whether its gates run now, when the present iteration %s', (_, state, line, verifying) => {
    expect(report(state, line ? [line] : []).verifying).toBe(verifying);
  });
});
