import { expect, test } from 'vitest';
import { HeapGrowth } from '../../../src/process/heap-growth.ts';

const LIMITED = ['--semi-space-growth-factor=1', '--heap-growing-percent=20'];
const UNLIMITED = ['--semi-space-growth-factor=2', '--heap-growing-percent=0'];

test.each([
  ['a command that prints little', [30_000, 30_000], [], []],
  ['a command that prints a lot', [30_000, 70_000, 70_000], LIMITED, [...LIMITED, ...UNLIMITED]],
  ['a command that prints a lot at once', [5_000_000], LIMITED, [...LIMITED, ...UNLIMITED]],
])('the growth of the heap is limited once, until the excerpt is made: %s', (_, printed, atTheEnd, later) => {
  const set: string[] = [];
  const restores: (() => void)[] = [];
  const heap = new HeapGrowth(
    (flags) => set.push(...flags),
    (restore) => restores.push(restore),
  );
  for (const bytes of printed) heap.read(bytes);
  heap.end();
  expect(set).toEqual(atTheEnd);

  for (const restore of restores) restore();
  expect(set).toEqual(later);
});
