import { lstatSync, mkdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { StopEvent } from '../hosts/types.ts';

/** The files of the stop loop that a stop attempt belongs to. */
export interface StopLoopLocation {
  /** The loop's key, the `task` in its file. */
  readonly key: string;
  /** Absolute path of its state file. */
  readonly path: string;
  /** Absolute path of the file that records what failed at its last stop. */
  readonly failuresPath: string;
  /** A task's file is kept after a reset, as the Python hook keeps it; a session's file is removed. */
  readonly keepAfterReset: boolean;
}

/** The directory of everything that ralph-loop writes, except the state file that it shares with Trellis. */
export function ralphDirectory(root: string): string {
  return join(root, '.trellis', '.ralph');
}

/** The directory of the gates' full outputs, `<gate>.log`. */
export function outputDirectory(root: string): string {
  return join(ralphDirectory(root), 'output');
}

/** The state file of a project's task loop. */
export function taskLoopPath(root: string): string {
  return join(root, '.trellis', '.ralph-state.json');
}

/** Returns the loop of the current task, or without a task, of the session and agent that want to stop. */
export async function locateStopLoop(
  root: string,
  task: string | undefined,
  event: StopEvent,
): Promise<StopLoopLocation> {
  if (task !== undefined)
    return {
      key: task,
      path: taskLoopPath(root),
      failuresPath: failuresPath(root, 'task'),
      keepAfterReset: true,
    };
  const session = await fileNameOf(event.sessionId ?? 'unknown');
  const agent = await fileNameOf(event.agentId ?? event.agent);
  // Neither part contains a dot, so no two pairs share a file.
  return {
    key: `session:${session}/${agent}`,
    path: join(ralphDirectory(root), `loop-${session}.${agent}.json`),
    failuresPath: failuresPath(root, `${session}.${agent}`),
    keepAfterReset: false,
  };
}

/**
 * The file that records the last failure of a loop, or of `verify`.
 *
 * @param name `task`, `verify`, or a name with a dot, which neither of these two has
 */
export function failuresPath(root: string, name: string): string {
  return join(ralphDirectory(root), `failed-${name}.json`);
}

export function isFailuresFile(name: string): boolean {
  return /^failed-.*\.json$/.test(name);
}

export function isSessionLoopFile(name: string): boolean {
  return /^loop-.*\.json$/.test(name);
}

/**
 * The directory for the log of stops outside of every project: the XDG base directory specification's place for a
 * user's logs. The specification says that a relative `XDG_STATE_HOME` is ignored.
 *
 * @returns undefined if the user has no home directory
 */
export async function userLogDirectory(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  // Loaded on demand: an ignored event in a project loads this file.
  const { XDG_STATE_HOME: stateHome = '', HOME: home = (await import('node:os')).homedir() } = env;
  const base = isAbsolute(stateHome) ? stateHome : join(home, '.local', 'state');
  return isAbsolute(base) ? join(base, 'ralph-loop') : undefined;
}

/**
 * The file that counts a loop's stop attempts while its project cannot be written: in the temporary directory, or else
 * in the user's log directory.
 *
 * @param loopPath of the loop's file in the project
 * @throws if this user alone can write neither directory
 */
export async function fallbackCounterPath(loopPath: string, env: NodeJS.ProcessEnv): Promise<string> {
  const { shortHash } = await import('../base/short-hash.ts');
  const name = `${shortHash(loopPath)}.json`;
  try {
    const temporary = env.TMPDIR || (await import('node:os')).tmpdir();
    return join(privateDirectory(join(temporary, `ralph-loop-${process.getuid?.() ?? 'user'}`)), name);
  } catch (error) {
    const directory = await userLogDirectory(env);
    if (directory === undefined) throw error;
    return join(privateDirectory(directory), name);
  }
}

/** Creates a directory, and refuses one that another user may have put there. */
function privateDirectory(directory: string): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const stats = lstatSync(directory);
  if (!stats.isDirectory() || (process.getuid && stats.uid !== process.getuid()))
    throw new Error(`${directory} is not a directory of this user`);
  return directory;
}

/** Ids are UUIDs or similar, and are used as they are. Any other text gets a hash, which is loaded for it alone. */
async function fileNameOf(id: string): Promise<string> {
  if (/^[a-z0-9][a-z0-9_-]{0,80}$/.test(id)) return id;
  const { shortHash } = await import('../base/short-hash.ts');
  return `${id.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 40)}~${shortHash(id)}`;
}
