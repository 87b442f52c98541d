import type { ProposedGate } from './proposed-gate.ts';

/**
 * The gates that a person names: those of the proposal by their names, anything else as a command.
 *
 * @param wanted each a name, several names with commas between, or a command
 */
export function chooseGates(
  wanted: readonly string[],
  proposed: readonly ProposedGate[],
): readonly ProposedGate[] {
  return wanted.flatMap((words) => namedAmong(words.split(','), proposed) ?? [commandGate(words)]);
}

/** Undefined where one of them is no name. */
function namedAmong(names: readonly string[], proposed: readonly ProposedGate[]): ProposedGate[] | undefined {
  const gates = names.flatMap((name) => proposed.find((gate) => gate.name === name.trim()) ?? []);
  return gates.length === names.length ? gates : undefined;
}

/** A command that somebody typed goes by itself. */
function commandGate(run: string): ProposedGate {
  return { name: run.trim(), kind: 'test', run: run.trim(), why: 'typed' };
}
