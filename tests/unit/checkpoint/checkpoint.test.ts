import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newId, timeOf } from '../../../src/checkpoint/checkpoint.ts';

const time = fc.date({ min: new Date(0), max: new Date('2059-01-01'), noInvalidDate: true });

test('an id tells its time, and sorts by it', () => {
  fc.assert(
    fc.property(time, time, (one, other) => {
      const id = newId(one);
      expect(id).toMatch(/^[\da-z]{12}$/);
      expect(timeOf(id)).toEqual(one);
      if (one < other) expect(id < newId(other)).toBe(true);
    }),
  );
});

test('ids of the same millisecond differ', () => {
  const now = new Date();
  expect(new Set(Array.from({ length: 20 }, () => newId(now))).size).toBeGreaterThan(15);
});
