import { lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isInside, readRegularFile, realPathOf } from '../base/files.ts';
import type { Result } from '../base/result.ts';
import { uptimeMs } from '../base/time.ts';
import { asResult, CheckpointError, type Git, gitIn } from '../checkpoint/git.ts';
import { NO_PROGRAMS } from '../checkpoint/git-environment.ts';
import { decodePath, diskPath } from '../checkpoint/paths.ts';
import { isCompared } from '../integrity/paths.ts';
import type { FileChange, ProjectChange } from '../integrity/types.ts';
import { findChangesSince, findMergeBase, type GitLimits } from './changed-files.ts';

// What a change is compared with: a commit, and the files that differed from it when the session began.

/** Plain data, so that it can be kept in a file. */
export interface TreeBase {
  /** The commit that was checked out; null before the first one. */
  readonly commit: string | null;
  /**
   * The files that differed from it, relative to the project, one character per byte: the id of their contents, which git
   * keeps; null if the file was gone.
   */
  readonly files: Readonly<Record<string, string | null>>;
}

/** Files above this size are data. */
const MAX_FILE_BYTES = 1024 * 1024;

/** More changed files than a session changes: another branch was checked out, or a generator ran. */
const MAX_FILES = 3000;

/**
 * Records the present working tree as a base. The contents of the files that differ from the commit are written to git's
 * object store, where they stay for two weeks at least.
 *
 * @returns a failure if there is no repository, or the time is up
 */
export function recordBase(root: string, limits: GitLimits): Promise<Result<TreeBase>> {
  return asResult(async () => {
    const git = gitAt(root, limits);
    const commit = await commitOf(git, 'HEAD');
    const found = await findChangesSince(root, commit, limits);
    if (!found.ok) throw new CheckpointError(found.failure.message);
    const paths = found.value.filter((path) => isCompared(path) && !path.includes('\n')).slice(0, MAX_FILES);
    const there = paths.filter((path) => isSmallFile(root, path));
    const output =
      there.length === 0
        ? ''
        : await git(['hash-object', '-w', '--no-filters', '--stdin-paths'], {
            input: `${there.join('\n')}\n`,
          });
    const ids = output.split('\n');
    const files: [string, string | null][] = paths.map((path) => {
      const index = there.indexOf(path);
      return [path, index === -1 ? null : (ids[index] ?? null)];
    });
    return { commit: commit ?? null, files: Object.fromEntries(files) };
  });
}

/** What changed since a base. */
export interface ChangeSince {
  readonly change: ProjectChange;
  /** What could not be compared, for people. */
  readonly notes: readonly string[];
}

/**
 * Reads what changed between a base and the working tree, as far as it may make tests or checks weaker.
 *
 * @returns a failure if there is no repository, the base is gone, or the time is up
 */
export function changesSince(root: string, base: TreeBase, limits: GitLimits): Promise<Result<ChangeSince>> {
  return asResult(async () => {
    const git = gitAt(root, limits);
    const since = base.commit ?? undefined;
    const found = await findChangesSince(root, since, limits);
    if (!found.ok) throw new CheckpointError(found.failure.message);
    const all = [...new Set([...found.value, ...Object.keys(base.files)])].filter(
      (path) => isCompared(path) && !/[\n\r]/.test(path),
    );
    return {
      change: await changeOf(root, git, base, all.slice(0, MAX_FILES)),
      notes: all.length > MAX_FILES ? [`${all.length - MAX_FILES} changed files were not compared`] : [],
    };
  });
}

/** A base, and what people call it. */
export interface NamedBase {
  readonly tree: TreeBase;
  readonly name: string;
}

/**
 * The base for a command: the named revision; in CI (`CI` is set) the merge base with the default branch; else `HEAD`.
 *
 * @returns a failure if there is no repository, or no such revision
 */
export function baseFor(
  root: string,
  named: string | undefined,
  limits: GitLimits,
): Promise<Result<NamedBase>> {
  return asResult(async () => {
    const git = gitAt(root, limits);
    const at = (commit: string | undefined, name: string) => ({
      tree: { commit: commit ?? null, files: {} },
      name,
    });
    if (named !== undefined) {
      const commit = await commitOf(git, named);
      if (commit === undefined) throw new CheckpointError(`git knows no revision "${named}"`);
      return at(commit, named);
    }
    if (limits.env.CI) {
      const found = await findMergeBase(root, limits);
      if (found.ok && found.value !== undefined)
        return at(found.value, `the merge base (${found.value.slice(0, 9)})`);
    }
    return at(await commitOf(git, 'HEAD'), 'HEAD');
  });
}

