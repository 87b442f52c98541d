import { faultOf, type NamedCommands, namesOf } from '../known-names.ts';
import { type Table, tableAt } from '../parse-data.ts';
import type { ProjectFacts } from '../project-facts.ts';
import type { GateKind } from '../proposed-gate.ts';
import type { FoundCheck } from './found-check.ts';
import { nxTargets } from './nx-targets.ts';
import type { PackageManager } from './package-manager.ts';
import { scriptsOf } from './scripts-of.ts';
import { workspaceMembers } from './workspace-members.ts';

/** The check of one kind that packages of the workspace have, for all of them at once. */
export function workspaceCheck(
  kind: GateKind,
  project: ProjectFacts,
  packageJson: Table,
  manager: PackageManager,
): FoundCheck | undefined {
  const [target] = namesOf(kind, nxTargets(project));
  if (target !== undefined)
    return { run: manager.exec(`nx run-many -t ${target}`), why: `target ${target} in nx.json` };
  const members = workspaceMembers(project, packageJson).map((directory) => {
    const path = `${directory}/package.json`;
    return { path, scripts: scriptsOf(project.data(path)) };
  });
  const all: NamedCommands = Object.assign({}, ...members.map(({ scripts }) => scripts));
  for (const script of namesOf(kind, all)) {
    const having = members.filter(({ scripts }) => Object.hasOwn(scripts, script));
    // One that fails for ever, or never ends, spoils it for all.
    if (having.some(({ scripts }) => faultOf(kind, scripts[script] ?? '') !== undefined)) continue;
    const run = runEverywhere(script, having.length === members.length, project, manager);
    const more = having.length > 1 ? ` and ${having.length - 1} more` : '';
    if (run !== undefined) return { run, why: `script ${script} in ${having[0]?.path}${more}` };
  }
  return undefined;
}

/** By the tool that is set up for it, or by the package manager. */
function runEverywhere(
  script: string,
  isEverywhere: boolean,
  project: ProjectFacts,
  manager: PackageManager,
): string | undefined {
  const { tasks, pipeline } = project.data('turbo.json');
  if (Object.hasOwn({ ...tableAt(tasks), ...tableAt(pipeline) }, script))
    return manager.exec(`turbo run ${script}`);
  if (project.has('nx.json')) return manager.exec(`nx run-many -t ${script}`);
  if (project.has('lerna.json')) return manager.exec(`lerna run ${script}`);
  return manager.needsScriptEverywhere && !isEverywhere ? undefined : manager.runEverywhere(script);
}
