import { accessSync, constants, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Result } from '../base/result.ts';
import { after } from '../base/time.ts';
import { isAlive } from '../process/process-group.ts';
import { applyRestorePlan, type FileWrite, type RestorePlan } from './apply.ts';
import { cleanLock } from './cleaner.ts';
import { asResult, CheckpointError, openRepository, type Repository } from './git.ts';
import { ancestorsOf, diskPath, displayPath, lstatIn, parentOf } from './paths.ts';
import { saveState, withIndex } from './save.ts';
import {
  type Checkpoint,
  findCheckpoint,
  partRevision,
  type SavedState,
  savedPaths,
  storeCheckpoint,
} from './store.ts';
import { SUBMODULE } from './working-tree.ts';

export interface RestoredCheckpoint {
  readonly checkpoint: Checkpoint;
  /** The state before the restore. */
  readonly rescue: Checkpoint;
  readonly written: number;
  readonly removed: number;
  /** How many commits HEAD has that the checkpoint does not have. */
  readonly commitsSince: number;
  /** The commit of the checkpoint's branch now; null when HEAD was detached, or the branch is gone. */
  readonly branchTip: string | null;
  /** Whether files are staged that differ from the commit of the checkpoint. */
  readonly isStaged: boolean;
  /** Nested repositories and unreadable directories, which are not touched. */
  readonly excluded: readonly string[];
}

/**
 * Restores the working tree and the index of a checkpoint, after it has saved the present state as a rescue checkpoint.
 * It removes files that were made since. HEAD, the commits made since, ignored files and the state of ralph-loop stay.
 *
 * @param directory absolute
 * @returns a failure with nothing touched, or with a message that the restore ended halfway: that message names the rescue
 * checkpoint, and another restore completes it
 */
export function restoreCheckpoint(
  directory: string,
  id: string,
  { now, env }: { readonly now: Date; readonly env: NodeJS.ProcessEnv },
): Promise<Result<RestoredCheckpoint>> {
  return asResult(async () => {
    const repository = await openRepository(directory, env);
    const checkpoint = await findCheckpoint(repository, id);
    const unlock = await lockIndex(repository);
    try {
      return await restoreLocked(repository, checkpoint, now);
    } finally {
      unlock();
    }
  });
}

async function restoreLocked(
  repository: Repository,
  checkpoint: Checkpoint,
  now: Date,
): Promise<RestoredCheckpoint> {
  const present = await saveState(repository, await savedPaths(repository, checkpoint));
  const plan = await planRestore(repository, present, checkpoint);
  const obstacles = findObstacles(repository.top, plan);
  if (obstacles.length > 0) throw new CheckpointError(obstaclesMessage(obstacles));
  const label = `before ${checkpoint.id}`;
  const rescue = await storeCheckpoint(repository, present, { kind: 'rescue', label, now });
  const applied = await asResult(async () => {
    await applyRestorePlan(repository, plan);
    await restoreIndex(repository, checkpoint);
  });
  if (!applied.ok)
    throw new CheckpointError(
      `${applied.failure.message}. Checkpoint ${checkpoint.id} is only partly restored: fix the cause, then restore it again. The state before is saved as rescue checkpoint ${rescue.id}`,
    );
  return {
    checkpoint,
    rescue,
    written: plan.writes.length,
    removed: plan.removals.length,
    commitsSince: await countCommits(repository, checkpoint.head, rescue.head),
    branchTip: await tipOf(repository, checkpoint.branch),
    isStaged: await isStaged(repository, checkpoint),
    excluded: present.excluded.map(displayPath),
  };
}

/** An editor that asks git for the status holds the lock for milliseconds. */
const LOCK_WAIT_MS = 2000;
const LOCK_RETRY_MS = 20;
const LOCK = `ralph-loop ${process.pid}\n`;
/** The content of a lock file of ralph-loop. */
const LOCK_CONTENT = /^ralph-loop (\d+)\n$/;

/**
 * Takes git's own lock of the index, so that no git command changes what is being restored. A lock that a killed
 * ralph-loop process has left is taken over.
 *
 * @returns releases the lock
 * @throws CheckpointError when another process holds it for too long
 */
