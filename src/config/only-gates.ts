import { didYouMean } from './config-problem.ts';
import type { ProjectConfig } from './read-project.ts';

/** The config with those of its gates that are named; a name that no gate has is a problem. */
export function onlyGates(config: ProjectConfig, names: readonly string[]): ProjectConfig {
  const unknown = names.filter((name) => !config.gates.some((gate) => gate.name === name));
  const known = config.gates.map((gate) => gate.name);
  return {
    ...config,
    gates: config.gates.filter(({ name }) => names.includes(name)),
    problems: [...config.problems, ...unknown.slice(0, 1).map((name) => unknownGate(name, known))],
  };
}

function unknownGate(name: string, names: readonly string[]): string {
  const gates = names.length === 1 ? '1 gate' : `${names.length} gates`;
  const list = names.length > 0 ? `${gates} here: ${names.join(', ')}` : 'no gate here';
  return `Unknown gate "${name}"${didYouMean(name, names) || `: ${list}`}`;
}
