import { describe, expect, test } from 'vitest';
import {
  beginAttempt,
  hasExpired,
  type LoopState,
  parseLoopState,
  resetState,
} from '../../../src/state/loop-state.ts';

const now = new Date(2026, 0, 31, 10, 30, 0);
const NOW = '2026-01-31T10:30:00.000000';
const EARLIER = '2026-01-31T10:20:00.123456';
const rules = { task: 'tasks/a', stateTimeoutMinutes: 30 };
const state = (fields: Partial<LoopState>): LoopState => ({
  task: 'tasks/a',
  iteration: 2,
  started_at: EARLIER,
  ...fields,
});

describe('a stop attempt is counted', () => {
  test.each([
    ['from 1 without a state', undefined, 1, NOW],
    ['on from the one before', state({}), 3, EARLIER],
    ['on from a reset', state({ iteration: 0 }), 1, EARLIER],
    ['on beyond any cap', state({ iteration: 41 }), 42, EARLIER],
    ['on without a time', state({ started_at: null }), 3, null],
    ['on from a time in the future', state({ started_at: '2099-01-01T00:00:00' }), 3, '2099-01-01T00:00:00'],
    ['from 1 after the timeout', state({ started_at: '2026-01-31T09:59:00' }), 1, NOW],
    ['from 1 after a time that cannot be read', state({ started_at: 'x' }), 1, NOW],
    ['from 1 after a time with a zone', state({ started_at: `${EARLIER}Z` }), 1, NOW],
    ['from 1 for another task', state({ task: 'tasks/b' }), 1, NOW],
    ['from 1 for a task that differs in case', state({ task: 'tasks/A' }), 1, NOW],
  ])('%s', (_, previous, iteration, startedAt) => {
    expect(beginAttempt(previous, rules, now)).toEqual({ task: 'tasks/a', iteration, started_at: startedAt });
  });

  test.each([
    ['goes on', {}],
    ['starts again', { task: 'tasks/b' }],
  ])('and keys that we do not know are kept where the loop %s', (_, fields) => {
    expect(beginAttempt(state({ ...fields, x: { y: [1] } }), rules, now)).toMatchObject({ x: { y: [1] } });
  });
});

test('a reset keeps everything but the count', () => {
  expect(resetState(state({ x: 1 }))).toEqual({ task: 'tasks/a', iteration: 0, started_at: EARLIER, x: 1 });
});

describe('the content of a state file', () => {
  test.each([
    ['{"task":"a","iteration":3,"started_at":"t"}', { task: 'a', iteration: 3, started_at: 't' }],
    [
      '{"task":"a","iteration":0,"started_at":null,"x":[1]}',
      { task: 'a', iteration: 0, started_at: null, x: [1] },
    ],
    ['{"task":"a"}', { task: 'a', iteration: 0, started_at: null }],
    ['{}', { task: '', iteration: 0, started_at: null }],
    ['{"task":null,"iteration":1}', { task: '', iteration: 1, started_at: null }],
    ['{"task":5,"iteration":1}', { task: '', iteration: 1, started_at: null }],
    ['{"task":"a","iteration":1.0}', { task: 'a', iteration: 1, started_at: null }],
    // As for Python's truth: nothing never expires, anything else does.
    ['{"task":"a","started_at":""}', { task: 'a', iteration: 0, started_at: '' }],
    ['{"task":"a","started_at":0}', { task: 'a', iteration: 0, started_at: null }],
    ['{"task":"a","started_at":false}', { task: 'a', iteration: 0, started_at: null }],
    ['{"task":"a","started_at":5}', { task: 'a', iteration: 0, started_at: '5' }],
    ['{"task":"a","started_at":true}', { task: 'a', iteration: 0, started_at: 'true' }],
    ['{"task":"a","started_at":{}}', { task: 'a', iteration: 0, started_at: '{}' }],
  ])('is used: %s', (text, expected) => {
    expect(parseLoopState(text)).toEqual({ state: expected });
  });

  test.each([
    ['', 'it is not JSON'],
    ['not json', 'it is not JSON'],
    ['{"task":"a","iteration":', 'it is not JSON'],
    ['\0\0\0\0', 'it is not JSON'],
    ['null', 'it is not an object'],
    ['[]', 'it is not an object'],
    ['5', 'it is not an object'],
    ['"text"', 'it is not an object'],
    ['{"iteration":-1}', 'its iteration is -1'],
    ['{"iteration":1.5}', 'its iteration is 1.5'],
    ['{"iteration":1e300}', 'its iteration is 1e+300'],
    ['{"iteration":"3"}', 'its iteration is "3"'],
    ['{"iteration":null}', 'its iteration is null'],
    ['{"iteration":true}', 'its iteration is true'],
    ['{"iteration":[1]}', 'its iteration is [1]'],
  ])('cannot be used: %j', (text, unusable) => {
    expect(parseLoopState(text)).toEqual({ unusable });
  });

  // Python cannot read these as a time either, and starts the loop again.
  test.each(['5', '20260131', '1769855405', 'true', '{}', '["2026-01-31T10:20:00"]', '{"toString":1}'])(
    'with a time that is no text is that of a loop which has expired: %s',
    (startedAt) => {
      const parsed = parseLoopState(`{"task":"a","started_at":${startedAt}}`);

      expect('state' in parsed && hasExpired(parsed.state.started_at, 30, now)).toBe(true);
    },
  );
});

test('whatever the state says, there are never more than four blocks before a stop is let go', () => {
  const contents = [
    '{"task":"tasks/a","iteration":9007199254740991}',
    '{"task":"tasks/a","iteration":-5}',
    '{"task":"tasks/a","started_at":5}',
  ];
  for (const content of contents) {
    const parsed = parseLoopState(content);
    let previous = 'state' in parsed ? parsed.state : undefined;
    const iterations = Array.from({ length: 5 }, () => {
      previous = beginAttempt(previous, rules, now);
      return previous.iteration;
    });

    expect(iterations.some((iteration) => iteration >= 5)).toBe(true);
  }
});
