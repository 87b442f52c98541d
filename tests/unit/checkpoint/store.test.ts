import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkpointTime, newCheckpointId } from '../../../src/checkpoint/store.ts';

const time = fc.date({ min: new Date(0), max: new Date('2059-01-01'), noInvalidDate: true });

test('a checkpoint id contains its time and sorts by it', () => {
  fc.assert(
    fc.property(time, time, (one, other) => {
      const id = newCheckpointId(one);
      expect(id).toMatch(/^[\da-z]{12}$/);
      expect(checkpointTime(id)).toEqual(one);
      if (one < other) expect(id < newCheckpointId(other)).toBe(true);
    }),
  );
});

test('checkpoint ids of the same millisecond differ', () => {
  const now = new Date();
  expect(new Set(Array.from({ length: 20 }, () => newCheckpointId(now))).size).toBeGreaterThan(15);
});
