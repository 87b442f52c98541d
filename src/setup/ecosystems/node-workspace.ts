import { posix } from 'node:path';
import { faultOf, type GateKind, type NamedCommands, namesOfKind } from '../candidates.ts';
import { stringsIn, type Table, tableAt, valueAt } from '../parse-data.ts';
import type { ProjectFacts } from '../project-facts.ts';
import { packageScripts } from './node-scripts.ts';

/** A check without a script of the root package. */
export interface FoundCheck {
  readonly run: string;
  readonly why: string;
}

/** The commands of a package manager. */
export interface PackageManager {
  /** Runs a script of the package at the root. */
  run(script: string): string;
  /** Runs a program that is installed in the project, and does not download it. */
  exec(command: string): string;
  /** Runs a script in every package of the workspace. */
  runEverywhere(script: string): string;
  /** The command fails if a package does not have the script. */
  readonly needsScriptEverywhere?: boolean;
}

const YARN = {
  run: (script: string) => `yarn run ${script}`,
  // `yarn run` would prefer a script with the program's name.
  exec: (command: string) => `yarn exec -- ${command}`,
};

/** yarn and bun need `run`: `yarn check` and `bun test` are built-in commands. */
const MANAGERS = {
  npm: {
    run: (script) => (script === 'test' ? 'npm test' : `npm run ${script}`),
    exec: (command) => `npx --no-install ${command}`,
    runEverywhere: (script) => `npm run ${script} --workspaces --if-present`,
  },
  pnpm: {
    run: (script) => (script === 'test' ? 'pnpm test' : `pnpm run ${script}`),
    exec: (command) => `pnpm exec ${command}`,
    runEverywhere: (script) => `pnpm -r --if-present run ${script}`,
  },
  yarn: { ...YARN, runEverywhere: (script) => `yarn workspaces foreach -A run ${script}` },
  yarn1: {
    ...YARN,
    runEverywhere: (script) => `yarn workspaces run ${script}`,
    needsScriptEverywhere: true,
  },
  bun: {
    run: (script) => `bun run ${script}`,
    exec: (command) => `bunx --no-install ${command}`,
    runEverywhere: (script) => `bun run --filter '*' ${script}`,
  },
} satisfies Record<string, PackageManager>;

/** `package-lock.json` does not count, because one accidental `npm install` creates it; npm is the default. */
const LOCK_FILES: readonly [name: string, file: string][] = [
  ['pnpm', 'pnpm-lock.yaml'],
  ['pnpm', 'pnpm-workspace.yaml'],
  ['yarn', 'yarn.lock'],
  ['bun', 'bun.lock'],
  ['bun', 'bun.lockb'],
];

/** The package manager that the package.json names, or else the one whose lock file exists; npm by default. */
export function packageManagerOf(project: ProjectFacts, packageJson: Table): PackageManager {
  const named = [packageJson.packageManager, valueAt(packageJson, 'devEngines', 'packageManager', 'name')]
    .map((value) => /^(npm|pnpm|yarn|bun)(?:@(\d+))?/.exec(typeof value === 'string' ? value : ''))
    .find((match) => match !== null);
  const name = named?.[1] ?? LOCK_FILES.find(([, file]) => project.has(file))?.[0] ?? 'npm';
  if (name !== 'yarn') return MANAGERS[name as keyof typeof MANAGERS];
  const isYarn1 = named?.[2] === undefined ? !project.has('.yarnrc.yml') : named[2] === '1';
  return isYarn1 ? MANAGERS.yarn1 : MANAGERS.yarn;
}

/** A check of one kind that packages of the workspace have, run for all of them. */
export function workspaceCheck(
  kind: GateKind,
  project: ProjectFacts,
  packageJson: Table,
  manager: PackageManager,
): FoundCheck | undefined {
  const [target] = namesOfKind(kind, nxTargets(project));
  if (target !== undefined)
    return { run: manager.exec(`nx run-many -t ${target}`), why: `target ${target} in nx.json` };
  const members = workspaceMembers(project, packageJson).map((directory) => {
    const path = `${directory}/package.json`;
    return { path, scripts: packageScripts(project.data(path)) };
  });
  const all: NamedCommands = Object.assign({}, ...members.map(({ scripts }) => scripts));
  for (const script of namesOfKind(kind, all)) {
    const withScript = members.filter(({ scripts }) => Object.hasOwn(scripts, script));
    // One unsuitable script makes the whole run unsuitable.
    if (withScript.some(({ scripts }) => faultOf(kind, scripts[script] ?? '') !== undefined)) continue;
    const run = runEverywhere(script, withScript.length === members.length, project, manager);
    const more = withScript.length > 1 ? ` and ${withScript.length - 1} more` : '';
    if (run !== undefined) return { run, why: `script ${script} in ${withScript[0]?.path}${more}` };
  }
  return undefined;
}