async function lockIndex({ gitDirectory }: Repository): Promise<() => void> {
  const lock = join(gitDirectory, 'index.lock');
  const endCleaner = cleanLock(lock, LOCK, partialIndex(gitDirectory));
  try {
    await waitForLock(lock);
  } catch (error) {
    endCleaner();
    throw error;
  }
  return () => {
    rmSync(lock, { force: true });
    endCleaner();
  };
}

async function waitForLock(lock: string): Promise<void> {
  for (let left = LOCK_WAIT_MS; !tryLock(lock); left -= LOCK_RETRY_MS) {
    if (left <= 0)
      throw new CheckpointError(
        `another git command holds ${lock}: try again when it is done, or remove the file if none is running`,
      );
    if (isStaleLock(lock)) rmSync(lock, { force: true });
    else await after(LOCK_RETRY_MS).promise;
  }
}

function tryLock(lock: string): boolean {
  try {
    writeFileSync(lock, LOCK, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isStaleLock(lock: string): boolean {
  try {
    const [, pid] = LOCK_CONTENT.exec(readFileSync(lock, 'utf8')) ?? [];
    return pid !== undefined && !isAlive(Number(pid));
  } catch {
    // It was released, or belongs to another user.
    return false;
  }
}

/**
 * Compares the present state with a checkpoint.
 *
 * @throws CheckpointError when a submodule would have to change: no checkpoint has its content
 */
async function planRestore(
  { git }: Repository,
  { tree, directories: presentDirectories }: SavedState,
  { commit }: Checkpoint,
): Promise<RestorePlan> {
  const diffTree = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--ignore-submodules=none'];
  const [output, unsaved, directories] = await Promise.all([
    git([...diffTree, partRevision(tree, 'worktree'), partRevision(commit, 'worktree')]),
    git(['cat-file', 'blob', partRevision(commit, 'unsaved')]),
    git(['cat-file', 'blob', partRevision(commit, 'directories')]),
  ]);
  const differences = parseDifferences(output);
  const submodule = differences.find(
    ({ presentMode, mode }) => presentMode === SUBMODULE || mode === SUBMODULE,
  );
  if (submodule) throw new CheckpointError(submoduleMessage(submodule));
  // Paths that were not saved then are kept, though git may not ignore them any more.
  const isUnsaved = isInAny(new Set(unsaved.split('\0')));
  const removals = differences.flatMap(({ path, mode }) =>
    mode === NO_FILE && !isUnsaved(path) ? [path] : [],
  );
  const emptyDirectories = presentDirectories.map((path) => `${path}/`);
  return {
    removals,
    writes: differences.filter(({ mode }) => mode !== NO_FILE),
    directories: directories.split('\0').filter(Boolean),
    prunable: [...new Set([...removals, ...emptyDirectories].flatMap(ancestorsOf))].filter(
      (path) => !isUnsaved(path),
    ),
  };
}

/** The mode of a file that does not exist. */
const NO_FILE = '000000';

interface Difference extends FileWrite {
  readonly presentMode: string;
}

/** @param output repetitions of `:<present mode> <mode> <present blob> <blob> <letter>\0<path>\0` */
function parseDifferences(output: string): Difference[] {
  const fields = output.split('\0');
  return fields.flatMap((field, index) => {
    if (index % 2 === 1 || field === '') return [];
    const [presentMode = '', mode = '', , blob = ''] = field.slice(1).split(' ');
    return [{ presentMode, mode, blob, path: fields[index + 1] ?? '' }];
  });
}

/**
 * @param paths files, and directories with a slash at the end
 * @returns whether a path is one of them or in one of them
 */
function isInAny(paths: ReadonlySet<string>): (path: string) => boolean {
  return (path) =>
    [path, ...ancestorsOf(`${path}/`).map((directory) => `${directory}/`)].some((one) => paths.has(one));
}

function submoduleMessage({ path, presentMode, mode, blob }: Difference): string {
  const name = displayPath(path);
  if (presentMode === mode)
    return `the submodule ${name} is at another commit than in the checkpoint, which does not have its files: run \`git -C ${name} checkout ${blob}\`, and try again`;
  const change =
    presentMode === SUBMODULE ? 'is a submodule now, but not in' : 'is not a submodule now, but is one in';
  return `${name} ${change} the checkpoint: undo this change, and try again`;
}

/**
 * Finds paths that would end the restore halfway, or that it would destroy though no checkpoint has them.
 *
 * @returns one phrase per path
 */
function findObstacles(top: string, { removals, writes, directories }: RestorePlan): string[] {
  const lstat = lstatIn(top);
  const removed = new Set(removals);
  const nonDirectories = (paths: readonly string[]) =>
    paths.filter((path) => lstat(path)?.isDirectory() === false);
  const blockersOfFile = (path: string): string[] => {
    const stats = lstat(path);
    if (stats?.isDirectory()) return listFiles(top, path);
    return stats && !stats.isFile() && !stats.isSymbolicLink() ? [path] : [];
  };
  const blockers = [
    ...writes.flatMap(({ path }) => [...nonDirectories(ancestorsOf(path)), ...blockersOfFile(path)]),
    ...directories.flatMap((path) => nonDirectories([...ancestorsOf(path), path])),
  ].filter((path) => !removed.has(path));
  /** The nearest directory above an entry that exists already. */
  const existingParent = (path: string): string => {
    const directory = parentOf(path);
    return directory === '' || lstat(directory)?.isDirectory() ? directory : existingParent(directory);
  };
  const made = [...writes.map(({ path }) => path), ...directories.filter((path) => !lstat(path))];
  const changed = [...removals, ...made].map(existingParent);
  const readOnly = [...new Set(changed)].filter((directory) => !isWritable(diskPath(top, directory)));
  return [
    ...[...new Set(blockers)].map(
      (path) =>
        `${displayPath(path)} is in the way and cannot be saved, because it is ignored or not a regular file`,
    ),
    ...readOnly.map((directory) => `the directory ${displayPath(directory) || '.'} is not writable`),
  ];
}

/** All entries below a directory that are not directories. */
function listFiles(top: string, directory: string): string[] {
  const entries = readdirSync(diskPath(top, directory), { withFileTypes: true, encoding: 'latin1' });
  return entries.flatMap((entry) => {
    const path = `${directory}/${entry.name}`;
    return entry.isDirectory() ? listFiles(top, path) : [path];
  });
}

function isWritable(directory: Buffer): boolean {
  try {
    accessSync(directory, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const MAX_OBSTACLES = 3;

function obstaclesMessage(obstacles: readonly string[]): string {
  const more = obstacles.length - MAX_OBSTACLES;
  const listed = obstacles.slice(0, MAX_OBSTACLES).join('; ');
  return more > 0 ? `${listed}; and ${more} more` : listed;
}

/** The name of the restored index until it is complete. */
function partialIndex(gitDirectory: string): string {
  return join(gitDirectory, 'ralph-index');
}

/** Refreshes the saved index too: git compares the files that were written since with the disk again. */
async function restoreIndex({ git, gitDirectory }: Repository, { commit }: Checkpoint): Promise<void> {
  const bytes = await git(['cat-file', 'blob', partRevision(commit, 'index')]);
  const index = partialIndex(gitDirectory);
  // A killed restore may have left the lock.
  rmSync(`${index}.lock`, { force: true });
  writeFileSync(index, bytes, 'latin1');
  await git(['update-index', '-q', '--refresh'], withIndex(index));
  renameSync(index, join(gitDirectory, 'index'));
}

/** The number of commits in one history and not in another; null is the history before the first commit. */
async function countCommits({ git }: Repository, from: string | null, to: string | null): Promise<number> {
  if (to === null || to === from) return 0;
  return Number(await git(['rev-list', '--count', to, ...(from === null ? [] : [`^${from}`])]));
}

async function tipOf({ git }: Repository, branch: string | null): Promise<string | null> {
  if (branch === null) return null;
  const name = Buffer.from(`refs/heads/${branch}`).toString('latin1');
  return (await git(['for-each-ref', '--format=%(objectname)', name])).trim() || null;
}

async function isStaged({ git }: Repository, { commit, head }: Checkpoint): Promise<boolean> {
  if (head === null) return false;
  return (await git(['diff-tree', head, partRevision(commit, 'staged')])) !== '';
}
