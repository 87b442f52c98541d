import type { NamedCommands } from '../known-names.ts';
import { tableAt, textsIn, valueAt } from '../parse-data.ts';
import type { ProjectFacts } from '../project-facts.ts';

/** A plugin's option that names the target which it gives to projects: `"testTargetName": "test"`. */
const TARGET_NAME = /"\w*[tT]argetName"\s*:\s*"([\w:-]+)"/g;

/** The targets that an nx.json speaks of; what they run is known to Nx alone. */
export function nxTargets(project: ProjectFacts): NamedCommands {
  const nx = project.data('nx.json');
  const names = [
    ...Object.keys(tableAt(nx, 'targetDefaults')),
    ...textsIn(valueAt(nx, 'tasksRunnerOptions', 'default', 'options', 'cacheableOperations')),
    ...[...project.text('nx.json').matchAll(TARGET_NAME)].flatMap(([, name]) => name ?? []),
  ];
  return Object.fromEntries(names.map((name) => [name, '']));
}
