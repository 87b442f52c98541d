import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { uptimeMs } from '../../src/base/time.ts';
import { findChanges, listFiles } from '../../src/verification/changed-files.ts';
import { bytes, git, gitProject } from '../helpers/git-project.ts';
import { type Files, type MakeProject, type Project, test } from '../helpers/project.ts';

const limits = ({ environment: env }: Project, seconds = 60) => ({ env, endAt: uptimeMs() + seconds * 1000 });

/** The changed paths; the message where they are not known. */
async function changesIn(project: Project, { checked = '', directory = project.root } = {}) {
  const found = await findChanges(directory, checked || undefined, limits(project));
  return found.ok ? found.value.paths : found.failure.message;
}

function commitAll(project: Project, ...args: readonly string[]): string {
  git(project, 'add', '--all');
  git(project, 'commit', '--allow-empty', '--message=more', ...args);
  return git(project, 'rev-parse', 'HEAD').trim();
}

const FILES: Files = { 'a.txt': 'a', 'src/b.txt': 'b', '.gitignore': 'ignored\n' };

function repository(makeProject: MakeProject, more: Files = {}): Project {
  return gitProject(makeProject, { ...FILES, ...more });
}

/** A repository whose branch `work` has one commit more than `main`. */
function branched(makeProject: MakeProject): Project {
  const project = repository(makeProject);
  git(project, 'checkout', '-b', 'work');
  project.write({ 'c.txt': 'c' });
  commitAll(project);
  return project;
}

