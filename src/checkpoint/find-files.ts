import { readlinkSync } from 'node:fs';
import { convertedFiles } from './converted-files.ts';
import type { Status } from './read-status.ts';
import { EXECUTABLE, FILE, LINK, SUBMODULE, type TrackedFile } from './read-tracked.ts';
import type { Repository } from './repository.ts';
import { isOwnState, lookIn, onDisk } from './tree-path.ts';
import type { BlobSource } from './write-blobs.ts';

/** A file whose bytes git does not have yet, or not as they are on disk. */
export interface DiskFile {
  readonly path: string;
  readonly mode: string;
  readonly source: BlobSource;
}

/** How the disk differs from the index. */
export interface DiskChanges {
  readonly files: readonly DiskFile[];
  /** No file is there, or none that is saved. */
  readonly gone: readonly string[];
  /** Submodules that are at another commit. */
  readonly submodules: readonly string[];
}

/** @param also paths that are saved where they are files, even if git ignores them */
export async function findFiles(
  repository: Repository,
  status: Status,
  tracked: readonly TrackedFile[],
  also: readonly string[],
): Promise<DiskChanges> {
  const { top } = repository;
  const look = lookIn(top);
  const own = tracked.filter(({ path }) => isOwnState(path));
  const others = tracked.filter(({ path }) => !isOwnState(path));
  const submodulePaths = new Set(others.flatMap(({ path, mode }) => (mode === SUBMODULE ? [path] : [])));
  const known = new Set([...others.map(({ path }) => path), ...status.untracked]);
  const candidates = new Set([
    ...status.changed,
    ...status.untracked,
    // Of these git says what the index says.
    ...others.flatMap(({ path, mode, isUnwatched }) => (isUnwatched && mode !== SUBMODULE ? [path] : [])),
    ...also.filter((path) => !known.has(path)),
  ]);
  const files: DiskFile[] = [];
  const gone = own.map(({ path }) => path);
  const submodules: string[] = [];
  for (const path of candidates) {
    const stats = look(path);
    if (stats?.isFile())
      files.push({ path, mode: stats.mode & 0o100 ? EXECUTABLE : FILE, source: `${top}/${path}` });
    else if (stats?.isSymbolicLink())
      files.push({ path, mode: LINK, source: readlinkSync(onDisk(top, path), { encoding: 'buffer' }) });
    else if (stats?.isDirectory() && submodulePaths.has(path)) submodules.push(path);
    else gone.push(path);
  }
  const unmodified = others.filter(
    ({ path, mode }) => (mode === FILE || mode === EXECUTABLE) && !candidates.has(path),
  );
  for (const { path, mode } of await convertedFiles(repository, unmodified))
    files.push({ path, mode, source: `${top}/${path}` });
  return { files, gone, submodules };
}
