import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isInside, realPathOf } from '../base/files.ts';
import type { Result } from '../base/result.ts';
import { uptimeMs } from '../base/time.ts';
import { asResult, CheckpointError, type Git, gitIn, lineOf } from '../checkpoint/git.ts';
import { NO_PROGRAMS, WITHOUT_OWN_FILES, withoutFilters } from '../checkpoint/git-environment.ts';
import { decodePath, diskPath, encodePath } from '../checkpoint/paths.ts';
import { SUBMODULE } from '../checkpoint/working-tree.ts';

/** The changes of a working tree since its base. */
export interface Changes {
  /**
   * The files that differ from the base, deleted ones too, and both names of renamed ones: relative to the project, one
   * character per byte, sorted.
   */
  readonly paths: readonly string[];
  /** The commit that is checked out; undefined before the first one. */
  readonly head: string | undefined;
}

export interface GitLimits {
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
  /** For all calls of git together, on the clock of `uptimeMs()`. */
  readonly endAt: number;
}

/**
 * Finds the files that differ between the base and the working tree, without those that git ignores. The base is the merge
 * base with the default branch. If that is HEAD, it is the commit that was checked last instead, so that neither a commit
 * to the default branch nor a push hides a change from the gates. Without a base, every file has changed.
 *
 * No program runs that the repository names: neither a file system monitor nor a filter.
 *
 * @param root absolute directory of the project, without symbolic links
 * @param checked the commit that was checked last
 * @returns a failure if there is no repository, git ignores the project, or the time is up
 */
export function findChanges(
  root: string,
  checked: string | undefined,
  limits: GitLimits,
): Promise<Result<Changes>> {
  return asResult(async () => {
    const tree = await openTree(root, limits);
    const { head } = tree;
    const base = head === undefined ? undefined : await baseOf(tree, head, checked);
    const paths = await changedIn(tree, base, { limits, depth: 0 });
    return { paths: [...new Set(paths)].toSorted(), head };
  });
}

/**
 * Finds the files that differ between a commit and the working tree.
 *
 * @param base a commit that is there; undefined for all files
 * @returns their paths in the form of `Changes`; a failure as of `findChanges`
 */
export function findChangesSince(
  root: string,
  base: string | undefined,
  limits: GitLimits,
): Promise<Result<readonly string[]>> {
  return asResult(async () => {
    const paths = await changedIn(await openTree(root, limits), base, { limits, depth: 0 });
    return [...new Set(paths)].toSorted();
  });
}

/**
 * The merge base of the working tree with the default branch.
 *
 * @returns undefined before the first commit, or if the histories have no commit in common
 */
export function findMergeBase(root: string, limits: GitLimits): Promise<Result<string | undefined>> {
  return asResult(async () => {
    const tree = await openTree(root, limits);
    return tree.head === undefined ? undefined : baseOf(tree, tree.head, undefined);
  });
}

/**
 * The files of the project, without those that git ignores.
 *
 * @returns their paths in the form of `Changes`; a failure as of `findChanges`
 */
export function listFiles(root: string, limits: GitLimits): Promise<Result<readonly string[]>> {
  return asResult(async () => changedIn(await openTree(root, limits), undefined, { limits, depth: 0 }));
}

/** A directory of a working tree, with the calls of git in it. */
interface Tree {
  /** Absolute. */
  readonly directory: string;
  /** Absolute directory of the whole working tree. */
  readonly top: string;
  /** The commit that is checked out; undefined before the first one. */
  readonly head: string | undefined;
  readonly git: Git;
  /** The output of a call; undefined if git fails, as it does for what it does not find. */
  attempt(args: readonly string[]): Promise<string | undefined>;
}

