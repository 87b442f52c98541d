import { type Choice, firstSeen } from '../first-seen.ts';
import { type NamedCommands, pickNamed } from '../known-names.ts';
import { tableAt, valueAt } from '../parse-data.ts';
import type { ProjectFacts } from '../project-facts.ts';
import type { Candidate, GateKind } from '../proposed-gate.ts';

/** The tasks of a Deno project, and Deno's own linter where no task calls one. */
export function denoGates(project: ProjectFacts): Candidate[] {
  const config = project.first('deno.json', 'deno.jsonc');
  if (config === undefined) return [];
  const tasks = tasksIn(project, config);
  // Packages for Node have such a file only to be published for Deno too.
  const isForNode = project.has('package.json');
  const task = (kind: GateKind): Choice => {
    const name = pickNamed(kind, tasks);
    return [`deno task ${name}`, name && `task ${name} in ${config}`];
  };
  return [
    ...firstSeen('format', task('format')),
    ...firstSeen('lint', task('lint'), ['deno lint', isForNode ? undefined : config]),
    ...firstSeen('typecheck', task('typecheck')),
    ...firstSeen('test', task('test')),
  ];
}

/** A task is a command, or an object that holds one. */
function tasksIn(project: ProjectFacts, config: string): NamedCommands {
  const entries = Object.entries(tableAt(project.data(config), 'tasks'));
  return Object.fromEntries(entries.map(([name, task]) => [name, String(valueAt(task, 'command') ?? task)]));
}
