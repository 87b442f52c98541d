import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isSessionLoopFile, ralphDirectory, taskLoopPath } from './loop-location.ts';
import { beginAttempt, type LoopRules, type LoopState, parseLoopState, resetLoop } from './loop-state.ts';
import { withLock } from './state-lock.ts';

/**
 * Counts a stop attempt in a loop's file. It is saved before any gate runs, so that a hook that is killed still
 * counts.
 *
 * @throws where the file cannot be written
 */
export function saveAttempt(path: string, rules: LoopRules, now: Date): Promise<LoopState> {
  return withLock(path, () => {
    const state = beginAttempt(readLoopFile(path, now), rules, now);
    writeLoopFile(path, state);
    return state;
  });
}

/** Resets the loop, unless another task has taken the file over in the meantime. */
export function saveReset(path: string, attempt: LoopState): Promise<void> {
  return withLock(path, () => {
    const present = readLoopFile(path, new Date()) ?? attempt;
    if (present.task === attempt.task) writeLoopFile(path, resetLoop(present));
  });
}

/** Removes a loop's file. @returns whether there was one */
export function removeLoop(path: string): Promise<boolean> {
  if (!existsSync(path)) return Promise.resolve(false);
  return withLock(path, () => {
    rmSync(path, { force: true });
    return true;
  });
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
    const parsed = parseLoopState(readFileSync(path, 'utf8'));
    return 'state' in parsed ? parsed.state : undefined;
  } catch {
    return undefined;
  }
}

/** The state, or undefined where there is none; one that cannot be used is moved aside, so that nothing is lost. */
function readLoopFile(path: string, now: Date): LoopState | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    moveAside(path, now);
    return undefined;
  }
  const parsed = parseLoopState(text);
  if ('state' in parsed) return parsed.state;
  moveAside(path, now);
  return undefined;
}

function moveAside(path: string, now: Date): void {
  renameSync(path, `${path}.broken-${now.toISOString().replace(/[-:.]/g, '')}`);
}

/** Written beside the file and renamed: no reader ever sees half of it. */
function writeLoopFile(path: string, state: LoopState): void {
  // A state file that is a link stays one: what it points to is written.
  const target = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? realpathSync(path) : path;
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, `${JSON.stringify(state, null, 2)}\n`);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