/** @throws CheckpointError if there is no repository, or it ignores the directory */
async function openTree(directory: string, { env, signal, endAt }: GitLimits): Promise<Tree> {
  const args = ['--no-optional-locks', ...NO_PROGRAMS];
  const run = gitIn(directory, env, args);
  const call: Git = (command, more) =>
    run(command, { ...more, signal, timeoutMs: Math.max(0, endAt - uptimeMs()) });
  const attempt = async (git: Git, command: readonly string[]) => {
    try {
      return await git(command);
    } catch (error) {
      // That there was no time is not an answer.
      if (!(error instanceof CheckpointError) || signal?.aborted || uptimeMs() >= endAt) throw error;
      return undefined;
    }
  };
  const [top, head, filters] = await Promise.all([
    lineOf(call(['rev-parse', '--show-toplevel'])).then(decodePath),
    attempt(call, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']),
    attempt(call, ['config', '-z', '--name-only', '--get-regexp', '^filter[.]']),
  ]);
  const added = withoutFilters((filters ?? '').split('\0').filter(Boolean));
  const git: Git = (command) => call(command, { env: added });
  if (top !== directory && (await attempt(git, ['check-ignore', '--quiet', '.'])) !== undefined)
    throw new CheckpointError(`git ignores ${directory}`);
  return { directory, top, head: head?.trim(), git, attempt: (command) => attempt(git, command) };
}

/** The refs that may name the default branch, the best first. */
export const DEFAULT_BRANCHES = [
  'refs/remotes/origin/HEAD',
  'refs/remotes/origin/main',
  'refs/remotes/origin/master',
  'refs/heads/main',
  'refs/heads/master',
];

/** @returns undefined if the histories have no commit in common, as in a shallow clone */
async function baseOf({ git, attempt }: Tree, head: string, checked: string | undefined) {
  const output = await git(['for-each-ref', '--format=%(refname) %(objectname)', ...DEFAULT_BRANCHES]);
  const refs = new Map(output.split('\n').map((line) => line.split(' ') as [string, string]));
  const tip = DEFAULT_BRANCHES.map((name) => refs.get(name)).find(Boolean) ?? head;
  const mergeBase = async (id: string) =>
    id === head ? head : (await attempt(['merge-base', head, id]))?.trim();
  const base = await mergeBase(tip);
  if (base !== head || checked === undefined) return base;
  const isThere = (await attempt(['cat-file', '-e', `${checked}^{commit}`])) !== undefined;
  return isThere ? mergeBase(checked) : base;
}

interface Search {
  readonly limits: GitLimits;
  /** The number of repositories around this one. */
  readonly depth: number;
}

/** Submodules of submodules; more of them are not looked at. */
const MAX_DEPTH = 5;

/**
 * The paths that differ from a commit, relative to the directory of the tree.
 *
 * @param base undefined for all files
 */
async function changedIn(tree: Tree, base: string | undefined, search: Search): Promise<string[]> {
  const { changed, others } = base === undefined ? await allFiles(tree) : await differing(tree, base);
  const paths = [...changed.map(({ path }) => path), ...others];
  if (search.depth === MAX_DEPTH) return paths;
  const submodules = (await submodulesOf(tree)).map((path) => ({
    path,
    base: base && innerBase(changed.find((entry) => entry.path === path)),
  }));
  // Git lists a repository that is no submodule as a directory.
  const nested = others.filter((path) => path.endsWith('/')).map((path) => ({ path, base: undefined }));
  for (const { path, base: since } of [...submodules, ...nested])
    paths.push(...(await changedBelow(tree, path.replace(/\/$/, ''), since, search)));
  return paths;
}

interface Listing {
  /** The tracked files that differ, with the mode and the id that they have in the base. */
  readonly changed: readonly { readonly path: string; readonly mode: string; readonly id: string }[];
  /** Files, and repositories with a slash at the end. */
  readonly others: readonly string[];
}

async function allFiles({ git }: Tree): Promise<Listing> {
  const output = await git([...LIST, '--', ...WITHOUT_OWN_FILES]);
  return { changed: [], others: output.split('\0').filter(Boolean) };
}

const LIST = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];

