import { readdirSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { readFileIfExists, realPathOf } from '../base/files.ts';
import { findProject, repositoryAround } from '../config/discover.ts';

/** A working tree of a repository that has a project with gates. */
export interface Worktree {
  /** The name of its directory. */
  readonly name: string;
  /** Null without one. */
  readonly branch: string | null;
  /** Absolute directory of the project in it. */
  readonly root: string;
}

/**
 * The working trees of the repository around a project, the main one first; empty for a repository with one. Git's files are
 * read, because the board asks for them at each change.
 */
export function readWorktrees(root: string): Worktree[] {
  const here = repositoryAround(root);
  const git = here === undefined ? undefined : commonDirectory(here);
  if (here === undefined || git === undefined) return [];
  const linked = namesIn(join(git, 'worktrees')).flatMap((name) => {
    const directory = join(git, 'worktrees', name);
    const file = textIn(join(directory, 'gitdir'));
    return file === undefined ? [] : [{ directory, tree: dirname(resolve(directory, file)) }];
  });
  if (linked.length === 0) return [];
  const main = basename(git) === '.git' ? [{ directory: git, tree: dirname(git) }] : [];
  const inside = relative(here, root);
  return [...main, ...linked].flatMap(({ directory, tree }) => {
    const found = findProject(join(realPathOf(tree), inside));
    if (!found.ok || found.value.root !== join(realPathOf(tree), inside)) return [];
    const [, branch = null] = /^ref: refs\/heads\/(.+)$/.exec(textIn(join(directory, 'HEAD')) ?? '') ?? [];
    return [{ name: basename(tree), branch, root: found.value.root }];
  });
}

/** The directory that the working trees of a repository share. */
function commonDirectory(repository: string): string | undefined {
  const [, linked] = /^gitdir: (.+)\/worktrees\/[^/]+$/.exec(textIn(join(repository, '.git')) ?? '') ?? [];
  return realPathOf(linked ?? join(repository, '.git'));
}

/** The text of a short file of git; undefined if it cannot be read, as a directory. */
function textIn(path: string): string | undefined {
  try {
    return readFileIfExists(path)?.trim();
  } catch {
    return undefined;
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).toSorted();
  } catch {
    return [];
  }
}
