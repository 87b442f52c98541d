import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Git, gitIn } from './git.ts';
import { Refusal } from './refusal.ts';

export interface Repository {
  /** Runs at the top. */
  readonly git: Git;
  /** Absolute directory of the working tree, a character a byte. */
  readonly top: string;
  /** Absolute; a linked working tree has one of its own. */
  readonly gitDirectory: string;
  /** Which of the working trees that share the refs this is: `main`, or `worktrees/<name>` as git calls it. */
  readonly worktree: string;
}

/**
 * The repository that a directory lies in: checkpoints are of its whole working tree.
 *
 * @param directory absolute
 * @throws Refusal where there is none, or none with a working tree
 */
export async function openRepository(directory: string, env: NodeJS.ProcessEnv): Promise<Repository> {
  if (!existsSync(directory)) throw new Refusal(`${directory} does not exist`);
  const git = gitIn(directory, env);
  // Asked for together, they could not be told apart where a path holds a line break.
  const [top, gitDirectory] = await Promise.all([
    lineOf(git(['rev-parse', '--show-toplevel'])),
    lineOf(git(['rev-parse', '--absolute-git-dir'])).then(decoded),
  ]);
  const isLinked = existsSync(join(gitDirectory, 'commondir'));
  return {
    git: gitIn(decoded(top), env),
    top,
    gitDirectory,
    worktree: isLinked ? `worktrees/${basename(gitDirectory)}` : 'main',
  };
}

/** What git leaves in its directory while something is not finished, and how it is ended. */
const UNFINISHED = [
  { mark: 'MERGE_HEAD', what: 'a merge', end: 'git merge --abort' },
  { mark: 'CHERRY_PICK_HEAD', what: 'a cherry-pick', end: 'git cherry-pick --abort' },
  { mark: 'REVERT_HEAD', what: 'a revert', end: 'git revert --abort' },
  { mark: 'rebase-merge', what: 'a rebase', end: 'git rebase --abort' },
  { mark: 'rebase-apply', what: 'a rebase', end: 'git rebase --abort' },
];

/**
 * Half a merge is more than files and an index, and would be mistaken for a whole one.
 *
 * @throws Refusal while git has something to finish here
 */
export function refuseUnfinished({ gitDirectory }: Repository): void {
  const unfinished = UNFINISHED.find(({ mark }) => existsSync(join(gitDirectory, mark)));
  if (unfinished)
    throw new Refusal(
      `${unfinished.what} is in progress: finish it, or end it with \`${unfinished.end}\`, and try again`,
    );
}

/** A single line that git prints; it may hold line breaks itself. */
export async function lineOf(output: Promise<string>): Promise<string> {
  return (await output).slice(0, -1);
}

function decoded(path: string): string {
  return Buffer.from(path, 'latin1').toString();
}
