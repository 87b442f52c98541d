import { expect, test } from 'vitest';
import { planGates } from '../../../src/gates/plan-gates.ts';
import type { Gate } from '../../../src/gates/types.ts';
import { markerGate, shellGate } from '../../helpers/gate-results.ts';

const gate = (name: string, order = 100) => shellGate(name, { order });

test.each<[string, Gate[], string[]]>([
  ['by order', [gate('c', 3), gate('a', 1), gate('b', 2)], ['a', 'b', 'c']],
  ['equal orders as in the config', [gate('b'), gate('a'), gate('c')], ['b', 'a', 'c']],
  ['one without an order in the middle', [gate('c', 101), gate('b'), gate('a', 99)], ['a', 'b', 'c']],
  ['negative orders and fractions', [gate('c'), gate('b', 0.5), gate('a', -1)], ['a', 'b', 'c']],
  ['markers as in the config', [markerGate('B_FINISH'), markerGate('A_FINISH')], ['B_FINISH', 'A_FINISH']],
  ['none', [], []],
])('gates run %s', (_, gates, names) => {
  expect(planGates(gates).map(({ name }) => name)).toEqual(names);
});

test('planning leaves the config as it is', () => {
  const gates = Object.freeze([gate('b', 2), gate('a', 1)]);

  planGates(gates);

  expect(gates.map(({ name }) => name)).toEqual(['b', 'a']);
});
