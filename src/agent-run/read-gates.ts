import { findProject, readCurrentTask } from '../config/discover.ts';
import { readProject } from '../config/load.ts';
import { planGates } from '../gates/plan.ts';
import type { CommandGate, Gate } from '../gates/types.ts';

/** The gates of the project that a promise must stand, in their order; markers are none of them. */
export async function readGates(
  root: string,
): Promise<
  | { readonly gates: readonly CommandGate[]; readonly failFast: boolean }
  | { readonly problems: readonly string[] }
> {
  const found = findProject(root, { needsRepository: false });
  if (!found.ok) return { gates: [], failFast: true };
  const { gates, settings, problems } = await readProject(found.value, readCurrentTask(root));
  if (problems.length > 0) return { problems };
  return { gates: planGates(gates.filter(isShellGate)).filter(isShellGate), failFast: settings.failFast };
}

function isShellGate(gate: Gate): gate is CommandGate {
  return gate.kind === 'command';
}
