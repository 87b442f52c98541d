import { type Choice, firstSeen } from '../first-seen.ts';
import { faultOf, type NamedCommands, pickNamed } from '../known-names.ts';
import { tableAt, valueAt } from '../parse-data.ts';
import type { ProjectFacts } from '../project-facts.ts';
import type { Candidate, GateKind } from '../proposed-gate.ts';

/** A program that runs tasks of any ecosystem, and how it keeps them. */
interface TaskRunner {
  readonly program: string;
  /** Of its file, in the order in which it looks for them. */
  readonly names: readonly string[];
  tasksIn(path: string, project: ProjectFacts): NamedCommands;
}

const TASK_RUNNERS: readonly TaskRunner[] = [
  { program: 'make', names: ['GNUmakefile', 'makefile', 'Makefile'], tasksIn: makeTargets },
  { program: 'just', names: ['justfile', 'Justfile', '.justfile'], tasksIn: justRecipes },
  {
    program: 'task',
    names: ['Taskfile.yml', 'taskfile.yml', 'Taskfile.yaml', 'taskfile.yaml', 'Taskfile.dist.yml'],
    tasksIn: taskfileTasks,
  },
];

/** A target called `build` may build anything, a container image for one. */
const KINDS_OF_TASKS: readonly GateKind[] = ['format', 'lint', 'typecheck', 'test'];

/**
 * Targets of a Makefile, recipes of a justfile and tasks of a Taskfile that are called like checks. Most of them call
 * what a gate of the ecosystem calls too: the first of a kind is for where no ecosystem has a gate of that kind.
 */
export function taskFileGates(project: ProjectFacts): Candidate[] {
  return TASK_RUNNERS.flatMap(({ program, names, tasksIn }) => {
    const path = project.first(...names);
    if (path === undefined) return [];
    const tasks = tasksIn(path, project);
    const choice = (name: string | undefined): Choice => [`${program} ${name}`, name && `${name} in ${path}`];
    // What GNU calls the tests, and others call all checks: for where there is no test by its own name.
    const check = faultOf('test', tasks.check ?? '') === undefined ? 'check' : undefined;
    return [
      ...KINDS_OF_TASKS.flatMap((kind) => firstSeen(kind, choice(pickNamed(kind, tasks)))),
      ...firstSeen('test', choice(check)).map((gate) => ({ ...gate, name: 'check' })),
    ];
  });
}

/** Targets with what they depend on and their recipes' lines. */
function makeTargets(path: string, project: ProjectFacts): NamedCommands {
  const targets = new Map<string, string>();
  let current: string[] = [];
  for (const line of project.text(path).split(/\r?\n/)) {
    const [, names, needs = ''] = /^([^\s#:=][^:=#]*?)\s*::?(?![:=])(.*)$/.exec(line) ?? [];
    if (names !== undefined) current = names.split(/\s+/);
    const text = names === undefined ? (/^\t[\s@+-]*(.*)/.exec(line)?.[1] ?? '') : needs.trim();
    for (const name of current) targets.set(name, `${targets.get(name) ?? ''}\n${text}`);
  }
  return Object.fromEntries(targets);
}

/** Recipes that can be called without arguments, with what they depend on and their lines. */
function justRecipes(path: string, project: ProjectFacts): NamedCommands {
  const recipes = new Map<string, string>();
  let current: string | undefined;
  for (const line of project.text(path).split(/\r?\n/)) {
    const [, name, parameters = '', needs = ''] = /^@?([A-Za-z_][\w-]*)([^:]*):(?!=)(.*)$/.exec(line) ?? [];
    if (name !== undefined) {
      const isOptional = (parameter: string) => parameter.startsWith('*') || parameter.includes('=');
      current = parameters.split(/\s+/).filter(Boolean).every(isOptional) ? name : undefined;
    }
    const text = name === undefined ? (/^\s+[@-]*(.*)/.exec(line)?.[1] ?? '') : needs.trim();
    if (current !== undefined) recipes.set(current, `${recipes.get(current) ?? ''}\n${text}`);
  }
  return Object.fromEntries(recipes);
}

/** A task is a command, a list of commands, or a mapping that holds them and what it depends on. */
function taskfileTasks(path: string, project: ProjectFacts): NamedCommands {
  const entries = Object.entries(tableAt(project.data(path), 'tasks'));
  return Object.fromEntries(
    entries.map(([name, task]) => {
      const parts = [valueAt(task, 'deps'), valueAt(task, 'cmds') ?? valueAt(task, 'cmd') ?? task].flat();
      const lines = parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part ?? '')));
      return [name, lines.join('\n')];
    }),
  );
}
