import { existsSync, lstatSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isInside, readFileInside, readRegularFile, realPathOf, upwards } from '../base/files.ts';
import { type Failure, type Result, success } from '../base/result.ts';

// The hook imports this file for the stops that it ignores as well: it loads neither the schema nor a parser.

/**
 * `trellis`: the config is `.trellis/worktree.yaml`, and stops are guarded while a current task is set.
 * `stand-alone`: the config is `worktree.yaml` or a gate config; no task is needed.
 */
export type ProjectLayout = 'trellis' | 'stand-alone';

/** The agent type of the main agent. No subagent has it. */
export const MAIN_AGENT = 'main';

/**
 * The agents whose stops are guarded where `agents` is not set. For Trellis the same as in the Python hook. Since 0.5 Trellis
 * has no config of its own, and calls the agent that checks the work `trellis-check`.
 */
export const DEFAULT_AGENTS = {
  trellis: ['check'],
  'stand-alone': [MAIN_AGENT, 'check', 'trellis-check'],
} as const;

/** The config files of a project, before they are parsed. */
export interface ProjectFiles {
  /** Absolute. Gates run here, and `.trellis/` with the state is here. */
  readonly root: string;
  readonly layout: ProjectLayout;
  /** The worktree.yaml. Absent in a Trellis project that has only markers, and where there is only a gate config. */
  readonly config?: ConfigFile;
  /** The gate config, where no worktree.yaml sets gates. */
  readonly gateConfig?: GateConfigFile;
  /** Of a recorded project: the texts of its other files, null for one that was not there. */
  readonly recorded?: { readonly baseline: string | null; readonly markers: string | null };
}

export interface ConfigFile {
  readonly path: string;
  readonly text: string;
  /** The error, for a file that exists and cannot be read. */
  readonly unreadable?: string;
}

export interface GateConfigFile {
  /** Absolute. */
  readonly path: string;
  /** Absolute directory in which its gates run: where the agent works. */
  readonly workingDirectory: string;
  /** Its text, of a recorded project; otherwise it is read. */
  readonly text?: string | undefined;
}

export interface FindProjectOptions {
  /** False: outside of a repository, look upwards to the root of the file system. */
  readonly needsRepository?: boolean;
  /** A gate config, absolute or relative to the directory. It is used even if it does not exist. */
  readonly named?: string | undefined;
  /** Ignore worktree.yaml files. */
  readonly gatesOnly?: boolean;
  /** A repository without a config (a submodule, a clone, a fresh `git init`) has that of the repository around it. */
  readonly orAround?: boolean;
}

/** Why no project was found. */
export interface NoProject extends Failure {
  /** The root of the git repository around the directory; undefined outside of any. */
  readonly repository?: string;
}

/**
 * Finds the config of a directory, from there upwards to the root of its git repository. The order is: a Trellis config,
 * preferably one with a current task; a stand-alone worktree.yaml; if neither sets gates, a gate config; a Trellis task
 * without a config. Outside of a repository, only a gate config in the directory itself is used.
 *
 * @param cwd absolute, or relative to that of the process; need not exist
 */
export function findProject(cwd: string, options: FindProjectOptions = {}): Result<ProjectFiles, NoProject> {
  const own = findInRepository(cwd, options);
  return own.ok || !options.orAround ? own : (findAround(own.failure, options) ?? own);
}

/**
 * Finds the project of an agent. A config around the directory where it works has precedence: a package or a worktree
 * can have its own. Without one, the project is that of the host, wherever the agent has gone, or else that of a
 * repository around.
 *
 * @param cwd absolute directory where the agent works
 * @param reported absolute directories that the host reports as the project's; those that do not exist are ignored
 * @returns the failure for `cwd` if none has a config
 */
export function findAgentProject(
  cwd: string,
  reported: readonly string[],
  options: FindProjectOptions = {},
): Result<ProjectFiles, NoProject> {
  const { named } = options;
  // A named gate config is a project anywhere, also where its file is missing.
  const mayDecide = (directory: string) =>
    named === undefined ||
    (existsSync(resolve(directory, named)) && repositoryAround(directory) !== undefined);
  const own = findInRepository(cwd, options);
  if (own.ok && mayDecide(cwd)) return own;
  const failures = own.ok ? [] : [own.failure];
  for (const directory of reported) {
    if (directory === cwd || !isDirectory(directory) || !mayDecide(directory)) continue;
    const found = findInRepository(directory, options);
    if (found.ok) return found;
    failures.push(found.failure);
  }
  for (const failure of failures) {
    const around = findAround(failure, options);
    if (around) return around;
  }
  return own;
}

