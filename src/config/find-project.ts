import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readCurrentTask } from './current-task.ts';
import type { Layout } from './defaults.ts';
import { readIfThere, realPathOf, upwards } from './files.ts';

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

function readConfig(path: string): ConfigFile | undefined {
  try {
    const text = readIfThere(path);
    return text === undefined ? undefined : { path, text: text.replace(/^\uFEFF/, '') };
  } catch (error) {
    return { path, text: '', unreadable: (error as Error).message };
  }
}
