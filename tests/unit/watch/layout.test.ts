import { describe, expect, test } from 'vitest';
import type { Slot } from '../../../src/watch/board.ts';
import { layoutOf } from '../../../src/watch/layout.ts';
import { boardOfNames } from '../../helpers/board.ts';

const slot: Slot = { stage: 'coder', task: 'T', iteration: 1, max: 15, since: '', costUsd: null };
const layout = (at: { lanes: number; slots: number; hooks: number; columns: number; rows: number }) => {
  const hooks = Array.from({ length: at.hooks }, (_, index) => `h${index}`).join(' ');
  const board = boardOfNames(
    Array.from({ length: at.lanes }, () => ''),
    hooks,
  );
  return layoutOf({ ...board, slots: Array.from({ length: at.slots }, () => slot) }, at.columns, at.rows);
};

describe('lanes', () => {
  test.each([
    [3, 60, true],
    [3, 71, true],
    [3, 72, false],
    [5, 119, true],
    [5, 120, false],
  ])('%i in %i columns: stacked %s', (lanes, columns, isStacked) => {
    expect(layout({ lanes, columns, slots: 0, hooks: 0, rows: 24 }).isStacked).toBe(isStacked);
  });
});

describe('lines are given out', () => {
  test.each([
    // slots, hooks, columns, rows; lines of the lanes, of the slots, of the hooks
    [0, 0, 60, 20, 19, 0, 0],
    [1, 1, 60, 20, 14, 3, 2],
    [1, 1, 80, 20, 15, 2, 2],
    [9, 9, 60, 20, 9, 5, 5],
    [9, 9, 60, 50, 28, 11, 10],
    // The agents' panel is the first to go.
    [1, 1, 60, 12, 6, 3, 2],
    [1, 1, 60, 11, 8, 0, 2],
    [9, 9, 60, 4, 0, 0, 3],
  ])('%i agents, %i hooks, %i x %i', (slots, hooks, columns, rows, ...expected) => {
    const { laneRows, slotRows, hookRows } = layout({ lanes: 3, slots, hooks, columns, rows });
    expect([laneRows, slotRows, hookRows]).toEqual(expected);
  });
});