function findAround(
  { repository }: NoProject,
  options: FindProjectOptions,
): Result<ProjectFiles, NoProject> | undefined {
  const parent = repository === undefined ? undefined : directoryAround(repository);
  const found = parent === undefined ? undefined : findProject(parent, { ...options, orAround: true });
  return found?.ok ? found : undefined;
}

function findInRepository(
  cwd: string,
  { needsRepository = true, named, gatesOnly = false }: FindProjectOptions,
): Result<ProjectFiles, NoProject> {
  const start = realPathOf(resolve(cwd));
  const upToRoot = upwards(start);
  const depth = upToRoot.findIndex(isRepository);
  const isOutside = depth === -1;
  const directories = isOutside ? upToRoot : upToRoot.slice(0, depth + 1);
  const repository = directories.at(-1) ?? start;
  const mayLookUp = !(isOutside && needsRepository);
  const worktree =
    gatesOnly || !mayLookUp ? undefined : (findTrellis(directories) ?? findStandAlone(directories));
  if (named !== undefined) {
    const root = worktree?.root ?? (isOutside ? start : repository);
    return success(withGateConfig(resolve(start, named), start, root, worktree));
  }
  if (worktree?.config && setsVerify(worktree.config)) return success(worktree);
  const path = findGateConfig(mayLookUp ? directories : [start]);
  if (path !== undefined) return success(withGateConfig(path, start, dirname(path), worktree));
  if (worktree) return success(worktree);
  if (!gatesOnly && mayLookUp && hasTask(repository)) return success({ root: repository, layout: 'trellis' });
  if (isOutside && needsRepository) return notFound(`${start} is not in a git repository`);
  const what = gatesOnly ? 'gate config' : 'worktree.yaml';
  return isOutside
    ? notFound(`no ${what} was found in ${start}`)
    : notFound(`no ${what} was found in ${repository}`, repository);
}

function isRepository(directory: string): boolean {
  return existsSync(join(directory, '.git'));
}

