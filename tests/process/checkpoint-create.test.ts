import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { createCheckpoint } from '../../src/checkpoint/save.ts';
import { listCheckpoints } from '../../src/checkpoint/store.ts';
import { checkpointRefs, create, created, expectSuccess, restored } from '../helpers/checkpoints.ts';
import { git, gitProject, stateOf } from '../helpers/git-project.ts';
import { type MakeProject, type Project, test } from '../helpers/project.ts';

/** One file each: clean, changed, staged, both, not tracked, ignored. */
function mixedProject(makeProject: MakeProject): Project {
  const project = gitProject(makeProject, {
    clean: '1',
    changed: '1',
    staged: '1',
    both: '1',
    gone: '1',
    '.gitignore': '*.log\n',
  });
  project.write({ staged: '2', both: '2', new: 'x', 'a.log': 'ignored' });
  git(project, 'add', 'staged', 'both');
  project.write({ changed: '3', both: '3' });
  rmSync(project.path('gone'));
  return project;
}

describe.concurrent('createCheckpoint', () => {
  test('leaves the index, the files, the stash and the branches unchanged', async ({ makeProject }) => {
    const project = mixedProject(makeProject);
    git(project, 'stash');
    git(project, 'stash', 'apply', '--index');
    // Its status brings the index up to date.
    const state = stateOf(project);
    const look = () => ({
      index: readFileSync(project.path('.git/index'), 'latin1'),
      indexTime: statSync(project.path('.git/index')).mtimeMs,
      refs: git(project, 'for-each-ref', 'refs/heads', 'refs/stash', 'refs/tags'),
      stash: git(project, 'stash', 'list'),
      inGit: readdirSync(project.path('.git')),
      log: project.read('.git/logs/HEAD'),
    });
    const before = look();
    expect((await created(project)).changedFiles).toBe(5);

    expect(look()).toEqual(before);
    expect(stateOf(project)).toEqual(state);
  });

  test('saves all files that are not ignored', async ({ makeProject }) => {
    const project = mixedProject(makeProject);
    const { commit } = await created(project);
    const held = (part: string) =>
      Object.fromEntries(
        git(project, 'ls-tree', '-r', '--name-only', `${commit}:${part}`)
          .split('\n')
          .filter((path) => path !== '' && path !== '.gitignore')
          .map((path) => [path, git(project, 'cat-file', 'blob', `${commit}:${part}/${path}`)]),
      );
    expect(held('worktree')).toEqual({ clean: '1', changed: '3', staged: '2', both: '3', new: 'x' });
    expect(held('staged')).toEqual({ clean: '1', changed: '1', staged: '2', both: '2', gone: '1' });
  });

  test('makes a checkpoint that survives git gc and passes git fsck', async ({ makeProject }) => {
    const project = mixedProject(makeProject);
    const before = stateOf(project);
    const checkpoint = await created(project);
    git(project, 'reset', '--hard');
    git(project, 'reflog', 'expire', '--expire=now', '--all');
    git(project, 'gc', '--prune=now', '--quiet');

    expect(git(project, 'fsck', '--strict', '--no-progress')).toBe('');
    await restored(project, checkpoint);
    expect(stateOf(project)).toEqual(before);
  });

  test('makes a checkpoint that git does not list or push', async ({ makeProject }) => {
    const project = mixedProject(makeProject);
    const lists = () => [
      git(project, 'branch', '--all'),
      git(project, 'tag'),
      git(project, 'stash', 'list'),
      git(project, 'log', '--oneline'),
    ];
    const before = lists();
    await created(project);
    git(project, 'init', '--bare', `${project.home}/remote`);
    git(project, 'push', '--quiet', `${project.home}/remote`, 'main');
    git(project, 'push', '--quiet', '--all', `${project.home}/remote`);

    expect(lists()).toEqual(before);
    expect(git(project, 'ls-remote', `${project.home}/remote`)).not.toContain('ralph');
  });

  test('works while another git process holds the lock of the index', async ({ makeProject }) => {
    const project = mixedProject(makeProject);
    project.write({ '.git/index.lock': '' });
    expect(await create(project)).toHaveProperty('ok', true);
  });

  test('can run eight times at once', async ({ makeProject }) => {
    const project = mixedProject(makeProject);
    const now = new Date();
    const all = await Promise.all(Array.from({ length: 8 }, () => created(project)));
    expect(checkpointRefs(project)).toHaveLength(8);
    const listed = expectSuccess(await listCheckpoints(project.root, project.environment));
    expect(listed).toEqual(all.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
    for (const { createdAt } of all) expect(createdAt.getTime()).toBeGreaterThanOrEqual(now.getTime());
  });

  test('saves the whole repository from any directory in it', async ({ makeProject }) => {
    const project = mixedProject(makeProject);
    mkdirSync(project.path('packages/app'), { recursive: true });
    const before = stateOf(project);
    const checkpoint = await created(project, { directory: project.path('packages/app') });
    project.write({ clean: 'x', 'packages/app/new': '' });
    await restored(project, checkpoint, { directory: project.path('packages') });
    expect(stateOf(project)).toEqual(before);
  });

  test('saves the label on one line in UTF-8, even if git is configured to write another encoding', async ({
    makeProject,
  }) => {
    const project = mixedProject(makeProject);
    git(project, 'config', 'i18n.commitEncoding', 'ISO-8859-1');
    const { root, environment: env } = project;
    const label = ' früher\n\nals {"x"}\t\u0000 ';
    await createCheckpoint(root, { kind: 'loop', label, now: new Date(), env });
    expect(expectSuccess(await listCheckpoints(root, env))).toMatchObject([
      { kind: 'loop', label: 'früher als {"x"}', branch: 'main', worktree: 'main' },
    ]);
    const message = git(
      project,
      '-c',
      'i18n.logOutputEncoding=UTF-8',
      'log',
      '-1',
      '--format=%b',
      ...checkpointRefs(project),
    );
    expect(Buffer.from(message, 'latin1').toString()).toContain('früher');
  });
});

describe.concurrent('a checkpoint is saved and restored in spite of', () => {
  const surroundings: [string, (project: Project) => NodeJS.ProcessEnv][] = [
    ['GIT_DIR of another repository', ({ home }) => ({ GIT_DIR: `${home}/.git`, GIT_WORK_TREE: home })],
    ['the index of a git hook', ({ home }) => ({ GIT_INDEX_FILE: `${home}/index`, GIT_PREFIX: 'x/' })],
    [
      'the objects of a push that is not accepted yet',
      ({ home }) => ({ GIT_OBJECT_DIRECTORY: home, GIT_QUARANTINE_PATH: home }),
    ],
    [
      'the config of an outer git',
      () => ({ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.bare', GIT_CONFIG_VALUE_0: 'true' }),
    ],
    ['another language', () => ({ LC_ALL: 'de_DE.UTF-8', LANGUAGE: 'de', LANG: 'de_DE.UTF-8' })],
  ];
  test.for(surroundings)('%s', async ([, surroundingsOf], { makeProject }) => {
    const project = mixedProject(makeProject);
    const before = stateOf(project);
    const env = { ...project.environment, ...surroundingsOf(project) };
    const checkpoint = await created(project, { env });
    project.write({ clean: 'x', newer: '' });
    await restored(project, checkpoint, { env });
    expect(stateOf(project)).toEqual(before);
  });

  const configs: [string, readonly string[]][] = [
    ['signatures', ['commit.gpgSign', 'true']],
    ['a split index', ['core.splitIndex', 'true']],
    ['an untracked cache', ['core.untrackedCache', 'true']],
    ['hidden untracked files', ['status.showUntrackedFiles', 'no']],
    ['ignored submodules', ['diff.ignoreSubmodules', 'all']],
    ['colours', ['color.ui', 'always']],
    ['reflogs of all refs', ['core.logAllRefUpdates', 'always']],
  ];
  test.for(configs)('a git config with %s', async ([, config], { makeProject }) => {
    const project = mixedProject(makeProject);
    git(project, 'config', ...config);
    git(project, 'update-index', '-q', '--refresh');
    const before = stateOf(project);
    const checkpoint = await created(project);
    project.write({ clean: 'x', newer: '' });
    git(project, 'add', '--all');
    await restored(project, checkpoint);
    expect(stateOf(project)).toEqual(before);
  });

  test('git hooks and a file system monitor, which are not started', async ({ makeProject }) => {
    const project = mixedProject(makeProject);
    for (const hook of [
      'reference-transaction',
      'post-index-change',
      'post-checkout',
      'fsmonitor-watchman',
    ]) {
      mkdirSync(project.path('.git/hooks'), { recursive: true });
      writeFileSync(project.path(`.git/hooks/${hook}`), `#!/bin/sh\ntouch "${project.home}/${hook} ran"\n`);
      chmodSync(project.path(`.git/hooks/${hook}`), 0o755);
    }
    git(project, 'config', 'core.fsmonitor', '.git/hooks/fsmonitor-watchman');
    const checkpoint = await created(project);
    await restored(project, checkpoint);
    expect(readdirSync(project.home)).toEqual([]);
  });
});
