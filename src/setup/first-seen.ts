import type { Candidate, GateKind } from './proposed-gate.ts';

/** A command, and what its program is seen in; undefined where it is not seen. */
export type Choice = readonly [run: string, seenIn: string | undefined];

/** Of commands that check the same, the first whose program is seen, as the only one of a list; or none. */
export function firstSeen(kind: GateKind, ...choices: readonly Choice[]): Candidate[] {
  for (const [run, why] of choices) if (why !== undefined) return [{ kind, run, why }];
  return [];
}
