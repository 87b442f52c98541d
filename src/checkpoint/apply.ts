import {
  closeSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { CheckpointError, type Repository } from './git.ts';
import { ancestorsOf, diskPath, displayPath, lstatIn, parentOf } from './paths.ts';
import { EXECUTABLE, SYMLINK } from './working-tree.ts';

/** The changes that turn the present working tree into that of a checkpoint. */
export interface RestorePlan {
  /** Files that were made since the checkpoint; the rescue checkpoint has all of them. */
  readonly removals: readonly string[];
  readonly writes: readonly FileWrite[];
  /** Directories in which the checkpoint has no file. */
  readonly directories: readonly string[];
  /** Directories that may have been made since the checkpoint; the empty ones are removed. */
  readonly prunable: readonly string[];
}

export interface FileWrite {
  readonly path: string;
  readonly mode: string;
  readonly blob: string;
}

/** Changes the working tree. It can be repeated after it has ended halfway. */
export async function applyRestorePlan(
  { git, top }: Repository,
  { removals, writes, directories, prunable }: RestorePlan,
): Promise<void> {
  const lstat = lstatIn(top);
  for (const path of removals) if (lstat(path)) unlinkSync(diskPath(top, path));
  const queue = writes.values();
  await git(['cat-file', '--batch', '--buffer'], {
    input: writes.map(({ blob }) => `${blob}\n`).join(''),
    onOutput: blobReader(() => openFile(top, queue.next().value as FileWrite)),
  });
  for (const path of directories) ensureDirectories(top, [...ancestorsOf(path), path]);
  pruneDirectories(top, prunable, new Set(directories));
}

/** Takes the bytes of one blob in pieces. */
interface BlobSink {
  write(bytes: Buffer): void;
  end(): void;
}

/**
 * Splits the output of `git cat-file --batch` so that no blob must fit into memory. For each blob the output has
 * `<id> blob <size>`, a line break, its bytes, a line break.
 *
 * @param open returns the sink of the next blob
 * @returns takes the output as it comes
 */
export function blobReader(open: () => BlobSink): (bytes: Buffer) => void {
  let header = '';
  let sink: BlobSink | undefined;
  let left = 0;
  return (bytes) => {
    let at = 0;
    while (at < bytes.length) {
      if (sink === undefined) {
        const end = bytes.indexOf('\n', at);
        header += bytes.toString('latin1', at, end === -1 ? bytes.length : end);
        if (end === -1) return;
        left = blobSize(header);
        sink = open();
        header = '';
        at = end + 1;
      }
      const piece = bytes.subarray(at, at + left);
      if (piece.length > 0) sink.write(piece);
      at += piece.length;
      left -= piece.length;
      if (left > 0 || at === bytes.length) continue;
      // The line break after the blob.
      at++;
      sink.end();
      sink = undefined;
    }
  };
}

function blobSize(header: string): number {
  const [, size] = /^[\da-f]+ blob (\d+)$/.exec(header) ?? [];
  if (size === undefined)
    throw new CheckpointError(`git does not have an object of the checkpoint: ${header}`);
  return Number(size);
}

/** The name of a file until it is complete. A killed restore may leave such a file; the next restore removes it. */
const PARTIAL_NAME = '.ralph-restoring';

/**
 * Opens a file or a symbolic link of the working tree. It replaces the present one when all bytes are written.
 *
 * @throws CheckpointError when its directory has been replaced
 */
function openFile(top: string, { path, mode }: FileWrite): BlobSink {
  ensureDirectories(top, ancestorsOf(path));
  const target = diskPath(top, path);
  const partial = diskPath(top, `${parentOf(path)}/${PARTIAL_NAME}`);
  removeEmptyTree(top, path);
  rmSync(partial, { force: true });
  return mode === SYMLINK ? symlinkSink(partial, target) : fileSink(partial, target, mode === EXECUTABLE);
}

function fileSink(partial: Buffer, target: Buffer, isExecutable: boolean): BlobSink {
  const stats = lstatSync(target, { throwIfNoEntry: false });
  const present = stats?.isFile() ? stats : undefined;
  // The partial file must not be readable by more users than the file is.
  const file = openSync(partial, 'wx', present?.mode);
  return {
    write: (bytes) => writeFileSync(file, bytes),
    end: () => {
      // A checkpoint has one permission bit: those who may read may execute. The other bits stay as they are.
      const { mode } = present ?? fstatSync(file);
      fchmodSync(file, (isExecutable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111) & 0o7777);
      closeSync(file);
      renameSync(partial, target);
    },
  };
}

function symlinkSink(partial: Buffer, target: Buffer): BlobSink {
  const pieces: Buffer[] = [];
  return {
    write: (bytes) => pieces.push(bytes),
    end: () => {
      symlinkSync(Buffer.concat(pieces), partial);
      renameSync(partial, target);
    },
  };
}

/**
 * Makes the directories that are missing.
 *
 * @param paths the outermost first
 * @throws CheckpointError when a path is not a directory, but for example a symbolic link out of the working tree
 */
function ensureDirectories(top: string, paths: readonly string[]): void {
  for (const path of paths) {
    const stats = lstatSync(diskPath(top, path), { throwIfNoEntry: false });
    if (!stats) mkdirSync(diskPath(top, path));
    else if (!stats.isDirectory())
      throw new CheckpointError(
        `${displayPath(path)} is not a directory any more: another program changes the working tree`,
      );
  }
}

/** Removes a directory that contains only directories. */
function removeEmptyTree(top: string, path: string): void {
  if (!lstatSync(diskPath(top, path), { throwIfNoEntry: false })?.isDirectory()) return;
  for (const name of readdirSync(diskPath(top, path), { encoding: 'latin1' }))
    removeEmptyTree(top, `${path}/${name}`);
  rmdirSync(diskPath(top, path));
}

/** Removes the empty ones of the directories, except those to keep. */
function pruneDirectories(top: string, paths: readonly string[], kept: ReadonlySet<string>): void {
  const lstat = lstatIn(top);
  // A path is longer than its parent's, so children come first.
  for (const path of paths.toSorted((a, b) => b.length - a.length)) {
    if (kept.has(path) || !lstat(path)?.isDirectory()) continue;
    if (readdirSync(diskPath(top, path)).length === 0) rmdirSync(diskPath(top, path));
  }
}