/**
 * Reads what changed in a few files between a base and the working tree, without a look at the others.
 *
 * @param paths relative to the project, one character per byte
 * @returns a failure if there is no repository, the base is gone, or the time is up
 */
export function changesIn(
  root: string,
  base: TreeBase,
  paths: readonly string[],
  limits: GitLimits,
): Promise<Result<ProjectChange>> {
  const named = paths.filter((path) => !/[\n\r]/.test(path));
  return asResult(() => changeOf(root, gitAt(root, limits), base, named));
}

async function changeOf(
  root: string,
  git: Git,
  base: TreeBase,
  paths: readonly string[],
): Promise<ProjectChange> {
  const before = await textsInBase(git, base, paths);
  const changes = paths.flatMap((path): FileChange[] => {
    const was = before.get(path);
    const now = textOnDisk(root, decodePath(path));
    const unread = now === undefined ? unreadOnDisk(root, path) : undefined;
    if (was === now && unread === undefined) return [];
    return [{ path: decodePath(path), before: was, after: now, unread }];
  });
  return {
    changes,
    read: (path) => textOnDisk(root, path),
    readLink: (path) => linkOnDisk(root, path),
  };
}

/** Calls git in a project, without the programs that its repository names. */
export function gitAt(root: string, { env, signal, endAt }: GitLimits): Git {
  const run = gitIn(root, env, ['--no-optional-locks', ...NO_PROGRAMS]);
  return (args, call) => run(args, { ...call, signal, timeoutMs: Math.max(0, endAt - uptimeMs()) });
}

/** The commit of a revision; undefined if git knows none. */
export async function commitOf(git: Git, revision: string): Promise<string | undefined> {
  // No revision is written as an option. `--end-of-options` would need git 2.24.
  if (revision.startsWith('-')) return undefined;
  try {
    return (await git(['rev-parse', '--verify', '--quiet', `${revision}^{commit}`])).trim();
  } catch (error) {
    if (error instanceof CheckpointError) return undefined;
    throw error;
  }
}

function isSmallFile(root: string, path: string): boolean {
  try {
    const stats = lstatSync(diskPath(root, path));
    return stats.isFile() && stats.size <= MAX_FILE_BYTES;
  } catch {
    return false;
  }
}

/** @returns undefined for what is no text, is too large, or is outside of the project by a link */
function textOnDisk(root: string, path: string): string | undefined {
  const file = join(root, path);
  try {
    if (!isInside(root, realPathOf(file))) return undefined;
    return asText(readRegularFile(file));
  } catch {
    return undefined;
  }
}

/** Why a file that is there is not read. */
function unreadOnDisk(root: string, path: string): string | undefined {
  const stats = lstatSync(diskPath(root, path), { throwIfNoEntry: false });
  if (!stats?.isFile()) return undefined;
  return stats.size > MAX_FILE_BYTES ? `has more than ${MAX_FILE_BYTES / 1024 / 1024} MB` : 'is no text';
}

/** Where a link leads, as it is written; undefined for anything else. */
function linkOnDisk(root: string, path: string): string | undefined {
  try {
    return readlinkSync(join(root, path));
  } catch {
    return undefined;
  }
}

function asText(text: string | undefined): string | undefined {
  return text === undefined || text.length > MAX_FILE_BYTES || text.includes('\0') ? undefined : text;
}

/** The texts of files in the base; without those that were not there. */
async function textsInBase(
  git: Git,
  { commit, files }: TreeBase,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const wanted = paths.flatMap((path) => {
    const id = Object.hasOwn(files, path) ? files[path] : commit === null ? null : `${commit}:./${path}`;
    return id === null || id === undefined ? [] : [{ path, id }];
  });
  const texts = new Map<string, string>();
  if (wanted.length === 0) return texts;
  const output = await git(['cat-file', '--batch', '--buffer'], {
    input: wanted.map(({ id }) => `${id}\n`).join(''),
  });
  let at = 0;
  for (const { path } of wanted) {
    const end = output.indexOf('\n', at);
    // `<id> blob <size>`, or `<name> missing`
    const [, type, size] = / (blob|tree|commit) (\d+)$/.exec(output.slice(at, end)) ?? [];
    at = end + 1;
    if (type === undefined) continue;
    const length = Number(size);
    if (type === 'blob' && length <= MAX_FILE_BYTES) {
      const text = asText(Buffer.from(output.slice(at, at + length), 'latin1').toString());
      if (text !== undefined) texts.set(path, text);
    }
    at += length + 1;
  }
  return texts;
}
