import { failure, type Result, success } from '../base/result.ts';
import { uptimeMs } from '../base/time.ts';
import { asResult, CheckpointError, type Git } from '../checkpoint/git.ts';
import { repositoryAround } from '../config/discover.ts';
import { findMergeBase, type GitLimits } from './changed-files.ts';
import { commitOf, gitAt, type NamedBase } from './tree-base.ts';

/** Longer than any repository needs; git may hang on a network file system. */
const GIT_MS = 60_000;

/** The revision that a CI system says a change is to be merged into. */
function revisionOfCi({
  GITHUB_BASE_REF: github,
  CI_MERGE_REQUEST_DIFF_BASE_SHA: gitlab,
}: NodeJS.ProcessEnv): string | undefined {
  if (github) return `origin/${github}`;
  return gitlab || undefined;
}

/**
 * The base of a run in CI: the merge base of `HEAD` with the named revision, else with the branch that the CI system says
 * the change is merged into, else with the default branch.
 *
 * @param named a revision of git
 * @returns undefined where nothing is to be merged: on the default branch itself, and without a repository. A failure if
 * the base is not in the clone.
 */
export async function ciBaseFor(
  root: string,
  named: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<Result<NamedBase | undefined>> {
  const revision = named ?? revisionOfCi(env);
  if (repositoryAround(root) === undefined)
    return revision === undefined
      ? success(undefined)
      : failure(`${root} is not in a git repository: there is no ${revision} to compare with`);
  const limits = { env, endAt: uptimeMs() + GIT_MS };
  return revision === undefined ? defaultBase(root, limits) : baseWith(root, revision, limits);
}

async function defaultBase(root: string, limits: GitLimits): Promise<Result<NamedBase | undefined>> {
  const found = await findMergeBase(root, limits);
  if (!found.ok) return found;
  return asResult(async () => {
    const git = gitAt(root, limits);
    const head = await commitOf(git, 'HEAD');
    if (head === undefined || found.value === head) return undefined;
    if (found.value === undefined) throw await noCommonCommit(git, 'the default branch');
    return namedBase(found.value, 'the default branch');
  });
}

function baseWith(root: string, revision: string, limits: GitLimits): Promise<Result<NamedBase>> {
  return asResult(async () => {
    const git = gitAt(root, limits);
    // Says why, where git refuses the repository.
    await git(['rev-parse', '--git-dir']);
    const commit = await commitOf(git, revision);
    if (commit === undefined) throw await unknownRevision(git, revision);
    const base = await git(['merge-base', 'HEAD', commit]).catch(() => '');
    if (base === '') throw await noCommonCommit(git, revision);
    return namedBase(base.trim(), revision);
  });
}

function namedBase(commit: string, revision: string): NamedBase {
  return {
    tree: { commit, files: {} },
    name: `the merge base with ${revision} (${commit.slice(0, 9)})`,
  };
}

const IN_CI = 'actions/checkout: fetch-depth: 0; GitLab: GIT_DEPTH: 0';

async function unknownRevision(git: Git, revision: string): Promise<CheckpointError> {
  // A clone of one branch fetches no other without the whole refspec.
  const [, remote, branch] = /^([\w.-]+)\/(.+)$/.exec(revision) ?? [];
  const what = remote && branch ? ` ${remote} ${branch}:refs/remotes/${remote}/${branch}` : '';
  const how = (await isShallow(git))
    ? `fetch it with its history: git fetch --unshallow${what} (${IN_CI})`
    : `fetch it: git fetch${what}`;
  return new CheckpointError(`git knows no revision "${revision}": check the name, or ${how}`);
}

async function noCommonCommit(git: Git, revision: string): Promise<CheckpointError> {
  const what = `HEAD and ${revision} have no commit in common`;
  return new CheckpointError(
    (await isShallow(git))
      ? `${what} in this clone, which is shallow; fetch the history: git fetch --unshallow (${IN_CI})`
      : what,
  );
}

async function isShallow(git: Git): Promise<boolean> {
  return (await git(['rev-parse', '--is-shallow-repository'])).trim() === 'true';
}