/** The root of the git repository around a directory; undefined outside of any. */
export function repositoryAround(directory: string): string | undefined {
  return upwards(realPathOf(resolve(directory))).find(isRepository);
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/**
 * The parent directory of a repository, if another repository around it may decide about it: one of the same user, so
 * that nobody else's `.git` in a shared directory does, and not the one of a home directory, which holds everything.
 */
function directoryAround(repository: string): string | undefined {
  const parent = dirname(repository);
  const outer = repositoryAround(parent);
  if (outer === undefined || isInside(outer, realPathOf(process.env.HOME || '/'))) return undefined;
  return ownerOf(outer) === ownerOf(repository) ? parent : undefined;
}

function ownerOf(repository: string): number | undefined {
  return statSync(join(repository, '.git'), { throwIfNoEntry: false })?.uid;
}

function notFound(message: string, repository?: string): Result<never, NoProject> {
  return { ok: false, failure: { message, ...(repository !== undefined && { repository }) } };
}

/** The gates of a gate config with the settings of a worktree.yaml. They are guarded without a current task. */
function withGateConfig(
  path: string,
  workingDirectory: string,
  root: string,
  worktree: ProjectFiles | undefined,
): ProjectFiles {
  return {
    root,
    layout: 'stand-alone',
    ...(worktree?.config && { config: worktree.config }),
    gateConfig: { path, workingDirectory },
  };
}

function findTrellis(directories: readonly string[]): ProjectFiles | undefined {
  const configured = directories.flatMap((root): ProjectFiles[] => {
    const config = readConfig(join(root, '.trellis', 'worktree.yaml'), root);
    return config ? [{ root, layout: 'trellis', config }] : [];
  });
  return configured.find(({ root }) => hasTask(root)) ?? configured[0];
}

/** `verify`, or a typo of it, which is an error to be reported. */
const VERIFY_OR_TYPO = /^["']?v[a-z]*f[a-z]*["']?[ \t]*:/im;

function setsVerify({ text, unreadable }: ConfigFile): boolean {
  return unreadable !== undefined || VERIFY_OR_TYPO.test(text);
}

/** `verify` or `ralph`, or a typo of them. */
const OWN_KEY_OR_TYPO = /^["']?[vr]\w+["']?[ \t]*:/im;

function findStandAlone(directories: readonly string[]): ProjectFiles | undefined {
  for (const root of directories) {
    const config = readConfig(join(root, 'worktree.yaml'));
    // A worktree.yaml without any of these keys must not disable the markers of a Trellis task.
    const isConfig = config?.unreadable !== undefined || OWN_KEY_OR_TYPO.test(config?.text ?? '');
    if (config && (isConfig || !hasTask(root))) return { root, layout: 'stand-alone', config };
  }
  return undefined;
}

/** The names of Ralph Gate's config. In one directory, the first one is used. */
const GATE_CONFIG_NAMES = ['gate.config.json', '.gaterc.json', '.gaterc'];

/**
 * @param directories absolute, the nearest first
 * @returns absolute path of the nearest gate config
 */
export function findGateConfig(directories: readonly string[]): string | undefined {
  return directories
    .flatMap((directory) => GATE_CONFIG_NAMES.map((name) => join(directory, name)))
    .find(exists);
}

/** A broken symbolic link exists, too: it is an error to be reported. */
function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/**
 * @param tree absolute directory that symbolic links must not lead out of
 * @returns undefined if the file does not exist
 */
export function readConfig(path: string, tree = '/'): ConfigFile | undefined {
  try {
    const text = readFileInside(tree, path);
    return text === undefined ? undefined : { path, text: text.replace(/^\uFEFF/, '') };
  } catch (error) {
    return { path, text: '', unreadable: (error as Error).message };
  }
}

function hasTask(root: string): boolean {
  return readCurrentTask(root) !== undefined;
}

/**
 * Reads Trellis's current task from `.trellis/.current-task`, in the form that the Python hook writes into the state:
 * slashes, no leading `./`, and `tasks/x` as `.trellis/tasks/x`.
 *
 * @param root absolute directory of the project
 * @returns undefined if no task is set, or the file is not text
 */
export function readCurrentTask(root: string): string | undefined {
  let text: string | undefined;
  try {
    text = readFileInside(root, join(root, '.trellis', '.current-task'));
  } catch {
    return undefined;
  }
  // A replacement character: the file is not UTF-8.
  if (text === undefined || text.includes('\uFFFD')) return undefined;
  const task = text
    .trim()
    .replaceAll('\\', '/')
    .replace(/^(\.\/)+/, '');
  if (task === '') return undefined;
  return task.startsWith('tasks/') ? `.trellis/${task}` : task;
}

/**
 * Whether the stops of this agent may be guarded, without parsing the config: this is all that a stop costs which is
 * not. False is final; true has to be checked against the settings.
 *
 * @param text that of the worktree.yaml, empty if there is none
 */
export function mayGuard(text: string, layout: ProjectLayout, agent: string): boolean {
  if (agent === '') return false;
  return (
    DEFAULT_AGENTS[layout].some((name) => name === agent) || (text.includes('ralph') && text.includes(agent))
  );
}

/**
 * The directory that keeps the state of typed gates where there is no config: the git repository of the host's project,
 * else of the directory where the agent works.
 */
export function rootWithoutConfig(cwd: string, reported: readonly string[]): string {
  const place = realPathOf(resolve(reported.find(isDirectory) ?? cwd));
  return repositoryAround(place) ?? place;
}

/** The directories that the host reports as the project's, and the git directories that all worktrees of them share. */
export function hostPlaces(reported: readonly string[]): string[] {
  return reported.flatMap((directory) => {
    const repository = repositoryAround(directory);
    const shared = repository && (mainGitDirectory(repository) ?? realPathOf(join(repository, '.git')));
    return [realPathOf(resolve(directory)), ...(shared ? [shared] : [])];
  });
}

/** The git directory of the repository that a directory is a worktree of; undefined if it is none. */
export function mainGitDirectory(worktree: string): string | undefined {
  try {
    const text = readRegularFile(join(worktree, '.git')) ?? '';
    const [, directory] = /^gitdir: (.+)\/worktrees\/[^/]+\n?$/.exec(text) ?? [];
    return directory === undefined ? undefined : realPathOf(resolve(worktree, directory));
  } catch {
    return undefined;
  }
}

/** The root of the project around a directory, else of its git repository; undefined outside of both. */
export function rootAround(
  cwd: string,
  options: Pick<FindProjectOptions, 'orAround'> = {},
): string | undefined {
  const found = findProject(cwd, options);
  return found.ok ? found.value.root : found.failure.repository;
}

/** The working directory of the process; `/`, which is in no project, if it was removed. */
export function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}
