import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import type { Repository } from './git.ts';
import { diskPath, displayPath, isRalphState, lstatIn } from './paths.ts';

// How the working tree differs from the index: what git reports, and what git does not.

/** The result of `git status`. */
interface GitStatus {
  /** Null before the first commit. */
  readonly head: string | null;
  /** Null when HEAD is detached. */
  readonly branch: string | null;
  /** Tracked files that differ between the disk and the index. */
  readonly changed: readonly string[];
  readonly untracked: readonly string[];
  /** Files, and directories with a slash at the end. */
  readonly ignored: readonly string[];
  /** Repositories that are not submodules, with a slash at the end. */
  readonly nested: readonly string[];
  /** How many files differ from HEAD. */
  readonly differing: number;
  /** Why the working tree cannot be saved; undefined when it can. */
  readonly problem: string | undefined;
}

/** Prints the status in the form that `parseStatus` reads. */
export const STATUS_ARGS = [
  'status',
  '--porcelain=v2',
  '-z',
  '--branch',
  '--no-ahead-behind',
  '--no-renames',
  '--untracked-files=all',
  '--ignored=matching',
  '--ignore-submodules=none',
];

export function parseStatus(output: string): GitStatus {
  const lines = output.split('\0');
  const header = (name: string) =>
    lines.find((line) => line.startsWith(`# ${name} `))?.slice(`# ${name} `.length) ?? '';
  const entries = lines.flatMap(parseStatusEntry);
  const pathsOf = (kind: string) => entries.flatMap((entry) => (entry.kind === kind ? [entry.path] : []));
  const untracked = pathsOf('?');
  const [oid, branch] = [header('branch.oid'), header('branch.head')];
  return {
    head: oid === '(initial)' ? null : oid,
    branch: branch === '(detached)' ? null : Buffer.from(branch, 'latin1').toString(),
    changed: entries.flatMap(({ kind, status, path }) => (kind === '1' && status[1] !== '.' ? [path] : [])),
    untracked: untracked.filter((path) => !path.endsWith('/')),
    ignored: pathsOf('!'),
    nested: untracked.filter((path) => path.endsWith('/')),
    differing: entries.filter(({ kind }) => kind !== '!').length,
    problem: entries.map(problemOf).find((problem) => problem !== undefined),
  };
}

/** The number of fields before the path, by the first letter: tracked, unmerged, untracked, ignored. */
const FIELDS_BEFORE_PATH: Readonly<Record<string, number>> = { '1': 8, u: 10, '?': 1, '!': 1 };

interface StatusEntry {
  readonly kind: string;
  /** Two letters: the change from HEAD to the index, and from the index to the disk; `.` is none. */
  readonly status: string;
  /** `S` and three letters for a submodule: another commit, changed files, untracked files. */
  readonly submodule: string;
  readonly path: string;
}

function parseStatusEntry(line: string): StatusEntry[] {
  const fields = line.split(' ');
  const [kind = '', status = '', submodule = ''] = fields;
  const count = FIELDS_BEFORE_PATH[kind];
  if (count === undefined) return [];
  const path = fields.slice(count).join(' ');
  return isRalphState(path) ? [] : [{ kind, status, submodule, path }];
}

function problemOf({ kind, submodule, path }: StatusEntry): string | undefined {
  if (kind === 'u') return `${displayPath(path)} is not merged: resolve it, \`git add\` it, and try again`;
  if (kind !== '1' || !/^S.(?:M|.U)/.test(submodule)) return undefined;
  return `the submodule ${displayPath(path)} has uncommitted changes, which a checkpoint cannot hold: commit or stash them in the submodule, and try again`;
}

/** An entry of the index. */
interface TrackedFile {
  readonly path: string;
  /** As git writes it, such as `REGULAR`. */
  readonly mode: string;
  readonly blob: string;
  /** Git does not compare it with the disk: assume-unchanged, or skip-worktree as in a sparse checkout. */
  readonly isUnwatched: boolean;
}

const REGULAR = '100644';
export const EXECUTABLE = '100755';
export const SYMLINK = '120000';
export const SUBMODULE = '160000';

/** Prints the index in the form that `parseTracked` reads. */
export const TRACKED_ARGS = ['ls-files', '-s', '-v', '-z'];

export function parseTracked(output: string): TrackedFile[] {
  return output
    .split('\0')
    .filter(Boolean)
    .map((line) => {
      // `H 100644 <blob> 0\t<path>`; the letter of unwatched files is not H.
      const tab = line.indexOf('\t');
      const [tag = '', mode = '', blob = ''] = line.slice(0, tab).split(' ');
      return { path: line.slice(tab + 1), mode, blob, isUnwatched: tag !== 'H' };
    });
}

/** The absolute path of a file, one character per byte, or the bytes themselves. */
export type BlobSource = string | Buffer;

/** How the disk differs from the index. */
export interface DiskChanges {
  /** Files whose bytes git does not have, or not as they are on disk. */
  readonly files: readonly { readonly path: string; readonly mode: string; readonly source: BlobSource }[];
  /** Index entries without a file that is saved. */
  readonly removed: readonly string[];
  /** Submodules that are at another commit. */
  readonly submodules: readonly string[];
}

