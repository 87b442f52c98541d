import {
  type Candidate,
  type Choice,
  firstUsed,
  type GateKind,
  type NamedCommands,
  pickNamed,
} from '../candidates.ts';
import { tableAt, valueAt } from '../parse-data.ts';
import type { ProjectFacts } from '../project-facts.ts';

/** The tasks of a Deno project, and Deno's linter if no task lints. */
export function denoGates(project: ProjectFacts): Candidate[] {
  const config = project.first('deno.json', 'deno.jsonc');
  if (config === undefined) return [];
  const tasks = tasksIn(project, config);
  // A Node package may have a deno.json only to be published for Deno.
  const isForNode = project.has('package.json');
  const task = (kind: GateKind): Choice => {
    const name = pickNamed(kind, tasks);
    return [`deno task ${name}`, name && `task ${name} in ${config}`];
  };
  return [
    ...firstUsed('format', task('format')),
    ...firstUsed('lint', task('lint'), ['deno lint', isForNode ? undefined : config]),
    ...firstUsed('typecheck', task('typecheck')),
    ...firstUsed('test', task('test')),
  ];
}

/** A task is a command, or an object with a `command`. */
function tasksIn(project: ProjectFacts, config: string): NamedCommands {
  const entries = Object.entries(tableAt(project.data(config), 'tasks'));
  return Object.fromEntries(entries.map(([name, task]) => [name, String(valueAt(task, 'command') ?? task)]));
}
