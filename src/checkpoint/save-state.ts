import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bareDirectories } from './bare-directories.ts';
import { copyIndex, withIndex } from './copy-index.ts';
import { findFiles } from './find-files.ts';
import { readStatus, STATUS_ARGS } from './read-status.ts';
import { readTracked, SUBMODULE, TRACKED_ARGS } from './read-tracked.ts';
import { Refusal } from './refusal.ts';
import { lineOf, type Repository, refuseUnfinished } from './repository.ts';
import { stageDisk } from './stage-disk.ts';
import { makeStateTree } from './state-tree.ts';
import { writeBlobs } from './write-blobs.ts';

/** A state as git's object store holds it; no ref names it yet. */
export interface SavedState {
  readonly head: string | null;
  readonly branch: string | null;
  readonly changedFiles: number;
  /** Object id of the tree that holds all of it. */
  readonly tree: string;
  /** Directories in which no file is saved. */
  readonly directories: readonly string[];
  /** Repositories and closed directories, their names with a slash at the end: neither saved nor ever touched. */
  readonly leftAlone: readonly string[];
}

/**
 * Saves what the index and the working tree hold as objects, by a copy of the index: neither is touched.
 *
 * @param also paths that are saved where they are files, even if git ignores them
 * @throws Refusal where not all of it can be saved
 */
export async function saveState(repository: Repository, also: readonly string[] = []): Promise<SavedState> {
  refuseUnfinished(repository);
  const temporary = mkdtempSync(join(tmpdir(), 'ralph-checkpoint-'));
  try {
    return await saveWith(temporary, repository, also);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

async function saveWith(
  temporary: string,
  repository: Repository,
  also: readonly string[],
): Promise<SavedState> {
  const { git, top } = repository;
  const index = join(temporary, 'index');
  await copyIndex(repository, index);
  // This also brings up to date what the copy knows of the disk.
  const status = readStatus(await git(STATUS_ARGS, withIndex(index)));
  if (status.problem !== undefined) throw new Refusal(status.problem);
  const [tracked, staged] = await Promise.all([
    git(TRACKED_ARGS, withIndex(index)).then(readTracked),
    writeTree(repository, index),
    // Git knows the empty tree without having it; where we hold it, `git fsck` misses it.
    git(['mktree']),
  ]);
  const changes = await findFiles(repository, status, tracked, also);
  const submodules = tracked.flatMap(({ path, mode }) => (mode === SUBMODULE ? [path] : []));
  const { empty, closed } = bareDirectories(top, [...status.ignored, ...status.nested, ...submodules]);
  const leftAlone = [...status.nested, ...closed.map((path) => `${path}/`)];
  const [indexBlob = '', unsaved = '', directories = '', ...blobs] = await writeBlobs(
    git,
    [
      Buffer.from(index).toString('latin1'),
      bytesOf([...status.ignored, ...leftAlone]),
      bytesOf(empty),
      ...changes.files.map(({ source }) => source),
    ],
    temporary,
  );
  // The copy has served as the index: from here on it is the disk's.
  await stageDisk(repository, index, changes, blobs);
  const worktree = await writeTree(repository, index);
  const tree = await makeStateTree(git, { worktree, staged, index: indexBlob, unsaved, directories });
  const { head, branch, differing: changedFiles } = status;
  return { head, branch, changedFiles, tree, directories: empty, leftAlone };
}

/** Blobs that a partial clone has not fetched are none of our business. */
function writeTree({ git }: Repository, index: string): Promise<string> {
  return lineOf(git(['write-tree', '--missing-ok'], withIndex(index)));
}

function bytesOf(paths: readonly string[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1');
}
