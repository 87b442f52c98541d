import { existsSync, readFileSync, realpathSync } from 'node:fs';
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

const CANDIDATES = [
  { layout: 'trellis', file: '.trellis/worktree.yaml' },
  { layout: 'stand-alone', file: 'worktree.yaml' },
] as const;

/**
 * Looks for the config from a directory upwards to the root of its git repository; Trellis's before the stand-alone
 * one.
 *
 * @param cwd absolute, or relative to the process's own; need not exist
 * @param needsRepository false: outside of any repository, look up to the root of the file system
 */
export function findProject(cwd: string, { needsRepository = true } = {}): FoundProject {
  const start = realPathOf(resolve(cwd));
  const directories = upwards(start);
  let depth = directories.findIndex((directory) => existsSync(join(directory, '.git')));
  if (depth === -1 && needsRepository) return { found: false, why: `${start} lies in no git repository` };
  if (depth === -1) depth = directories.length - 1;
  const repository = directories[depth] ?? start;
  for (const { layout, file } of CANDIDATES) {
    for (const root of directories.slice(0, depth + 1)) {
      const path = join(root, file);
      const config = readConfig(path);
      if (config !== undefined) return { found: true, project: { root, layout, config } };
    }
  }
  if (existsSync(join(repository, '.trellis', '.current-task')))
    return { found: true, project: { root: repository, layout: 'trellis' } };
  return { found: false, why: 'no worktree.yaml was found', repository };
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
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPathOf(parent), path.slice(parent.length));
  }
}

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
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined;
    throw error;
  }
}
