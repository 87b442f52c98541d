import { describe, expect, test } from 'vitest';
import { hasTimedOut, naiveLocalTime, parseNaiveLocalTime } from '../../../src/state/stop-loop.ts';

/** What `datetime.fromisoformat` of Python 3.7 and later reads, and the local time that it is. */
const read: [text: string, time: readonly number[]][] = [
  ['2026-01-31T10:30:05.123456', [2026, 0, 31, 10, 30, 5, 123]],
  ['2026-01-31T10:30:05.123', [2026, 0, 31, 10, 30, 5, 123]],
  ['2026-01-31T10:30:05', [2026, 0, 31, 10, 30, 5]],
  ['2026-01-31T10:30', [2026, 0, 31, 10, 30]],
  ['2026-01-31T10', [2026, 0, 31, 10]],
  ['2026-01-31', [2026, 0, 31]],
  ['2026-01-31 10:30:05', [2026, 0, 31, 10, 30, 5]],
  ['2026-01-31x10:30', [2026, 0, 31, 10, 30]],
  ['2026-01-31\u{1f389}10:30', [2026, 0, 31, 10, 30]],
  ['2026-01-31\n10:30', [2026, 0, 31, 10, 30]],
  ['2024-02-29T00:00:00', [2024, 1, 29]],
  ['2026-12-31T23:59:59', [2026, 11, 31, 23, 59, 59]],
  // As of Python 3.11.
  ['2026-01-31T10:30:05.1', [2026, 0, 31, 10, 30, 5, 100]],
  ['2026-01-31T10:30:05,123', [2026, 0, 31, 10, 30, 5, 123]],
  ['2026-01-31T10:30:05.123456789', [2026, 0, 31, 10, 30, 5, 123]],
];

/** What Python refuses, or reads with a zone, which it cannot subtract. */
const refused = [
  '2026-01-31T10:30:05Z',
  '2026-01-31T10:30:05+00:00',
  '2026-01-31T10:30:05.123456-0800',
  '2025-02-29T00:00:00',
  '2026-02-31T10:30:00',
  '2026-04-31',
  '2026-13-01',
  '2026-00-10',
  '2026-01-00',
  '2026-01-31T24:00:00',
  '2026-01-31T10:60:00',
  '2026-01-31T10:30:60',
  '2026-01-31T',
  '2026-01-31T10:',
  '2026-01-31T10:30:',
  '2026-01-31T10:30:05.',
  '2026-01-31T1:30',
  '2026-1-31',
  '26-01-31',
  ' 2026-01-31',
  '2026-01-31T10:30:05 ',
  '2026-01-31T10:30:05\n',
  '２０２６-01-31',
  '31.01.2026',
  'yesterday',
  '1769855405',
  '',
];

test.each(read)('parseNaiveLocalTime accepts %j, as Python does', (text, [year = 0, month = 0, ...rest]) => {
  expect(parseNaiveLocalTime(text)).toEqual(new Date(year, month, ...(rest as [])));
});

test.each(refused)('parseNaiveLocalTime rejects %j, as Python does', (text) => {
  expect(parseNaiveLocalTime(text)).toBeUndefined();
});

test.each([
  [new Date(2026, 0, 31, 10, 30, 5, 7), '2026-01-31T10:30:05.007000'],
  [new Date(2026, 11, 1), '2026-12-01T00:00:00.000000'],
])('naiveLocalTime formats a time as Python does: %s', (date, text) => {
  expect(naiveLocalTime(date)).toBe(text);
  expect(parseNaiveLocalTime(text)).toEqual(date);
});

describe('a loop with a timeout of 30 minutes', () => {
  const now = new Date(2026, 0, 31, 10, 30, 0);
  test.each([
    ['now', '2026-01-31T10:30:00', false],
    ['a moment before its end', '2026-01-31T10:00:00.001', false],
    ['at its end', '2026-01-31T10:00:00', false],
    ['a moment behind its end', '2026-01-31T09:59:59.999', true],
    ['years ago', '2020-01-31T10:30:00', true],
    ['in the future', '2099-01-31T10:30:00', false],
    ['at no time', null, false],
    ['at an empty time', '', false],
    ['at a time that cannot be read', 'yesterday', true],
    ['at a time with a zone', '2026-01-31T10:30:00Z', true],
  ])('and a start %s', (_, startedAt, expected) => {
    expect(hasTimedOut(startedAt, 30, now)).toBe(expected);
  });

  test('or with a timeout of half a minute, expires after it', () => {
    expect(hasTimedOut('2026-01-31T10:29:31', 0.5, now)).toBe(false);
    expect(hasTimedOut('2026-01-31T10:29:29', 0.5, now)).toBe(true);
  });
});
