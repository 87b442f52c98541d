import { constants, existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { Layout } from './defaults.ts';

/** Where a stop happened, before any of the config's content is understood. */
export interface ProjectFiles {
  /** Absolute; gates run here, `.trellis/` with the loop's state lies here. */
  readonly root: string;
  readonly layout: Layout;
  /** The config file; absent in a Trellis project that has none and lives by markers. */
  readonly config?: ConfigFile;
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
 * a current task before one that has none; then the stand-alone one; then a Trellis task without a config.
 *
 * @param cwd absolute, or relative to the process's own; need not exist
 * @param needsRepository false: outside of any repository, look up to the root of the file system
 */
export function findProject(cwd: string, { needsRepository = true } = {}): FoundProject {
  const start = realPathOf(resolve(cwd));
  const upToRoot = upwards(start);
  const depth = upToRoot.findIndex((directory) => existsSync(join(directory, '.git')));
  if (depth === -1 && needsRepository) return { found: false, why: `${start} lies in no git repository` };
  const directories = depth === -1 ? upToRoot : upToRoot.slice(0, depth + 1);
  const repository = directories.at(-1) ?? start;
  const project = findTrellis(directories) ?? findStandAlone(directories) ?? taskWithoutConfig(repository);
  return project ? { found: true, project } : { found: false, why: 'no worktree.yaml was found', repository };
}

function findTrellis(directories: readonly string[]): ProjectFiles | undefined {
  const configured = directories.flatMap((root): ProjectFiles[] => {
    const config = readConfig(join(root, '.trellis', 'worktree.yaml'));
    return config ? [{ root, layout: 'trellis', config }] : [];
  });
  return configured.find(({ root }) => hasTask(root)) ?? configured[0];
}

function findStandAlone(directories: readonly string[]): ProjectFiles | undefined {
  for (const root of directories) {
    const config = readConfig(join(root, 'worktree.yaml'));
    // A file of that name that sets nothing of ours must not switch off a Trellis task's markers.
    const setsGates = config?.unreadable !== undefined || /^["']?(verify|ralph)/m.test(config?.text ?? '');
    if (config && (setsGates || !hasTask(root))) return { root, layout: 'stand-alone', config };
  }
  return undefined;
}

function taskWithoutConfig(root: string): ProjectFiles | undefined {
  return hasTask(root) ? { root, layout: 'trellis' } : undefined;
}

function hasTask(root: string): boolean {
  return existsSync(join(root, '.trellis', '.current-task'));
}

function readConfig(path: string): ConfigFile | undefined {
  try {
    const text = readIfThere(path);
    return text === undefined ? undefined : { path, text };
  } catch (error) {
    return { path, text: '', unreadable: (error as Error).message };
  }
}

/** The directory and its parents, without the file system's root, which is nobody's repository. */
function upwards(start: string): string[] {
  const directories: string[] = [];
  for (let directory = start; directory !== dirname(directory); directory = dirname(directory))
    directories.push(directory);
  return directories;
}

/** The path with its symbolic links resolved, as far as it exists. */
export function realPathOf(path: string): string {
  for (const directory of [...upwards(path), '/']) {
    try {
      return join(realpathSync(directory), path.slice(directory.length));
    } catch {
      // The next one up exists, or the root does.
    }
  }
  return path;
}

/** A pipe in a file's place is not waited for. Node takes flags as numbers too; its types know their names only. */
export const READ_WITHOUT_WAITING = (constants.O_RDONLY | constants.O_NONBLOCK) as unknown as string;

/** Whether a path is a directory itself or lies below it. */
export function isInside(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}

/**
 * A text file's content, undefined where there is none: a directory of that name was none for the Python hook either.
 *
 * @throws where the file is there and cannot be read
 */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, { encoding: 'utf8', flag: READ_WITHOUT_WAITING });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined;
    throw error;
  }
}
