import {
  type Candidate,
  type Choice,
  faultOf,
  firstUsed,
  type GateKind,
  type NamedCommands,
  pickNamed,
} from '../candidates.ts';
import { tableAt, valueAt } from '../parse-data.ts';
import type { ProjectFacts } from '../project-facts.ts';

/** A program that runs tasks of any ecosystem. */
interface TaskRunner {
  readonly program: string;
  /** The names of its file, in the order in which it looks for them. */
  readonly files: readonly string[];
  tasksIn(path: string, project: ProjectFacts): NamedCommands;
}

const TASK_RUNNERS: readonly TaskRunner[] = [
  { program: 'make', files: ['GNUmakefile', 'makefile', 'Makefile'], tasksIn: makeTargets },
  { program: 'just', files: ['justfile', 'Justfile', '.justfile'], tasksIn: justRecipes },
  {
    program: 'task',
    files: ['Taskfile.yml', 'taskfile.yml', 'Taskfile.yaml', 'taskfile.yaml', 'Taskfile.dist.yml'],
    tasksIn: taskfileTasks,
  },
];

/** Without `build`, which can build anything, such as a container image. */
const KINDS_OF_TASKS: readonly GateKind[] = ['format', 'lint', 'typecheck', 'test'];

/**
 * Targets of a Makefile, recipes of a justfile and tasks of a Taskfile with the usual names of checks. Most of them run what
 * a gate of an ecosystem runs too, so they are used only for kinds that no ecosystem covers.
 */
export function taskFileGates(project: ProjectFacts): Candidate[] {
  return TASK_RUNNERS.flatMap(({ program, files, tasksIn }) => {
    const path = project.first(...files);
    if (path === undefined) return [];
    const tasks = tasksIn(path, project);
    const choice = (name: string | undefined): Choice => [`${program} ${name}`, name && `${name} in ${path}`];
    // GNU's name for the tests, and elsewhere for all checks: used if there is no test target.
    const check = faultOf('test', tasks.check ?? '') === undefined ? 'check' : undefined;
    return [
      ...KINDS_OF_TASKS.flatMap((kind) => firstUsed(kind, choice(pickNamed(kind, tasks)))),
      ...firstUsed('test', choice(check)).map((gate) => ({ ...gate, name: 'check' })),
    ];
  });
}

/** Targets, with their prerequisites and recipe lines. */
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

/** Recipes without required parameters, with their dependencies and lines. */
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

/** A task is a command, a list of commands, or a mapping with commands and dependencies. */
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