/** Makes the present commit that of `origin/main`, as a clone or a push does. */
function push(project: Project): void {
  git(project, 'update-ref', 'refs/remotes/origin/main', 'HEAD');
  git(project, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
}

describe.concurrent('the changed files are', () => {
  test.for<readonly [what: string, change: (project: Project) => void, changed: readonly string[]]>([
    ['none in a clean tree', () => {}, []],
    ['a file that is not staged', (project) => project.write({ 'a.txt': 'x' }), ['a.txt']],
    [
      'a file that is staged',
      (project) => {
        project.write({ 'a.txt': 'x' });
        git(project, 'add', '--all');
      },
      ['a.txt'],
    ],
    ['an untracked file', (project) => project.write({ 'src/new': '' }), ['src/new']],
    ['an untracked file in a new directory', (project) => project.write({ 'n/e/w': '' }), ['n/e/w']],
    ['no ignored file', (project) => project.write({ ignored: '' }), []],
    ['a deleted file', (project) => rmSync(project.path('a.txt')), ['a.txt']],
    [
      'both names of a file that is moved',
      (project) => git(project, 'mv', 'src/b.txt', 'b.txt'),
      ['b.txt', 'src/b.txt'],
    ],
    ['a file that git forgets', (project) => git(project, 'rm', '--cached', 'a.txt'), ['a.txt']],
    ['a file with another mode', (project) => chmodSync(project.path('a.txt'), 0o755), ['a.txt']],
    ['no file whose time alone has changed', (project) => utimesSync(project.path('a.txt'), 1, 1), []],
    [
      'a file that became a link',
      (project) => {
        rmSync(project.path('a.txt'));
        symlinkSync('src', project.path('a.txt'));
      },
      ['a.txt'],
    ],
    [
      'files with any names',
      (project) => {
        for (const name of [' a', '"', "'", '-x', '$(x)', 'a\nb', '\xfc', 'caf\xe9', '*', 'tab\t'])
          writeFileSync(bytes(project.root, name), '');
      },
      [' a', '"', '$(x)', "'", '*', '-x', 'a\nb', 'caf\xe9', 'tab\t', '\xfc'],
    ],
    ...['--assume-unchanged', '--skip-worktree'].map(
      (flag) =>
        [
          `a file that git does not look at, by ${flag}`,
          (project: Project) => {
            git(project, 'update-index', flag, 'src/b.txt');
            project.write({ 'src/b.txt': 'x' });
          },
          ['src/b.txt'],
        ] as const,
    ),
    [
      'no file that is left out of a sparse checkout',
      (project) => {
        git(project, 'sparse-checkout', 'set', '--no-cone', '/*', '!/src/');
        expect(project.has('src/b.txt')).toBe(false);
      },
      [],
    ],
    [
      'a file that is not merged',
      (project) => {
        git(project, 'checkout', '-b', 'one');
        project.write({ 'a.txt': 'one' });
        commitAll(project);
        git(project, 'checkout', '-b', 'two', 'main');
        project.write({ 'a.txt': 'two' });
        commitAll(project);
        expect(() => git(project, 'merge', 'one')).toThrow();
      },
      ['a.txt'],
    ],
    [
      'none of those that ralph-loop and Trellis write',
      (project) =>
        project.write({
          '.trellis/.ralph-state.json': '{}',
          'web/.trellis/.ralph/log.jsonl': '',
          '.trellis/tasks/t/task.json': '{}',
          'gate-results-1.json': '{}',
        }),
      [],
    ],
    [
      'those that differ although the user wants relative paths and renames',
      (project) => {
        for (const [key, value] of [
          ['diff.relative', 'true'],
          ['diff.renames', 'copies'],
          ['diff.noprefix', 'true'],
          ['status.showUntrackedFiles', 'no'],
        ])
          git(project, 'config', key ?? '', value ?? '');
        renameSync(project.path('a.txt'), project.path('z.txt'));
      },
      ['a.txt', 'z.txt'],
    ],
    [
      'those in a repository that is no submodule',
      (project) => {
        mkdirSync(project.path('nested'));
        git(project, '-C', 'nested', 'init', '--template=');
        project.write({ 'nested/x.js': '', 'nested/y.js': '' });
        git(project, '-C', 'nested', 'add', 'x.js');
        git(project, '-C', 'nested', 'commit', '--message=x');
      },
      ['nested/', 'nested/x.js', 'nested/y.js'],
    ],
  ])('%s', async ([, change, changed], { makeProject }) => {
    const project = repository(makeProject);
    change(project);

    expect(await changesIn(project)).toEqual(changed);
  });

  test('all files before the first commit', async ({ makeProject }) => {
    const project = makeProject(FILES, { git: false });
    git(project, 'init', '--template=');
    git(project, 'add', 'a.txt');

    expect(await changesIn(project)).toEqual(['.gitignore', 'a.txt', 'src/b.txt']);
  });

  test('10,000 files', async ({ makeProject }) => {
    const project = repository(makeProject);
    const names = Array.from({ length: 10_000 }, (_, n) => `src/${'long-directory-name/'.repeat(4)}${n}.js`);
    project.write(Object.fromEntries(names.map((name) => [name, ''])));

    expect(await changesIn(project)).toEqual(names.toSorted());
  });

  test('relative to a project below the top, and only in it', async ({ makeProject }) => {
    const project = repository(makeProject, { 'web/a.js': '', 'web/lib/b.js': '' });
    project.write({ 'a.txt': 'x', 'web/a.js': 'x', 'web/new.js': '', 'api/new.py': '' });
    renameSync(project.path('web/lib/b.js'), project.path('b.js'));

    expect(await changesIn(project, { directory: project.path('web') })).toEqual([
      'a.js',
      'lib/b.js',
      'new.js',
    ]);
  });

  test('those of the working tree that the project is in', async ({ makeProject }) => {
    const project = branched(makeProject);
    const directory = `${project.home}/linked`;
    git(project, 'worktree', 'add', '-b', 'other', directory, 'main');
    project.write({ 'a.txt': 'x' });
    writeFileSync(`${directory}/linked.txt`, '');

    expect(await changesIn(project, { directory })).toEqual(['linked.txt']);
  });
});

describe.concurrent('the base of the changed files is', () => {
  test.for<readonly [what: string, prepare: (project: Project) => void, changed: readonly string[]]>([
    ['the merge base with the local default branch', () => {}, ['c.txt']],
    ['the merge base while HEAD is detached', (project) => git(project, 'checkout', '--detach'), ['c.txt']],
    [
      'the merge base after the default branch went on',
      (project) => {
        git(project, 'checkout', 'main');
        project.write({ 'main.txt': '' });
        commitAll(project);
        git(project, 'checkout', 'work');
      },
      ['c.txt'],
    ],
    [
      'that of the remote, not of the local branch',
      (project) => {
        git(project, 'branch', '-f', 'main', 'work');
        git(project, 'update-ref', 'refs/remotes/origin/main', 'HEAD~1');
      },
      ['c.txt'],
    ],
    [
      'that of a default branch with another name',
      (project) => {
        git(project, 'update-ref', 'refs/remotes/origin/trunk', 'HEAD~1');
        git(project, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/trunk');
        git(project, 'branch', '-f', 'main', 'work');
      },
      ['c.txt'],
    ],
    [
      'the next best if the default branch was deleted',
      (project) => {
        git(project, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/gone');
      },
      ['c.txt'],
    ],
    ['HEAD without a default branch', (project) => git(project, 'branch', '-D', 'main'), []],
    ['HEAD on the default branch', (project) => git(project, 'checkout', '-B', 'main'), []],
    [
      'what was pushed, on a default branch that is ahead',
      (project) => {
        git(project, 'update-ref', 'refs/remotes/origin/main', 'HEAD~1');
        git(project, 'checkout', '-B', 'main');
      },
      ['c.txt'],
    ],
  ])('%s', async ([, prepare, changed], { makeProject }) => {
    const project = branched(makeProject);
    prepare(project);

    expect(await changesIn(project)).toEqual(changed);
  });

  test.for<readonly [what: string, change: (project: Project) => void, changed: readonly string[]]>([
    ['committed', () => {}, ['c.txt']],
    ['pushed', push, ['c.txt']],
    ['amended', (project) => git(project, 'commit', '--amend', '--message=x'), ['c.txt']],
  ])(
    'the commit that was checked last for a change that is $0',
    async ([, change, changed], { makeProject }) => {
      const project = repository(makeProject);
      const checked = git(project, 'rev-parse', 'HEAD').trim();
      project.write({ 'c.txt': 'c' });
      commitAll(project);
      change(project);

      expect(await changesIn(project, { checked })).toEqual(changed);
      expect(await changesIn(project)).toEqual([]);
    },
  );

  test('not a checked commit that is gone, or that is older than the merge base', async ({ makeProject }) => {
    const project = repository(makeProject);
    const checked = git(project, 'rev-parse', 'HEAD').trim();
    project.write({ 'main.txt': '' });
    commitAll(project);
    git(project, 'checkout', '-b', 'work');
    project.write({ 'c.txt': '' });
    commitAll(project);

    expect(await changesIn(project, { checked })).toEqual(['c.txt']);
    git(project, 'checkout', 'main');
    expect(await changesIn(project, { checked: '1'.repeat(40) })).toEqual([]);
  });

  test('none where the histories have no commit in common, as in a shallow clone', async ({
    makeProject,
  }) => {
    const project = branched(makeProject);
    git(project, 'checkout', '--orphan', 'shallow');
    commitAll(project);

    expect(await changesIn(project)).toEqual(['.gitignore', 'a.txt', 'c.txt', 'src/b.txt']);
  });
});

describe.concurrent('in a submodule', () => {
  /** A repository with a submodule in `libs/sub`, whose file is `s.txt`. */
  function withSubmodule(makeProject: MakeProject): Project {
    const inner = gitProject(makeProject, { 's.txt': 's' });
    const project = repository(makeProject);
    git(project, '-c', 'protocol.file.allow=always', 'submodule', 'add', inner.root, 'libs/sub');
    commitAll(project);
    return project;
  }

  test.for<readonly [what: string, change: (project: Project) => void, changed: readonly string[]]>([
    ['nothing', () => {}, []],
    ['a file', (project) => project.write({ 'libs/sub/s.txt': 'x' }), ['libs/sub/s.txt']],
    ['an untracked file', (project) => project.write({ 'libs/sub/n.txt': '' }), ['libs/sub/n.txt']],
    [
      'a commit',
      (project) => {
        project.write({ 'libs/sub/s.txt': 'x' });
        git(project, '-C', 'libs/sub', 'commit', '--all', '--message=x');
      },
      ['libs/sub', 'libs/sub/s.txt'],
    ],
    [
      'a commit that the repository has recorded on a branch',
      (project) => {
        git(project, 'checkout', '-b', 'work');
        project.write({ 'libs/sub/s.txt': 'x' });
        git(project, '-C', 'libs/sub', 'commit', '--all', '--message=x');
        commitAll(project);
      },
      ['libs/sub', 'libs/sub/s.txt'],
    ],
  ])('%s has changed', async ([, change, changed], { makeProject }) => {
    const project = withSubmodule(makeProject);
    change(project);

    expect(await changesIn(project)).toEqual(changed);
    const below = changed.flatMap((path) => path.replace(/^libs\//, ''));
    expect(await changesIn(project, { directory: project.path('libs') })).toEqual(below);
  });

  test('paths that lead out of the project or back into it are not followed', async ({ makeProject }) => {
    const project = repository(makeProject);
    symlinkSync('.', project.path('loop'));
    const sections = ['.', '..', '/', 'loop', 'loop/loop', 'gone'].map(
      (path, index) => `[submodule "${index}"]\n\tpath = ${path}\n`,
    );
    project.write({ '.gitmodules': sections.join('') });

    expect(await changesIn(project)).toEqual(['.gitmodules', 'loop']);
  });
});

describe.concurrent('the changed files are not known', () => {
  test('outside of a repository', async ({ makeProject }) => {
    expect(await changesIn(makeProject(FILES, { git: false }))).toMatch(/not a git repository/);
  });

  test('where git ignores the project', async ({ makeProject }) => {
    const project = repository(makeProject);
    project.write({ 'ignored/web/a.js': '' });
    const directory = project.path('ignored/web');

    expect(await changesIn(project, { directory })).toBe(`git ignores ${directory}`);
  });

  test('without git', async ({ makeProject }) => {
    const project = repository(makeProject);
    const options = { ...limits(project), env: { PATH: project.home } };

    expect(await findChanges(project.root, undefined, options)).toMatchObject({
      failure: { message: 'git was not found on PATH' },
    });
  });

  test('when git does not answer in time', async ({ makeProject }) => {
    const project = repository(makeProject, { 'bin/git': '#!/bin/sh\nexec sleep 600\n' });
    chmodSync(project.path('bin/git'), 0o755);
    const env = { PATH: `${project.path('bin')}:${project.environment.PATH}` };

    expect(await findChanges(project.root, undefined, { env, endAt: uptimeMs() + 100 })).toMatchObject({
      failure: { message: expect.stringMatching(/^git \S+ did not end within 0\.1 s$/) },
    });
  });

  test('when the signal is aborted', async ({ makeProject }) => {
    const project = repository(makeProject);
    const options = { ...limits(project), signal: AbortSignal.abort() };

    expect(await findChanges(project.root, undefined, options)).toMatchObject({
      failure: { message: expect.stringMatching(/was interrupted$/) },
    });
  });
});

test('the search for changed files runs no program that the repository names', async ({ makeProject }) => {
  const project = repository(makeProject, {
    '.gitattributes': '* filter=evil diff=evil\n*.eq filter=a=b.clean=c\n',
    'x.eq': '',
    evil: '#!/bin/sh\ntouch ran\ncat\n',
  });
  chmodSync(project.path('evil'), 0o755);
  project.write({ '.git/hooks/post-index-change': project.read('evil') });
  execFileSync('chmod', ['+x', project.path('.git/hooks/post-index-change')]);
  for (const setting of [
    'core.fsmonitor',
    'filter.evil.clean',
    'filter.evil.process',
    'filter.a=b.clean=c.clean',
    'diff.evil.textconv',
    'diff.evil.command',
    'diff.external',
    'core.pager',
  ])
    git(project, 'config', setting, './evil');
  utimesSync(project.path('a.txt'), 1, 1);
  rmSync(project.path('ran'), { force: true });

  expect(await changesIn(project)).toContain('evil');
  expect(project.has('ran')).toBe(false);
});

test('the search for changed files does not write to the repository', async ({ makeProject }) => {
  const project = repository(makeProject);
  utimesSync(project.path('a.txt'), 1, 1);
  const before = project.read('.git/index');
  await changesIn(project);

  expect(project.read('.git/index')).toBe(before);
});

test('the files of a project are the tracked and the untracked ones', async ({ makeProject }) => {
  const project = repository(makeProject);
  project.write({ 'new.txt': '', ignored: '' });

  expect(await listFiles(project.root, limits(project))).toMatchObject({
    value: expect.arrayContaining(['.gitignore', 'a.txt', 'new.txt', 'src/b.txt']),
  });
});