/** By the workspace's task runner, or else by the package manager. */
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

/** Task runners that find out what changed themselves. */
const TASK_RUNS: readonly [command: RegExp, affected: string][] = [
  [/\bturbo (?:run )?(?!run\b)(\w[\w:-]*)(?![^&|;\n]* --affected\b)/, 'turbo run $1 --affected'],
  [/\bnx run-many (?:-t |--targets?[= ])(\w[\w:-]*)/, 'nx affected -t $1'],
];

/** The command of a gate, restricted to what changed; none if no task runner is in it. */
export function affectedCommand(command: string, manager: PackageManager): string | undefined {
  for (const [pattern, affected] of TASK_RUNS) {
    const [found] = pattern.exec(command) ?? [];
    if (found !== undefined) return manager.exec(found.replace(pattern, affected));
  }
  return undefined;
}

/** A plugin's option with the name of a target that it adds to projects: `"testTargetName": "test"`. */
const TARGET_NAME = /"\w*[tT]argetName"\s*:\s*"([\w:-]+)"/g;

/** The targets that nx.json mentions. Their commands are known to Nx only. */
function nxTargets(project: ProjectFacts): NamedCommands {
  const nx = project.data('nx.json');
  const names = [
    ...Object.keys(tableAt(nx, 'targetDefaults')),
    ...stringsIn(valueAt(nx, 'tasksRunnerOptions', 'default', 'options', 'cacheableOperations')),
    ...[...project.text('nx.json').matchAll(TARGET_NAME)].flatMap(([, name]) => name ?? []),
  ];
  return Object.fromEntries(names.map((name) => [name, '']));
}

/** Further packages are not read. */
const MAX_MEMBERS = 100;
/** Whether the root says which packages belong to it. */
export function isNodeWorkspace(project: ProjectFacts): boolean {
  const { workspaces } = project.data('package.json');
  return workspaces !== undefined || project.has('pnpm-workspace.yaml', 'lerna.json', 'nx.json');
}

/** How many levels a `**` matches: packages are in groups, but not in each other. */
const MAX_DEPTH = 2;

/** The directories of a workspace's packages, found by its patterns. */
function workspaceMembers(project: ProjectFacts, packageJson: Table): string[] {
  const patterns = [
    ...stringsIn(packageJson.workspaces),
    ...stringsIn(valueAt(packageJson, 'workspaces', 'packages')),
    ...stringsIn(project.data('pnpm-workspace.yaml').packages),
    ...stringsIn(project.data('lerna.json').packages),
  ];
  const excluded = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  const members = patterns
    .filter((pattern) => !pattern.startsWith('!'))
    .flatMap((pattern) =>
      matchingDirectories(posix.normalize(pattern).split('/').filter(Boolean), '.', project),
    )
    .filter((path) => path !== '.' && project.has(`${path}/package.json`))
    .filter((path) => !excluded.some((pattern) => globToRegExp(pattern).test(path)));
  return [...new Set(members)].slice(0, MAX_MEMBERS);
}

/** The directories below `from` that match the parts of a pattern. Directories outside the root never match. */
function matchingDirectories(parts: readonly string[], from: string, project: ProjectFacts): string[] {
  const [part, ...rest] = parts;
  if (part === undefined) return [from];
  if (part === '..') return [];
  if (!part.includes('*')) return matchingDirectories(rest, posix.join(from, part), project);
  if (part === '**')
    return directoriesWithin(from, MAX_DEPTH, project).flatMap((path) =>
      matchingDirectories(rest, path, project),
    );
  return directoriesIn(from, project)
    .filter((path) => globToRegExp(part).test(posix.basename(path)))
    .flatMap((path) => matchingDirectories(rest, path, project));
}

function directoriesWithin(path: string, depth: number, project: ProjectFacts): string[] {
  if (depth === 0) return [path];
  return [
    path,
    ...directoriesIn(path, project).flatMap((each) => directoriesWithin(each, depth - 1, project)),
  ];
}

function directoriesIn(path: string, project: ProjectFacts): string[] {
  return project
    .list(path)
    .filter((name) => name.endsWith('/') && !name.startsWith('.') && name !== 'node_modules/')
    .map((name) => posix.join(path, name.slice(0, -1)));
}

function globToRegExp(pattern: string): RegExp {
  const parts = pattern.split(/(\*\*\/?|\*)/).map((part) => {
    if (part === '*') return '[^/]*';
    if (part.startsWith('**')) return '(.*/)?'.concat(part === '**' ? '[^/]*' : '');
    return part.replaceAll(/[.+^$()|[\]\\?{}]/g, String.raw`\$&`);
  });
  return new RegExp(`^${parts.join('')}$`);
}
