import type { Gate } from './types.ts';

/** The gates in the order they run: by `order`, then as the config has them. Markers have no order. */
export function planGates<G extends Gate>(gates: readonly G[]): G[] {
  return gates.toSorted((a, b) => orderOf(a) - orderOf(b));
}

function orderOf(gate: Gate): number {
  return gate.kind === 'command' ? gate.order : 0;
}
