import { expect, test } from 'vitest';
import { HeapGrowth } from '../../../src/process/heap-growth.ts';

function factorsSetBy(use: (heap: HeapGrowth) => void): number[] {
  const factors: number[] = [];
  use(new HeapGrowth((factor) => factors.push(factor)));
  return factors;
}

test.each([
  ['a command that prints little', [30_000, 30_000], []],
  ['a command that prints a lot', [30_000, 70_000, 70_000], [1, 2]],
  ['a command that prints a lot at once', [5_000_000], [1, 2]],
])('the growth of the heap is limited once, and only until the end: %s', (_, printed, factors) => {
  const set = factorsSetBy((heap) => {
    for (const bytes of printed) heap.read(bytes);
    heap.end();
  });

  expect(set).toEqual(factors);
});
