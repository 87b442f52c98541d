import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readFileIfExists, realPathOf, upwards } from '../base/files.ts';
import { readCurrentTask } from './current-task.ts';
import type { Layout } from './defaults.ts';
import { findGateConfig } from './find-gate-config.ts';

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
    const text = readFileIfExists(path);
    return text === undefined ? undefined : { path, text: text.replace(/^\uFEFF/, '') };
  } catch (error) {
    return { path, text: '', unreadable: (error as Error).message };
  }
}
