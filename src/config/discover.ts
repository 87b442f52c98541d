import { isUtf8 } from 'node:buffer';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { READ_WITHOUT_WAITING, readIfThere, realPathOf, upwards } from '../base/files.ts';
import { DEFAULT_AGENTS, type Layout } from './settings.ts';

/** Where a stop happened, before any of the config's content is understood. */
export interface ProjectFiles {
  /** Absolute; gates run here, `.trellis/` with the loop's state lies here. */
  readonly root: string;
  readonly layout: Layout;
  /** The worktree.yaml; absent in a Trellis project that has none and lives by markers, and where only gates are named. */
  readonly config?: ConfigFile;
  /** The gate.config.json, where no worktree.yaml sets gates. */
  readonly gateConfig?: GateConfigFile;
}

export interface GateConfigFile {
  /** Absolute. */
  readonly path: string;
  /** Absolute directory where its gates run: where the agent works. */
  readonly workingDirectory: string;
}

/** Which config a caller wants, where it is not the usual one. */
export interface WantedConfig {
  /** False: outside of any repository, look up to the root of the file system. */
  readonly needsRepository?: boolean;
  /** A gate config that is named, absolute or relative to the directory; it need not be there, nor in the project. */
  readonly named?: string | undefined;
  /** Only a gate config will do. */
  readonly gatesOnly?: boolean;
}

export interface ConfigFile {
  readonly path: string;
  readonly text: string;
  /** Why the file, which is there, could not be read. */
  readonly unreadable?: string;
}

export type FoundProject =
  | { readonly found: true; readonly project: ProjectFiles }
  | { readonly found: false; readonly why: string; readonly repository?: string };

/**
 * Looks for the config from a directory upwards to the root of its git repository: Trellis's, of a directory that has
 * a current task before one that has none; then the stand-alone one; then, where none of them sets gates, a gate config;
 * then a Trellis task without a config. Outside of any repository, a gate config in the directory itself counts.
 *
 * @param cwd absolute, or relative to the process's own; need not exist
 */
export function findProject(
  cwd: string,
  { needsRepository = true, named, gatesOnly = false }: WantedConfig = {},
): FoundProject {
  const start = realPathOf(resolve(cwd));
  const upToRoot = upwards(start);
  const depth = upToRoot.findIndex((directory) => existsSync(join(directory, '.git')));
  const isOutside = depth === -1;
  const directories = isOutside ? upToRoot : upToRoot.slice(0, depth + 1);
  const repository = directories.at(-1) ?? start;
  const mayLookUp = !(isOutside && needsRepository);
  const worktree =
    gatesOnly || !mayLookUp ? undefined : (findTrellis(directories) ?? findStandAlone(directories));
  if (named !== undefined) {
    const root = worktree?.root ?? (isOutside ? start : repository);
    return { found: true, project: withGates(resolve(start, named), start, root, worktree) };
  }
  if (worktree?.config && setsVerify(worktree.config)) return { found: true, project: worktree };
  const path = findGateConfig(mayLookUp ? directories : [start]);
  if (path !== undefined) return { found: true, project: withGates(path, start, dirname(path), worktree) };
  const project = worktree ?? (gatesOnly || !mayLookUp ? undefined : taskWithoutConfig(repository));
  if (project) return { found: true, project };
  if (!mayLookUp) return { found: false, why: `${start} lies in no git repository` };
  return {
    found: false,
    why: gatesOnly ? 'no gate config was found' : 'no worktree.yaml was found',
    repository,
  };
}

/** Whoever names gates wants them to be kept: no task is needed, and the settings are those of the worktree.yaml. */
function withGates(
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
    const config = readConfig(join(root, '.trellis', 'worktree.yaml'));
    return config ? [{ root, layout: 'trellis', config }] : [];
  });
  return configured.find(({ root }) => hasTask(root)) ?? configured[0];
}

/** `verify`, or a typo of it that is to be complained of. */
const VERIFY_OR_NEARLY = /^["']?v[a-z]*f[a-z]*["']?[ \t]*:/im;

function setsVerify({ text, unreadable }: ConfigFile): boolean {
  return unreadable !== undefined || VERIFY_OR_NEARLY.test(text);
}

/** `verify` or `ralph`, or a typo of them that is to be complained of. */
const OUR_KEY_OR_NEARLY = /^["']?[vr]\w+["']?[ \t]*:/im;

function findStandAlone(directories: readonly string[]): ProjectFiles | undefined {
  for (const root of directories) {
    const config = readConfig(join(root, 'worktree.yaml'));
    // A file of that name that sets nothing of ours must not switch off a Trellis task's markers.
    const setsGates = config?.unreadable !== undefined || OUR_KEY_OR_NEARLY.test(config?.text ?? '');
    if (config && (setsGates || !hasTask(root))) return { root, layout: 'stand-alone', config };
  }
  return undefined;
}

function taskWithoutConfig(root: string): ProjectFiles | undefined {
  return hasTask(root) ? { root, layout: 'trellis' } : undefined;
}

function hasTask(root: string): boolean {
  return readCurrentTask(root) !== undefined;
}

/** @returns undefined where there is none */
export function readConfig(path: string): ConfigFile | undefined {
  try {
    const text = readIfThere(path);
    return text === undefined ? undefined : { path, text: text.replace(/^\uFEFF/, '') };
  } catch (error) {
    return { path, text: '', unreadable: (error as Error).message };
  }
}

/** Ralph Gate's names for its config; in one directory, the first of them counts. */
const NAMES = ['gate.config.json', '.gaterc.json', '.gaterc'];

/**
 * @param directories absolute, the nearest first
 * @returns absolute path of the nearest gate config
 */
export function findGateConfig(directories: readonly string[]): string | undefined {
  return directories.flatMap((directory) => NAMES.map((name) => join(directory, name))).find(isThere);
}

/** A link that leads nowhere is there, and to be complained of. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/**
 * Reads Trellis's current task from `.trellis/.current-task`, in the form that the Python hook writes into the state:
 * slashes, no leading `./`, and `tasks/x` as `.trellis/tasks/x`.
 *
 * @param root absolute directory of the project
 * @returns undefined where no task is set, or the file is not text
 */
export function readCurrentTask(root: string): string | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(join(root, '.trellis', '.current-task'), { flag: READ_WITHOUT_WAITING });
  } catch {
    return undefined;
  }
  if (!isUtf8(bytes)) return undefined;
  const task = bytes
    .toString('utf8')
    .trim()
    .replaceAll('\\', '/')
    .replace(/^(\.\/)+/, '');
  if (task === '') return undefined;
  return task.startsWith('tasks/') ? `.trellis/${task}` : task;
}

/** The project, or the repository, around a directory: where what has no config of its own is kept. */
export function rootAround(cwd: string): string | undefined {
  const found = findProject(cwd);
  return found.found ? found.project.root : found.repository;
}

/** A process whose directory was removed has none; the root of the file system is nobody's project. */
export function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}

/**
 * Whether a worktree.yaml may make this agent's stop ours, told without understanding it: a hook that does not concern
 * us must cost no more than this. A yes has still to be checked against the settings; a no is final.
 *
 * @param text the file's, empty where there is none
 */
export function mayGuard(text: string, layout: Layout, agent: string): boolean {
  if (agent === '') return false;
  return (
    DEFAULT_AGENTS[layout].some((name) => name === agent) || (text.includes('ralph') && text.includes(agent))
  );
}
