import { describe, expect, test } from 'vitest';
import type { RunningAgent } from '../../../src/watch/board.ts';
import { computeLayout, visibleRange } from '../../../src/watch/view.ts';
import { boardOfNames } from '../../helpers/board.ts';

const agent: RunningAgent = { stage: 'coder', task: 'T', iteration: 1, max: 15, since: '', costUsd: null };
const layout = (at: { lanes: number; agents: number; hooks: number; columns: number; rows: number }) => {
  const hooks = Array.from({ length: at.hooks }, (_, index) => `h${index}`).join(' ');
  const board = boardOfNames(
    Array.from({ length: at.lanes }, () => ''),
    hooks,
  );
  return computeLayout(
    { ...board, agents: Array.from({ length: at.agents }, () => agent) },
    at.columns,
    at.rows,
  );
};

describe('computeLayout', () => {
  test.each([
    [3, 60, true],
    [3, 71, true],
    [3, 72, false],
    [5, 119, true],
    [5, 120, false],
  ])('with %i lanes in %i columns stacks the lanes: %s', (lanes, columns, isStacked) => {
    expect(layout({ lanes, columns, agents: 0, hooks: 0, rows: 24 }).isStacked).toBe(isStacked);
  });
});

describe('computeLayout divides the lines', () => {
  test.each([
    // agents, hooks, columns, rows; rows of the lanes, of the agents, of the hooks
    [0, 0, 60, 20, 19, 0, 0],
    [1, 1, 60, 20, 14, 3, 2],
    [1, 1, 80, 20, 15, 2, 2],
    [9, 9, 60, 20, 9, 5, 5],
    [9, 9, 60, 50, 28, 11, 10],
    // The panel of the agents is removed first.
    [1, 1, 60, 12, 6, 3, 2],
    [1, 1, 60, 11, 8, 0, 2],
    [9, 9, 60, 4, 0, 0, 3],
  ])('among %i agents and %i stop loops on %i x %i', (agents, hooks, columns, rows, ...expected) => {
    const { laneRows, agentRows, hookRows } = layout({ lanes: 3, agents, hooks, columns, rows });
    expect([laneRows, agentRows, hookRows]).toEqual(expected);
  });
});

test.each([
  // heights, selected, rows, from, to
  [[], -1, 5, 0, 0],
  [[2, 2], 0, 4, 0, 2],
  [[2, 2, 2], 0, 4, 0, 2],
  [[2, 2, 2], 1, 4, 0, 2],
  [[2, 2, 2], 2, 4, 2, 3],
  [[1, 1, 1, 1, 1], 3, 2, 2, 4],
  // An entry that is too high has a page of its own.
  [[1, 9, 1], 0, 4, 0, 1],
  [[1, 9, 1], 1, 4, 1, 2],
  [[1, 9, 1], 2, 4, 2, 3],
  [[1, 1], 1, 0, 1, 2],
  // No entry is selected.
  [[2, 2, 2], -1, 4, 0, 2],
])(
  'visibleRange of entries with the heights %j, with entry %i selected, in %i rows is from %i to %i',
  (heights, selected, rows, from, to) => {
    expect(visibleRange(heights, selected, rows)).toEqual({ from, to });
  },
);
