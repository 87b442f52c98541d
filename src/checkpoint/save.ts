import { copyFileSync, existsSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Result } from '../base/result.ts';
import { withTemporaryDirectory } from './cleaner.ts';
import {
  asResult,
  CheckpointError,
  type Git,
  lineOf,
  openRepository,
  type Repository,
  requireNoOperation,
} from './git.ts';
import { displayPath } from './paths.ts';
import {
  type Checkpoint,
  type CheckpointPurpose,
  makeStateTree,
  type SavedState,
  storeCheckpoint,
} from './store.ts';
import {
  type BlobSource,
  type DiskChanges,
  findDiskChanges,
  findUnrecordedDirectories,
  parseStatus,
  parseTracked,
  STATUS_ARGS,
  SUBMODULE,
  TRACKED_ARGS,
} from './working-tree.ts';

interface CreatedCheckpoint {
  readonly checkpoint: Checkpoint;
  /** Nested repositories and unreadable directories, which are not saved. */
  readonly excluded: readonly string[];
}

/**
 * Saves the whole working tree around a directory and its index, and touches neither: tracked and untracked files byte for
 * byte, symbolic links, executable bits, empty directories. It does not save ignored files, the state of ralph-loop, or
 * the other permission bits.
 *
 * @param directory absolute
 * @returns a failure, with nothing done, when git or a repository is missing or something cannot be saved
 */
export function createCheckpoint(
  directory: string,
  { env, ...purpose }: CheckpointPurpose & { readonly env: NodeJS.ProcessEnv },
): Promise<Result<CreatedCheckpoint>> {
  return asResult(async () => {
    const repository = await openRepository(directory, env);
    const state = await saveState(repository);
    const checkpoint = await storeCheckpoint(repository, state, purpose);
    return { checkpoint, excluded: state.excluded.map(displayPath) };
  });
}

/**
 * Saves the index and the working tree as objects. It works on a copy of the index and touches neither.
 *
 * @param alsoSaved paths whose files are saved even if git ignores them
 * @throws CheckpointError when not everything can be saved
 */
export async function saveState(
  repository: Repository,
  alsoSaved: readonly string[] = [],
): Promise<SavedState> {
  requireNoOperation(repository);
  return withTemporaryDirectory((temporary) => saveStateIn(temporary, repository, alsoSaved));
}

async function saveStateIn(
  temporary: string,
  repository: Repository,
  alsoSaved: readonly string[],
): Promise<SavedState> {
  const { git, top } = repository;
  const index = join(temporary, 'index');
  await copyIndex(repository, index);
  // `git status` also refreshes the copy of the index.
  const status = parseStatus(await git(STATUS_ARGS, withIndex(index)));
  if (status.problem !== undefined) throw new CheckpointError(status.problem);
  const [tracked, staged] = await Promise.all([
    git(TRACKED_ARGS, withIndex(index)).then(parseTracked),
    writeTree(repository, index),
    // Git knows the empty tree without storing it, but `git fsck` reports it as missing.
    git(['mktree']),
  ]);
  const changes = await findDiskChanges(repository, status, tracked, alsoSaved);
  const submodules = tracked.flatMap(({ path, mode }) => (mode === SUBMODULE ? [path] : []));
  const { empty, unreadable } = findUnrecordedDirectories(top, [
    ...status.ignored,
    ...status.nested,
    ...submodules,
  ]);
  const excluded = [...status.nested, ...unreadable.map((path) => `${path}/`)];
  const [indexBlob = '', unsaved = '', directories = '', ...fileBlobs] = await writeBlobs(
    git,
    [
      Buffer.from(index).toString('latin1'),
      pathList([...status.ignored, ...excluded]),
      pathList(empty),
      ...changes.files.map(({ source }) => source),
    ],
    temporary,
  );
  // The index itself is saved now; the copy becomes the index of the files on disk.
  await stageChanges(repository, index, changes, fileBlobs);
  const worktree = await writeTree(repository, index);
  const tree = await makeStateTree(git, { worktree, staged, index: indexBlob, unsaved, directories });
  const { head, branch, differing: changedFiles } = status;
  return { head, branch, changedFiles, tree, directories: empty, excluded };
}

/** Options of a git call that uses another file as the index. */
export function withIndex(index: string) {
  return { env: { GIT_INDEX_FILE: index } };
}

/**
 * Copies the index. A file that changed in the second in which the index was written may look unchanged. Git finds those
 * files by the time of the index, so the copy keeps that time, rounded down.
 */
async function copyIndex({ git, gitDirectory }: Repository, copy: string): Promise<void> {
  const index = join(gitDirectory, 'index');
  // A repository in which nothing was ever added has no index.
  if (!existsSync(index)) {
    await git(['read-tree', '--empty'], withIndex(copy));
    return;
  }
  const seconds = Math.floor(statSync(index).mtimeMs / 1000);
  copyFileSync(index, copy);
  utimesSync(copy, seconds, seconds);
}

/** Blobs that a partial clone has not fetched may be missing. */
function writeTree({ git }: Repository, index: string): Promise<string> {
  return lineOf(git(['write-tree', '--missing-ok'], withIndex(index)));
}

/**
 * Applies the changes on disk to a copy of the index.
 *
 * @param blobs object ids of the changed files, in their order
 */
async function stageChanges(
  { git }: Repository,
  index: string,
  { files, removed, submodules }: DiskChanges,
  blobs: readonly string[],
): Promise<void> {
  const update = async (lines: readonly string[], ...args: readonly string[]) => {
    if (lines.length === 0) return;
    const input = lines.map((line) => `${line}\0`).join('');
    await git(['update-index', '-z', ...args], { input, ...withIndex(index) });
  };
  // Removals come first: a directory may replace a file, or a file a directory.
  await update(removed, '--force-remove', '--stdin');
  await update(
    files.map(({ path, mode }, at) => `${mode} ${blobs[at]}\t${path}`),
    '--index-info',
  );
  await update(submodules, '--stdin');
}

/**
 * Stores bytes as they are, without the filters and conversions of git.
 *
 * @param temporary directory for bytes that are not in a file
 * @returns the object ids, in the order of the sources
 * @throws CheckpointError that names the file, when one cannot be read
 */
async function writeBlobs(git: Git, sources: readonly BlobSource[], temporary: string): Promise<string[]> {
  const paths = sources.map((source, index) => {
    if (typeof source === 'string') return source;
    const path = join(temporary, `blob-${index}`);
    writeFileSync(path, source);
    return Buffer.from(path).toString('latin1');
  });
  const input = paths.map((path) => `${quotePath(path)}\n`).join('');
  const output = await git(['hash-object', '-w', '--no-filters', '--stdin-paths'], { input });
  return output.split('\n').slice(0, -1);
}

/** Quotes as in C: the form in which git reads a path that may contain a line break. */
function quotePath(path: string): string {
  const octal = (character: string) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
  return `"${path.replace(/["\\\p{Cc}]/gu, octal)}"`;
}

function pathList(paths: readonly string[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1');
}
