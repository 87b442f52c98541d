import { expect, test } from 'vitest';
import { HeapGrowth } from '../../../src/process/heap-growth.ts';

test.each([
  ['a command that prints little', [30_000, 30_000], [], []],
  ['a command that prints a lot', [30_000, 70_000, 70_000], [1], [1, 2]],
  ['a command that prints a lot at once', [5_000_000], [1], [1, 2]],
])('the growth of the heap is limited once, until the excerpt is made: %s', (_, printed, atTheEnd, later) => {
  const factors: number[] = [];
  const restores: (() => void)[] = [];
  const heap = new HeapGrowth(
    (factor) => factors.push(factor),
    (restore) => restores.push(restore),
  );
  for (const bytes of printed) heap.read(bytes);
  heap.end();
  expect(factors).toEqual(atTheEnd);

  for (const restore of restores) restore();
  expect(factors).toEqual(later);
});