/** @param alsoSaved paths whose files are saved even if git ignores them */
export async function findDiskChanges(
  repository: Repository,
  status: GitStatus,
  index: readonly TrackedFile[],
  alsoSaved: readonly string[],
): Promise<DiskChanges> {
  const { top } = repository;
  const lstat = lstatIn(top);
  const tracked = index.filter(({ path }) => !isRalphState(path));
  const submodulePaths = new Set(tracked.flatMap(({ path, mode }) => (mode === SUBMODULE ? [path] : [])));
  const known = new Set([...tracked.map(({ path }) => path), ...status.untracked]);
  const candidates = new Set([
    ...status.changed,
    ...status.untracked,
    // Git reports these as they are in the index.
    ...tracked.flatMap(({ path, mode, isUnwatched }) => (isUnwatched && mode !== SUBMODULE ? [path] : [])),
    ...alsoSaved.filter((path) => !known.has(path)),
  ]);
  const files: DiskChanges['files'][number][] = [];
  const removed = index.flatMap(({ path }) => (isRalphState(path) ? [path] : []));
  const submodules: string[] = [];
  for (const path of candidates) {
    const stats = lstat(path);
    if (stats?.isFile())
      files.push({ path, mode: stats.mode & 0o100 ? EXECUTABLE : REGULAR, source: `${top}/${path}` });
    else if (stats?.isSymbolicLink())
      files.push({ path, mode: SYMLINK, source: readlinkSync(diskPath(top, path), { encoding: 'buffer' }) });
    else if (stats?.isDirectory() && submodulePaths.has(path)) submodules.push(path);
    else removed.push(path);
  }
  const unmodified = tracked.filter(
    ({ path, mode }) => (mode === REGULAR || mode === EXECUTABLE) && !candidates.has(path),
  );
  for (const { path, mode } of await findConvertedFiles(repository, unmodified))
    files.push({ path, mode, source: `${top}/${path}` });
  return { files, removed, submodules };
}

/** Attributes with which the bytes on disk and in git may differ although their number is the same. */
const SIZE_KEEPING_ATTRIBUTES = new Set(['filter', 'working-tree-encoding']);

/**
 * Unmodified files whose bytes on disk differ from those in git. The conversion of line ends and of `$Id$` always makes a
 * file shorter in git, so the sizes differ; a filter, as that of LFS, can do anything.
 *
 * @param files unmodified and regular
 */
async function findConvertedFiles(
  { git, top }: Repository,
  files: readonly TrackedFile[],
): Promise<TrackedFile[]> {
  if (files.length === 0) return [];
  const [sizes, attributes] = await Promise.all([
    git(['cat-file', '--batch-check=%(objectsize)'], {
      input: files.map(({ blob }) => `${blob}\n`).join(''),
    }),
    git(['check-attr', '-z', '-a', '--stdin'], { input: files.map(({ path }) => `${path}\0`).join('') }),
  ]);
  const gitSizes = sizes.split('\n');
  const filtered = pathsWith(SIZE_KEEPING_ATTRIBUTES, attributes);
  return files.filter(
    ({ path }, index) =>
      filtered.has(path) || String(lstatSync(diskPath(top, path)).size) !== gitSizes[index],
  );
}

/** @param attributes repetitions of `<path>\0<name>\0<value>\0` */
function pathsWith(names: ReadonlySet<string>, attributes: string): Set<string> {
  const fields = attributes.split('\0');
  const paths = new Set<string>();
  for (let at = 0; at + 2 < fields.length; at += 3)
    if (names.has(fields[at + 1] ?? '') && fields[at + 2] !== 'unset') paths.add(fields[at] ?? '');
  return paths;
}

/** Directories that git does not record. */
interface UnrecordedDirectories {
  /** They contain nothing, or only entries that are not saved. */
  readonly empty: readonly string[];
  /** Their entries cannot be listed, so nothing in them is saved. */
  readonly unreadable: readonly string[];
}

/** @param unsaved files that are not saved, and directories that are not searched, with or without a slash at the end */
export function findUnrecordedDirectories(top: string, unsaved: readonly string[]): UnrecordedDirectories {
  const skipped = new Set(unsaved.map((path) => path.replace(/\/$/, '')));
  const empty: string[] = [];
  const unreadable: string[] = [];
  const walk = (directory: string): void => {
    const entries = listEntries(top, directory);
    if (entries === undefined) {
      unreadable.push(directory);
      return;
    }
    const saved = entries.filter(
      ({ name, path }) => name !== '.git' && !skipped.has(path) && !isRalphState(path),
    );
    if (saved.length === 0 && directory !== '') empty.push(directory);
    for (const { path, isDirectory } of saved) if (isDirectory) walk(path);
  };
  walk('');
  return { empty, unreadable };
}

/** @returns undefined when access is denied */
function listEntries(top: string, directory: string) {
  try {
    const entries = readdirSync(diskPath(top, directory), { withFileTypes: true, encoding: 'latin1' });
    const prefix = directory === '' ? '' : `${directory}/`;
    return entries.map((entry) => ({
      name: entry.name,
      path: prefix + entry.name,
      isDirectory: entry.isDirectory(),
    }));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM') return undefined;
    throw error;
  }
}
