import { expect, test } from 'vitest';
import { pageOf } from '../../../src/watch/page-of.ts';

test.each([
  // heights, selected, room, from, to
  [[], -1, 5, 0, 0],
  [[2, 2], 0, 4, 0, 2],
  [[2, 2, 2], 0, 4, 0, 2],
  [[2, 2, 2], 1, 4, 0, 2],
  [[2, 2, 2], 2, 4, 2, 3],
  [[1, 1, 1, 1, 1], 3, 2, 2, 4],
  // What is higher than all the room is shown alone.
  [[1, 9, 1], 0, 4, 0, 1],
  [[1, 9, 1], 1, 4, 1, 2],
  [[1, 9, 1], 2, 4, 2, 3],
  [[1, 1], 1, 0, 1, 2],
  // Nothing of it is selected.
  [[2, 2, 2], -1, 4, 0, 2],
])('of %j, %i is seen in %i lines: from %i to %i', (heights, selected, room, from, to) => {
  expect(pageOf(heights, selected, room)).toEqual({ from, to });
});
