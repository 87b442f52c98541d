import { accessSync, constants, existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { makeDirectory } from '../base/files.ts';
import type { StopEvent } from '../hosts/types.ts';

// What decides (counts, chains, agent runs, previous failures) is in the state directory of the project, outside of its
// tree: a repository cannot bring it, `git clean` cannot remove it, and a diff does not show it. What people and agents
// read (outputs, the log) is in the tree. Trellis's own state file stays where Trellis has it.

/** The files of the stop loop that a stop attempt belongs to. */
export interface StopLoopLocation {
  /** The loop's key, the `task` in its file. */
  readonly key: string;
  /** Absolute path of its state file. */
  readonly path: string;
  /**
   * Absolute path of the second count of a task's loop: the blocks in a row of this session and agent, whatever the task.
   * A session's loop has only one.
   */
  readonly blocksPath?: string;
  /** Absolute path of the file that records what failed at its last stop. */
  readonly failuresPath: string;
  /** A task's file is kept after a reset, as the Python hook keeps it; a session's file is removed. */
  readonly keepAfterReset: boolean;
}

/** The directory in the tree for what people and agents read: the gates' outputs and the execution log. */
export function ralphDirectory(root: string): string {
  return join(root, '.trellis', '.ralph');
}

/**
 * The directory for what decides about stops: in the user's state directory, one for each project. Without a state
 * directory that can be written it is in the tree.
 *
 * @param root absolute directory of the project, without symbolic links
 */
export function stateDirectory(root: string): string {
  const user = userDirectory(process.env);
  if (user === undefined) return ralphDirectory(root);
  // The last part cannot be mistaken for a directory of the project's own path.
  const own = join(user, 'projects', root, '@');
  return existsSync(own) || isUsable(user) ? own : ralphDirectory(root);
}

/** Names of the files that decide, besides Trellis's. */
const STATE_FILE = /^(?:loop|chain|promise|failed|blocks|running)-.*\.json$/;

/**
 * The state files in a project's tree. Nothing reads them where the user has a state directory: the repository brought
 * them, or a version of ralph-loop that kept its state there.
 *
 * @returns their paths, relative to the project
 */
export function ignoredState(root: string): string[] {
  const directory = ralphDirectory(root);
  if (stateDirectory(root) === directory) return [];
  try {
    return readdirSync(directory)
      .filter((name) => STATE_FILE.test(name))
      .map((name) => join('.trellis', '.ralph', name))
      .toSorted();
  } catch {
    return [];
  }
}

/** The directories that have state of a project, of a directory and those below it; empty where state is in the tree. */
export function projectsBelow(directory: string): string[] {
  const user = userDirectory(process.env);
  return user === undefined ? [] : statesBelow(join(user, 'projects', directory), directory);
}

function statesBelow(states: string, directory: string): string[] {
  try {
    return readdirSync(states).flatMap((name) =>
      name === '@' ? [directory] : statesBelow(join(states, name), join(directory, name)),
    );
  } catch {
    return [];
  }
}

/** Whether this user alone can write a directory. It is created if it is missing. */
function isUsable(directory: string): boolean {
  try {
    accessSync(privateDirectory(directory), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The directory of the gates' full outputs, `<gate>.log`. */
export function outputDirectory(root: string): string {
  return join(ralphDirectory(root), 'output');
}

/** The state file of a project's task loop. */
export function taskLoopPath(root: string): string {
  return join(root, '.trellis', '.ralph-state.json');
}

/** The project's directory, for a state file that is in its tree. */
export function treeOf(path: string): string | undefined {
  return /^(.*)\/\.trellis\/(?:\.ralph\/)?[^/]+$/s.exec(path)?.[1];
}

/** Whether a state file is the one that ralph-loop shares with the Python hook. */
export function isTaskLoop(path: string): boolean {
  return path.endsWith('/.trellis/.ralph-state.json');
}

/** Returns the loop of the current task, or without a task, of the session and agent that want to stop. */
export async function locateStopLoop(
  root: string,
  task: string | undefined,
  event: StopEvent,
): Promise<StopLoopLocation> {
  const session = await fileNameOf(event.sessionId ?? 'unknown');
  const agent = await fileNameOf(event.agentId ?? event.agent);
  if (task !== undefined)
    return {
      key: task,
      path: taskLoopPath(root),
      blocksPath: join(stateDirectory(root), `blocks-${session}.${agent}.json`),
      failuresPath: failuresPath(root, 'task'),
      keepAfterReset: true,
    };
  // Neither part contains a dot, so no two pairs share a file.
  return {
    key: `session:${session}/${agent}`,
    path: join(stateDirectory(root), `loop-${session}.${agent}.json`),
    failuresPath: failuresPath(root, `${session}.${agent}`),
    keepAfterReset: false,
  };
}

/**
 * The file that records the turn of a session's main agent.
 *
 * @returns undefined without a session, and where state is in the tree: an agent could write there that nothing changed
 */
export async function turnPath(root: string, session: string | undefined): Promise<string | undefined> {
  const directory = stateDirectory(root);
  if (session === undefined || directory === ralphDirectory(root)) return undefined;
  return join(directory, `turn-${await fileNameOf(session)}.json`);
}

/**
 * The file of the findings that an agent has read in the middle of the turn; it is removed with the files of turns.
 *
 * @returns undefined as `turnPath`
 */
export async function notedPath(root: string, session: string | undefined): Promise<string | undefined> {
  // No name of a session contains a dot.
  return (await turnPath(root, session))?.replace(/json$/, 'noted.json');
}

/**
 * The file of what a session has edited with its tools; it is removed with the files of turns.
 *
 * @returns undefined as `turnPath`
 */
export async function editsPath(root: string, session: string): Promise<string | undefined> {
  return (await turnPath(root, session))?.replace(/json$/, 'edits.json');
}

/** A session without an event for this long has ended, or is not at work. */
export const LIVE_SESSION_MS = 8 * 60 * 60 * 1000;

/** Whether another session has edited files beside this one, so that a stop has to look for its edits. */
export async function hasEditsOfOthers(root: string, session: string | undefined): Promise<boolean> {
  const own = session === undefined ? undefined : await editsPath(root, session);
  const directory = stateDirectory(root);
  try {
    return readdirSync(directory).some((name) => {
      const path = join(directory, name);
      return isEditsFile(name) && path !== own && statSync(path).mtimeMs > Date.now() - LIVE_SESSION_MS;
    });
  } catch {
    return false;
  }
}

export function isEditsFile(name: string): boolean {
  return /^turn-.*\.edits\.json$/.test(name);
}

export function isTurnFile(name: string): boolean {
  return /^turn-.*\.json$/.test(name);
}

/**
 * The file that records the gates of a project as they were when a session began.
 *
 * @param isGate for Ralph Gate, which may have other gates in the same project
 * @returns undefined without a session, and where state is in the tree
 */
export async function recordPath(
  root: string,
  session: string | undefined,
  isGate: boolean,
): Promise<string | undefined> {
  const directory = stateDirectory(root);
  if (session === undefined || directory === ralphDirectory(root)) return undefined;
  // No file name of a session contains a dot.
  return join(directory, `record-${await fileNameOf(session)}${isGate ? '.gate' : ''}.json`);
}

export function isRecordFile(name: string): boolean {
  return /^record-.*\.json$/.test(name);
}

/** The file of the notices that a person has not read yet. */
export function noticesPath(root: string): string {
  return join(stateDirectory(root), NOTICES_NAME);
}

export const NOTICES_NAME = 'notices.txt';

/** The file of a project's escalations. */
export function escalationsPath(root: string): string {
  return join(stateDirectory(root), 'escalations.json');
}

/** Whether a stop has to look for escalations at all. */
export function hasEscalations(root: string): boolean {
  return existsSync(escalationsPath(root));
}

/**
 * The file that records the last failure of a loop, or of `verify`.
 *
 * @param name `task`, `verify`, or a name with a dot, which neither of these two has
 */
export function failuresPath(root: string, name: string): string {
  return join(stateDirectory(root), `failed-${name}.json`);
}

export function isFailuresFile(name: string): boolean {
  return /^failed-.*\.json$/.test(name);
}

export function isBlockCount(name: string): boolean {
  return /^blocks-.*\.json$/.test(name);
}

export function isSessionLoopFile(name: string): boolean {
  return /^loop-.*\.json$/.test(name);
}

/**
 * The user's directory of ralph-loop: the state of projects, and the log of stops outside of every project. It is in the
 * place that the XDG base directory specification has for state and logs. The specification says that a relative
 * `XDG_STATE_HOME` is ignored.
 *
 * @returns undefined if the environment names no home directory
 */
export function userDirectory({
  XDG_STATE_HOME: stateHome = '',
  HOME: home = '',
}: NodeJS.ProcessEnv): string | undefined {
  const base = isAbsolute(stateHome) ? stateHome : join(home, '.local', 'state');
  return isAbsolute(base) ? join(base, 'ralph-loop') : undefined;
}

/**
 * The file that counts a loop's stop attempts while its project cannot be written: in the temporary directory, or else
 * in the user's directory.
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
    const directory = userDirectory(env);
    if (directory === undefined) throw error;
    return join(privateDirectory(directory), name);
  }
}

/** Creates a directory, and refuses one that another user may have put there. */
function privateDirectory(directory: string): string {
  makeDirectory(directory, 0o700);
  const stats = lstatSync(directory);
  if (!stats.isDirectory() || (process.getuid && stats.uid !== process.getuid()))
    throw new Error(`${directory} is not a directory of this user`);
  return directory;
}

/**
 * The file that records what has guarded the stops of a session.
 *
 * @returns undefined without a session, or without a home directory
 */
export async function sessionPath(session: string | undefined): Promise<string | undefined> {
  const user = userDirectory(process.env);
  if (user === undefined || session === undefined) return undefined;
  return join(user, 'sessions', `${await fileNameOf(session)}.json`);
}

/** Ids are UUIDs or similar, and are used as they are. Any other text gets a hash, which is loaded for it alone. */
async function fileNameOf(id: string): Promise<string> {
  if (/^[a-z0-9][a-z0-9_-]{0,80}$/.test(id)) return id;
  const { shortHash } = await import('../base/short-hash.ts');
  return `${id.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 40)}~${shortHash(id)}`;
}