/** `git diff` would write to the index. */
async function differing({ git, head, directory, top }: Tree, base: string): Promise<Listing> {
  const [committed, status, flags] = await Promise.all([
    head === base ? '' : git([...DIFF, base, 'HEAD', '--', ...WITHOUT_OWN_FILES]),
    git([...STATUS, '--', ...WITHOUT_OWN_FILES]),
    git([...FLAGS, '--', ...WITHOUT_OWN_FILES]),
  ]);
  // The paths of a status are relative to the top.
  const prefix = relative(top, directory);
  const length = prefix === '' ? 0 : Buffer.byteLength(`${prefix}/`);
  const entries = [...status.matchAll(STATUS_ENTRY)].map(([, mode = '', id = '', path = '']) => ({
    path: path.slice(length),
    mode,
    id,
  }));
  return {
    changed: [...parseDiff(committed), ...entries.filter(({ mode }) => mode !== '')],
    others: [
      ...entries.filter(({ mode }) => mode === '').map(({ path }) => path),
      ...unwatched(flags).filter((path) => existsSync(diskPath(directory, path))),
    ],
  };
}

const FLAGS = ['ls-files', '-z', '-v'];

/** The files that git does not compare with the disk: assume-unchanged, or skip-worktree as in a sparse checkout. */
function unwatched(output: string): string[] {
  return [...output.matchAll(/(?<![^\0])(?:S|[a-z]) ([^\0]+)\0/g)].map(([, path = '']) => path);
}

const DIFF = ['diff-tree', '-r', '--raw', '-z', '--no-renames', '--relative'];
/** Dirty submodules are looked at one by one: git would run there itself, where other settings apply. */
const STATUS = [
  'status',
  '--porcelain=v2',
  '-z',
  '--no-renames',
  '--untracked-files=all',
  '--ignore-submodules=dirty',
];

/** `1 <XY> <sub> <modes of HEAD, index, disk> <ids of HEAD, index> <path>`, one more of both for `u`, or `? <path>`. */
const STATUS_ENTRY =
  /(?:(?:1 \S+ \S+ (\d+) \d+ \d+ (\w+) \w+|u \S+ \S+ \d+ \d+ \d+ \d+ \w+ \w+ \w+)|[?]) ([^\0]+)\0/g;

/** @param output repetitions of `:<mode> <mode> <id> <id> <status>\0<path>\0` */
function parseDiff(output: string): Listing['changed'] {
  return [...output.matchAll(/:(\d+) \d+ (\w+) \w+ \w+\0([^\0]+)\0/g)].map(
    ([, mode = '', id = '', path = '']) => ({ path, mode, id }),
  );
}

/** The commit since which the files of a submodule have changed; undefined if it is new. */
function innerBase(entry: Listing['changed'][number] | undefined): string | undefined {
  if (entry === undefined) return 'HEAD';
  return entry.mode === SUBMODULE ? entry.id : undefined;
}

/** The paths of the submodules, relative to the directory of the tree, those outside of it left out. */
async function submodulesOf({ attempt, directory, top }: Tree): Promise<string[]> {
  const file = join(top, '.gitmodules');
  if (!existsSync(file)) return [];
  const output = await attempt(['config', '-z', '-f', file, '--get-regexp', '^submodule[.].*[.]path$']);
  const prefix = encodePath(relative(top, directory));
  // Name and value are on two lines.
  const paths = (output ?? '').split('\0').flatMap((record) => /\n(.+)$/s.exec(record)?.[1] ?? []);
  if (prefix === '') return paths;
  return paths.flatMap((path) => (path.startsWith(`${prefix}/`) ? [path.slice(prefix.length + 1)] : []));
}

/** The changed paths of a repository inside of a tree; none where there is no such repository. */
async function changedBelow(
  { directory }: Tree,
  path: string,
  base: string | undefined,
  { limits, depth }: Search,
): Promise<string[]> {
  const real = realPathOf(directory);
  const inner = realPathOf(join(real, decodePath(path)));
  if (inner === real || !isInside(real, inner) || !existsSync(join(inner, '.git'))) return [];
  const tree = await openTree(inner, limits);
  const since = base === 'HEAD' ? tree.head : base;
  const paths = await changedIn(tree, since, { limits, depth: depth + 1 });
  return paths.map((each) => `${path}/${each}`);
}
