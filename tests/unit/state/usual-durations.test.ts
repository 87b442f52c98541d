import { expect, test } from 'vitest';
import { usualDurations } from '../../../src/state/usual-durations.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

type Gate = readonly [name: string, outcome: string, ms: number, reused?: string];

/** Stops, the oldest first. */
function projectWith(...stops: readonly (readonly Gate[])[]): string {
  const lines = stops.map((gates, n) =>
    JSON.stringify({
      time: `2026-01-31T10:0${n}:00.000Z`,
      answer: 'allow',
      why: 'commands-passed',
      gates: gates.map(([name, outcome, duration_ms, reused]) => ({ name, outcome, duration_ms, reused })),
    }),
  );
  return temporaryTree({ '.trellis/.ralph/log.jsonl': `${lines.join('\n')}\n` });
}

test.each([
  ['the median of its last five runs', [100, 1, 2, 3, 4, 5], 3],
  ['the only run', [7], 7],
])('a gate usually takes %s', (_, durations, usual) => {
  const root = projectWith(...durations.map((ms): Gate[] => [['a', 'passed', ms]]));
  expect(usualDurations(root)).toEqual(new Map([['a', usual]]));
});

test('a gate whose pass was only ever reused usually takes as long as that pass', () => {
  const pass = '2026-01-31T09:00:00.000Z';
  const root = projectWith([['a', 'passed', 240_000, pass]], [['a', 'passed', 240_000, pass]]);
  expect(usualDurations(root)).toEqual(new Map([['a', 240_000]]));
});

test('gates that did not end say nothing about how long they take', () => {
  const root = projectWith([
    ['a', 'out-of-time', 5000],
    ['b', 'skipped', 0],
    ['c', 'timed-out', 120_000],
  ]);
  expect(usualDurations(root)).toEqual(new Map());
});

test('without a log nothing is known', () => {
  expect(usualDurations(temporaryTree())).toEqual(new Map());
});
