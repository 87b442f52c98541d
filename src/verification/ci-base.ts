import { failure, type Result, success } from '../base/result.ts';
import { uptimeMs } from '../base/time.ts';
import { asResult, CheckpointError, type Git } from '../checkpoint/git.ts';
import { repositoryAround } from '../config/discover.ts';
import { nearestKey } from '../config/validate.ts';
import { DEFAULT_BRANCHES, findMergeBase, type GitLimits } from './changed-files.ts';
import { commitOf, gitAt, type NamedBase } from './tree-base.ts';

/** Longer than any repository needs; git may hang on a network file system. */
const GIT_MS = 60_000;

/**
 * The revision that a CI system says a change is to be merged into. Where GitLab judges the merged result, the target is in
 * a variable of its own: compared with the commit where the branch began, what others have merged since would be a change.
 */
function revisionOfCi({
  GITHUB_BASE_REF: github,
  CI_MERGE_REQUEST_TARGET_BRANCH_SHA: target,
  CI_MERGE_REQUEST_DIFF_BASE_SHA: began,
}: NodeJS.ProcessEnv): string | undefined {
  if (github) return `origin/${github}`;
  return target || began || undefined;
}

/**
 * The base of a run in CI: the merge base of `HEAD` with the named revision, else with the branch that the CI system says
 * the change is merged into, else with the default branch.
 *
 * @param named a revision of git
 * @returns undefined where nothing is to be merged: on the default branch itself, and without a repository. A failure if
 * the base is not in the clone, and if what the CI system has checked out is the base.
 */
export async function ciBaseFor(
  root: string,
  named: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<Result<NamedBase | undefined>> {
  if (named === '') return failure('Empty value for --base, expected a revision of git.');
  const revision = named ?? revisionOfCi(env);
  if (repositoryAround(root) === undefined)
    return revision === undefined
      ? success(undefined)
      : failure(`${root} is not in a git repository: there is no ${revision} to compare with`);
  const limits = { env, endAt: uptimeMs() + GIT_MS };
  if (revision === undefined) return defaultBase(root, limits);
  const base = await baseWith(root, revision, limits);
  if (named !== undefined || !base.ok) return base;
  return asResult(async () => {
    // A pull request without a change does not exist: a job of pull_request_target would pass whatever is to be merged.
    if (base.value.tree.commit === (await commitOf(gitAt(root, limits), 'HEAD')))
      throw new CheckpointError(
        `HEAD is in ${revision} already, so there is no change to judge; check out what is to be merged (pull_request_target checks out the target: use pull_request)`,
      );
    return base.value;
  });
}

async function defaultBase(root: string, limits: GitLimits): Promise<Result<NamedBase | undefined>> {
  const found = await findMergeBase(root, limits);
  if (!found.ok) return found;
  return asResult(async () => {
    const git = gitAt(root, limits);
    const head = await commitOf(git, 'HEAD');
    if (head === undefined) return undefined;
    if (found.value === head) {
      if (!(await hasDefaultBranch(git)) && (await isShallow(git))) throw new CheckpointError(NO_DEFAULT);
      return undefined;
    }
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

const NO_DEFAULT = `the default branch is not in this clone, which is shallow; fetch the history (${IN_CI}), or name a base with --base`;

async function hasDefaultBranch(git: Git): Promise<boolean> {
  return (await git(['for-each-ref', '--format=x', ...DEFAULT_BRANCHES])) !== '';
}

async function unknownRevision(git: Git, revision: string): Promise<CheckpointError> {
  const refs = await git([
    'for-each-ref',
    '--format=%(refname:short)',
    ...['refs/heads', 'refs/remotes', 'refs/tags'],
  ]);
  const names = refs.split('\n').filter(Boolean);
  // A clone has no local branch but the one that is checked out.
  const meant = names.find((name) => name.endsWith(`/${revision}`)) ?? nearestKey(revision, names);
  const first = meant === undefined ? 'check the name, or' : `did you mean "${meant}"? Otherwise`;
  return new CheckpointError(
    `git knows no revision "${revision}": ${first} ${await howToFetch(git, revision)}`,
  );
}

async function howToFetch(git: Git, revision: string): Promise<string> {
  // A clone of one branch fetches no other without the whole refspec.
  const [, remote, branch] = /^([\w.-]+)\/(.+)$/.exec(revision) ?? [];
  const what = remote && branch ? ` ${remote} ${branch}:refs/remotes/${remote}/${branch}` : '';
  return (await isShallow(git))
    ? `fetch it with its history: git fetch --unshallow${what} (${IN_CI})`
    : `fetch it: git fetch${what}`;
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
