import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { READ_WITHOUT_WAITING, writeFileAtomic } from '../base/files.ts';
import { isSessionLoopFile, ralphDirectory, taskLoopPath } from './loop-location.ts';
import {
  beginAttempt,
  cancelAttempt,
  type LoopRules,
  type LoopState,
  parseLoopState,
  resetState,
} from './loop-state.ts';
import { type Patience, withLock } from './state-lock.ts';

/**
 * Counts a stop attempt in a loop's file. It is saved before any gate runs, so that a hook that is killed still
 * counts.
 *
 * @throws where the file cannot be written, or the lock is not to be had in time
 */
export function saveAttempt(
  path: string,
  rules: LoopRules,
  now: Date,
  patience?: Patience,
): Promise<LoopState> {
  const count = () => {
    const state = beginAttempt(readLoopFile(path, now), rules, now);
    writeLoopFile(path, state);
    return state;
  };
  return withLock(path, count, patience);
}

/**
 * Writes a counted attempt again where its file is gone: a gate such as `git clean -fdx` would else block for ever.
 */
export async function restoreAttempt(path: string, attempt: LoopState): Promise<void> {
  if (existsSync(path)) return;
  await withLock(path, () => {
    if (!existsSync(path)) writeLoopFile(path, attempt);
  });
}

export function directoryIsThere(path: string): boolean {
  return existsSync(dirname(path));
}

/** Resets the loop, unless another task has taken the file over in the meantime. */
export function saveReset(path: string, attempt: LoopState): Promise<void> {
  return withLock(path, () => {
    const present = readLoopFile(path, new Date()) ?? attempt;
    if (present.task === attempt.task) writeLoopFile(path, resetState(present));
  });
}

/** Calls a loop off: its next stop is allowed. @returns it, unless it is gone, or unusable */
export function cancelAttempts(path: string, now: Date): Promise<LoopState | undefined> {
  return withLock(path, () => {
    const state = readLoopFile(path, now);
    if (state) writeLoopFile(path, cancelAttempt(state));
    return state;
  });
}

/** Removes a loop's file; without its lock, since a full disk would refuse that. @returns whether there was one */
export function removeLoop(path: string): boolean {
  if (!existsSync(path)) return false;
  rmSync(path, { recursive: true, force: true });
  return true;
}

/** The state files of a project's loops that are there: the task's, then the sessions'. */
export function loopFiles(root: string): string[] {
  const task = taskLoopPath(root);
  const directory = ralphDirectory(root);
  const sessions = namesIn(directory).filter(isSessionLoopFile);
  return [...(existsSync(task) ? [task] : []), ...sessions.map((name) => join(directory, name))];
}

/** Whatever else ralph-loop has left in a project: its directory, state files that were set aside, unfinished writes. */
export function leftovers(root: string): string[] {
  const task = taskLoopPath(root);
  const besideTask = namesIn(dirname(task)).filter((name) => name.startsWith(`${basename(task)}.`));
  const directory = ralphDirectory(root);
  return [
    ...besideTask.map((name) => join(dirname(task), name)),
    ...(existsSync(directory) ? [directory] : []),
  ];
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).toSorted();
  } catch {
    return [];
  }
}

/** A loop's state as it is now, read without a lock: writes are atomic. */
export function peekLoop(path: string): LoopState | undefined {
  try {
    const parsed = parseLoopState(readFileSync(path, { encoding: 'utf8', flag: READ_WITHOUT_WAITING }));
    return 'state' in parsed ? parsed.state : undefined;
  } catch {
    return undefined;
  }
}

/** The state, or undefined where there is none; one that cannot be used is moved aside, so that nothing is lost. */
function readLoopFile(path: string, now: Date): LoopState | undefined {
  let text: string;
  try {
    text = readFileSync(path, { encoding: 'utf8', flag: READ_WITHOUT_WAITING });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code !== 'EISDIR') throw error;
    text = '';
  }
  const parsed = parseLoopState(text);
  if ('state' in parsed) return parsed.state;
  const file = linkedFile(path);
  renameSync(file, `${file}.broken-${now.toISOString().replace(/[-:.]/g, '')}`);
  return undefined;
}

function writeLoopFile(path: string, state: LoopState): void {
  writeFileAtomic(linkedFile(path), `${JSON.stringify(state, null, 2)}\n`);
}

/** A state file that is a link stays one, even where it leads to no file yet: what it points to is read and written. */
function linkedFile(path: string): string {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path;
  return existsSync(path) ? realpathSync(path) : resolve(dirname(path), readlinkSync(path));
}
