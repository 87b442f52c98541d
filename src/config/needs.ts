import { listed } from '../base/text.ts';
import type { CommandGate } from '../gates/types.ts';
import type { Need, ParsedGate } from './command-gate.ts';
import { type ConfigProblem, didYouMean } from './validate.ts';

/** A gate, and what it needs. */
interface NeedingGate {
  readonly name: string;
  /** Undefined where it cannot be run. */
  readonly gate: CommandGate | undefined;
  readonly needs: readonly Need[];
}

/**
 * The problems in the `needs` of gates. Disabled gates are gates too, so that switching one off and on changes nothing
 * else in the file.
 *
 * @param parsed with the names that the gates have in a run
 */
export function wrongNeeds(parsed: readonly ParsedGate[]): ConfigProblem[] {
  if (parsed.every(({ needs }) => needs === undefined)) return [];
  const gates = parsed.flatMap(({ gate, named, needs = [] }): NeedingGate[] => {
    const name = gate?.name ?? named?.name;
    return name === undefined ? [] : [{ name, gate, needs }];
  });
  const byName = new Map(gates.map((gate) => [gate.name, gate]));
  const wrong = gates.flatMap((gate) =>
    gate.needs.flatMap((need) => {
      const message = wrongNeed(gate, need, byName);
      return message === undefined ? [] : [{ ...need.at, message }];
    }),
  );
  return [...wrong, ...cyclesIn(byName)];
}

/** @returns undefined if the gate can need it, unless there is a cycle */
function wrongNeed(
  { name, gate }: NeedingGate,
  need: Need,
  gates: ReadonlyMap<string, NeedingGate>,
): string | undefined {
  const needed = gates.get(need.name);
  if (need.name === name) return `found the gate's own name "${name}" in "needs", expected other gates`;
  if (!needed) {
    const names = [...gates.keys()].filter((each) => each !== name);
    const expected =
      names.length > 0 ? `expected one of ${listed(names, 300)}` : 'and there is no other gate';
    return `found unknown gate "${need.name}" in "needs", ${expected}${didYouMean(need.name, names)}`;
  }
  if (!gate || !needed.gate) return undefined;
  if (needed.gate.order > gate.order)
    return `found "${need.name}" in "needs", which starts later (order ${needed.gate.order}, and this gate ${gate.order}), expected a gate of the same or a lower order`;
  if (gate.blocking && !needed.gate.blocking)
    return `found "${need.name}" in "needs", whose failure does not block, expected a blocking gate or "blocking: false" for this gate too`;
  return undefined;
}

/** One problem for each need that closes a cycle. Without recursion: a file may have more gates than a stack can hold. */
function cyclesIn(gates: ReadonlyMap<string, NeedingGate>): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const done = new Set<string>();
  for (const start of gates.values()) {
    // From each gate to one that it needs. The needs of a gate that are not looked at yet are its rest.
    const path = [{ name: start.name, rest: [...start.needs] }];
    const onPath = new Map([[start.name, 0]]);
    for (let last = path.at(-1); last && !done.has(start.name); last = path.at(-1)) {
      const need = last.rest.shift();
      const next = need && gates.get(need.name);
      if (!need) {
        done.add(last.name);
        onPath.delete(last.name);
        path.pop();
      } else if (next && onPath.has(next.name) && next.name !== last.name) {
        const cycle = [...path.slice(onPath.get(next.name)), next].map(({ name }) => name);
        const message = `found a cycle in "needs": ${listed(cycle, 300, ' → ')}, expected that one of these gates needs none of the others`;
        problems.push({ ...need.at, message });
      } else if (next && !onPath.has(next.name) && !done.has(next.name)) {
        onPath.set(next.name, path.length);
        path.push({ name: next.name, rest: [...next.needs] });
      }
    }
  }
  return problems;
}
