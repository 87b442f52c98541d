import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { listCheckpoints } from '../../src/checkpoint/store.ts';
import { headLines } from '../../src/messages/checkpoint.ts';
import { created, expectFailure, expectSuccess, restore, restored } from '../helpers/checkpoints.ts';
import { git, gitProject, stateOf, treeOf } from '../helpers/git-project.ts';
import { test } from '../helpers/project.ts';

const IDENTITY = {
  GIT_AUTHOR_NAME: 't',
  GIT_AUTHOR_EMAIL: 't@t',
  GIT_COMMITTER_NAME: 't',
  GIT_COMMITTER_EMAIL: 't@t',
};

describe.concurrent('a restore leaves HEAD where it is', () => {
  test('and counts the commits made since, which `git reset --soft` removes', async ({ makeProject }) => {
    const project = gitProject(makeProject, { a: '1' });
    project.write({ a: '2', new: '2' });
    const then = stateOf(project);
    const checkpoint = await created(project);
    for (const message of ['two', 'three']) git(project, 'commit', '--allow-empty', '--all', '-m', message);
    const head = git(project, 'rev-parse', 'HEAD').trim();
    const { commitsSince, rescue } = await restored(project, checkpoint);

    expect({ commitsSince, head: git(project, 'rev-parse', 'HEAD').trim() }).toEqual({
      commitsSince: 2,
      head,
    });
    expect(rescue.head).toBe(head);
    git(project, 'reset', '--soft', checkpoint.head ?? '');
    expect(stateOf(project)).toEqual(then);
    // The rescue keeps them.
    git(project, 'reflog', 'expire', '--expire=now', '--all');
    git(project, 'gc', '--prune=now', '--quiet');
    expect(git(project, 'cat-file', '-t', head)).toBe('commit\n');
  });

  test('on another branch than then', async ({ makeProject }) => {
    const project = gitProject(makeProject, { a: '1' });
    const then = stateOf(project);
    const checkpoint = await created(project);
    git(project, 'checkout', '--quiet', '-b', 'other');
    project.write({ a: '2' });
    const { rescue, commitsSince } = await restored(project, checkpoint);
    expect([checkpoint.branch, rescue.branch, commitsSince]).toEqual(['main', 'other', 0]);
    expect(stateOf(project)).toEqual(then);
  });

  test('when it is detached', async ({ makeProject }) => {
    const project = gitProject(makeProject, { a: '1' });
    git(project, 'checkout', '--quiet', '--detach');
    const checkpoint = await created(project);
    expect(checkpoint).toMatchObject({ branch: null, head: git(project, 'rev-parse', 'HEAD').trim() });
    project.write({ a: '2' });
    await restored(project, checkpoint);
    expect(project.read('a')).toBe('1');
  });

  test.for([
    { what: 'without an index', add: false },
    { what: 'with an index', add: true },
  ])('before the first commit, $what', async ({ add }, { makeProject }) => {
    const project = makeProject({}, { git: false });
    git(project, 'init');
    project.write({ a: '1' });
    if (add) git(project, 'add', 'a');
    project.write({ a: '2', new: '2' });
    const then = stateOf(project);
    const checkpoint = await created(project);
    expect(checkpoint).toMatchObject({ branch: 'main', head: null, changedFiles: 2 });
    git(project, 'add', '--all');
    git(project, 'commit', '--message=one');
    project.write({ a: '3' });
    const { commitsSince } = await restored(project, checkpoint);
    expect(commitsSince).toBe(1);
    git(project, 'update-ref', '-d', 'HEAD');
    expect(stateOf(project)).toEqual(then);
    expect(git(project, 'fsck', '--strict', '--no-progress', '--no-dangling')).toBe('');
  });
});

const WEIRD = "it's;$(x)";
const COMMITS: { what: string; before?: string; agent: string }[] = [
  { what: 'commits', agent: 'git commit -qam 2' },
  {
    what: 'moves the branch back',
    before: 'git commit -qam 1',
    agent: 'git reset -q --hard HEAD~1',
  },
  { what: 'switches to a new branch', agent: 'git switch -qc other' },
  { what: 'commits on another branch', agent: 'git switch -qc other; git commit -qam 2' },
  {
    what: 'commits on both branches',
    agent: 'git commit -qam 2; git switch -qc other; echo 3 > a; git commit -qam 3',
  },
  {
    what: 'commits files that were staged',
    before: 'git add --all; echo 3 > a',
    agent: 'git switch -qc other; git commit -qam 2',
  },
  { what: 'detaches HEAD and commits', agent: 'git switch -q --detach; git commit -qam 2' },
  { what: 'renames the branch', agent: 'git branch -m other; git commit -qam 2' },
  {
    what: 'renames the branch and commits what was staged',
    before: 'git add --all',
    agent: 'git branch -m other; git commit -qam 2',
  },
  {
    what: 'leaves a detached HEAD',
    before: 'git switch -q --detach; git add --all',
    agent: 'git switch -qc other; git commit -qam 2',
  },
  {
    what: 'leaves a branch whose name has characters of the shell',
    before: `git switch -qc "${WEIRD.replace('$', '\\$')}"`,
    agent: 'git switch -q main; git commit -qam 2',
  },
  {
    what: 'makes the first commit',
    before: 'git update-ref -d HEAD',
    agent: 'git add -A; git commit -qm 1',
  },
  {
    what: 'makes the first commit on another branch',
    before: 'git update-ref -d HEAD',
    agent: 'git switch -q --orphan other; git commit -q --allow-empty -m 1',
  },
];

describe.concurrent('the commands after a restore move HEAD to where it was, when the agent', () => {
  test.for(COMMITS)('$what', async ({ before = 'true', agent }, { makeProject }) => {
    const project = gitProject(makeProject, { a: '1' });
    const sh = (script: string) =>
      execFileSync('/bin/sh', ['-ec', script], {
        cwd: project.root,
        env: { ...project.environment, ...IDENTITY },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    const headOf = () => [
      project.read('.git/HEAD'),
      git(project, 'for-each-ref', '--format=%(objectname)', project.read('.git/HEAD').slice(5).trim()),
    ];
    project.write({ a: '2', new: '2' });
    sh(before);
    const then = { state: stateOf(project), head: headOf() };
    const checkpoint = await created(project);
    sh(agent);
    const printed = headLines(await restored(project, checkpoint));
    sh(printed.flatMap((line) => /^To .*?: (git .*)/.exec(line)?.[1] ?? []).join('\n'));
    expect({ state: stateOf(project), head: headOf() }).toEqual(then);
  });
});

describe.concurrent('two working trees of one repository', () => {
  test('have separate checkpoints', async ({ makeProject }) => {
    const project = gitProject(makeProject, { a: '1' });
    git(project, 'worktree', 'add', '--quiet', '--detach', '../linked tree');
    const linked = { ...project, root: join(project.root, '../linked tree') };
    const [main, other] = [await created(project), await created(linked)];
    expect([main.worktree, other.worktree]).toEqual(['main', 'worktrees/linked-tree']);
    expect(expectSuccess(await listCheckpoints(linked.root, linked.environment))).toEqual([other]);
    expect(expectFailure(await restore(linked, main.id))).toMatch(
      /belongs to another working tree of this repository, main/,
    );
    writeFileSync(join(linked.root, 'a'), '2');
    await restored(linked, other);
    expect(treeOf(linked)).toEqual({ a: 'file 644 1' });
  });
});
