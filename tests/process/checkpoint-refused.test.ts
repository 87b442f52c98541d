import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { checkpointRefs, create, created, expectFailure, restore } from '../helpers/checkpoints.ts';
import { git, gitProject, stateOf } from '../helpers/git-project.ts';
import { type MakeProject, type Project, test } from '../helpers/project.ts';

/** Two branches that have changed the same file; the first is checked out. */
function divergedProject(makeProject: MakeProject): Project {
  const project = gitProject(makeProject, { a: '1', b: '1' });
  git(project, 'checkout', '--quiet', '-b', 'other');
  project.write({ a: 'other' });
  git(project, 'commit', '--quiet', '--all', '--message=other');
  git(project, 'checkout', '--quiet', 'main');
  project.write({ a: 'main' });
  git(project, 'commit', '--quiet', '--all', '--message=main');
  return project;
}

function projectWithSubmodule(makeProject: MakeProject): Project {
  const project = gitProject(makeProject, { a: '1', '../library/x': '1' });
  const library = { ...project, root: project.path('../library') };
  git(library, 'init', '--quiet');
  git(library, 'add', 'x');
  git(library, 'commit', '--quiet', '--message=one');
  git(project, '-c', 'protocol.file.allow=always', 'submodule', 'add', '--quiet', '../library', 'lib');
  git(project, 'commit', '--quiet', '--message=two');
  return project;
}

/** Configures git in every way to ignore changes in it. */
function hideSubmodule(project: Project): void {
  git(project, 'config', 'diff.ignoreSubmodules', 'all');
  git(project, 'config', 'submodule.lib.ignore', 'all');
}

/** Runs a git command that stops at a conflict. */
function conflict(project: Project, ...args: readonly string[]): void {
  expect(() => git(project, ...args)).toThrow();
}

describe.concurrent('createCheckpoint fails and changes nothing', () => {
  const unfinished: { what: string; given: (project: Project) => void; message: RegExp }[] = [
    {
      what: 'during a merge',
      given: (project) => conflict(project, 'merge', 'other'),
      message: /^a merge is in progress: finish it, or end it with `git merge --abort`, and try again$/,
    },
    {
      what: 'during a merge that is resolved but not committed',
      given: (project) => {
        conflict(project, 'merge', 'other');
        git(project, 'add', 'a');
      },
      message: /^a merge is in progress/,
    },
    {
      what: 'during a cherry-pick',
      given: (project) => conflict(project, 'cherry-pick', 'other'),
      message: /^a cherry-pick /,
    },
    {
      what: 'during a revert',
      given: (project) => conflict(project, 'revert', '--no-edit', 'other'),
      message: /^a revert /,
    },
    {
      what: 'during a rebase',
      given: (project) => conflict(project, 'rebase', '--merge', 'other'),
      message: /^a rebase /,
    },
    {
      what: 'during an old rebase',
      given: (project) => conflict(project, 'rebase', '--apply', 'other'),
      message: /^a rebase /,
    },
    {
      what: 'with a conflict outside of a merge',
      given: (project) => {
        project.write({ a: 'stashed' });
        git(project, 'stash');
        project.write({ a: 'other' });
        git(project, 'commit', '--quiet', '--all', '--message=x');
        conflict(project, 'stash', 'pop');
      },
      message: /^a is not merged: resolve it, `git add` it, and try again$/,
    },
  ];
  test.for(unfinished)('$what', async ({ given, message }, { makeProject }) => {
    const project = divergedProject(makeProject);
    given(project);
    const before = stateOf(project);
    expect(expectFailure(await create(project))).toMatch(message);
    expect(stateOf(project)).toEqual(before);
    expect(checkpointRefs(project)).toEqual([]);
  });

  test.for([
    { what: 'changed', file: 'lib/x' },
    { what: 'untracked', file: 'lib/new' },
  ])('with a submodule that has a file that is $what', async ({ file }, { makeProject }) => {
    const project = projectWithSubmodule(makeProject);
    hideSubmodule(project);
    project.write({ [file]: '2' });
    expect(expectFailure(await create(project))).toMatch(/^the submodule lib has uncommitted changes/);
    expect(checkpointRefs(project)).toEqual([]);
  });

  test('without git', async ({ makeProject }) => {
    const project = gitProject(makeProject);
    const env = { ...project.environment, PATH: project.home };
    expect(expectFailure(await create(project, { env }))).toBe('git was not found on PATH');
  });

  test('outside of a repository', async ({ makeProject }) => {
    const project = makeProject({}, { git: false });
    expect(expectFailure(await create(project))).toMatch(
      / is not in a git repository; `git init` makes one$/,
    );
  });

  test('in a directory that does not exist', async ({ makeProject }) => {
    const project = gitProject(makeProject);
    expect(expectFailure(await create(project, { directory: project.path('gone') }))).toBe(
      `${project.path('gone')} does not exist`,
    );
  });

  test.for(['.', '.git'])(
    'in the directory %s that has no working tree',
    async (directory, { makeProject }) => {
      const project = makeProject({}, { git: false });
      git(project, 'init', ...(directory === '.' ? ['--bare', '.'] : []));
      expect(expectFailure(await create(project, { directory: project.path(directory) }))).toMatch(
        / is in a git repository without a working tree$/,
      );
    },
  );

  test('with an index that git cannot read', async ({ makeProject }) => {
    const project = gitProject(makeProject, { a: '1' });
    project.write({ '.git/index': 'broken' });
    expect(expectFailure(await create(project))).toMatch(/^git status: .*index/);
    expect(project.read('.git/index')).toBe('broken');
  });
});

describe.concurrent('restoreCheckpoint fails and changes nothing', () => {
  const obstacles: { what: string; edit: (project: Project) => void; message: RegExp }[] = [
    {
      what: 'when an ignored file is in the way of a directory',
      edit: ({ path, write }) => {
        rmSync(path('d'), { recursive: true });
        write({ d: 'precious', '.gitignore': 'd\n' });
      },
      message: /^d is in the way and cannot be saved, because it is ignored/,
    },
    {
      what: 'when a directory with ignored files is in the way of a file',
      edit: ({ path, write }) => {
        rmSync(path('a'));
        write({ 'a/b/c.log': 'precious', 'a/d': 'x', '.gitignore': '*.log\n' });
      },
      message: /^a\/b\/c\.log is in the way/,
    },
    {
      what: 'when an ignored file is in the way of an empty directory',
      edit: ({ path, write }) => {
        rmSync(path('empty'), { recursive: true });
        write({ empty: 'precious', '.gitignore': 'empty\n' });
      },
      message: /^empty is in the way/,
    },
    {
      what: 'when a named pipe is in the way',
      edit: ({ path }) => {
        rmSync(path('a'));
        execFileSync('mkfifo', [path('a')]);
      },
      message: /^a is in the way and cannot be saved, because it is ignored or not a regular file$/,
    },
    {
      what: 'when a repository is in the way',
      edit: (project) => {
        rmSync(project.path('a'));
        git(project, 'init', 'a');
      },
      message: /^a\/\.git\/.* is in the way.*; and \d+ more$/,
    },
    {
      what: 'during a merge',
      edit: (project) => {
        git(project, 'reset', '--hard');
        git(project, 'merge', '--no-commit', '--no-ff', 'other');
      },
      message: /^a merge is in progress/,
    },
    {
      what: 'while another git process holds the lock of the index',
      edit: ({ write }) => write({ '.git/index.lock': '' }),
      message: /^another git command holds .*index\.lock: try again when it is done, or remove the file/,
    },
  ];
  test.for(obstacles)('$what', async ({ edit, message }, { makeProject }) => {
    const project = gitProject(makeProject, { a: '1', 'd/b': '1' });
    git(project, 'checkout', '--quiet', '-b', 'other');
    git(project, 'commit', '--quiet', '--allow-empty', '--message=other');
    git(project, 'checkout', '--quiet', 'main');
    mkdirSync(project.path('empty'));
    const checkpoint = await created(project);
    edit(project);
    const before = stateOf(project);
    expect(expectFailure(await restore(project, checkpoint.id))).toMatch(message);
    expect(stateOf(project)).toEqual(before);
    expect(checkpointRefs(project)).toHaveLength(1);
  });

  test('when a submodule has uncommitted changes', async ({ makeProject }) => {
    const project = projectWithSubmodule(makeProject);
    const checkpoint = await created(project);
    project.write({ a: '2', 'lib/x': '2' });
    expect(expectFailure(await restore(project, checkpoint.id))).toMatch(
      /^the submodule lib has uncommitted changes/,
    );
    expect(project.read('a')).toBe('2');
  });

  test('when a submodule is at another commit, and names the command that checks it out', async ({
    makeProject,
  }) => {
    const project = projectWithSubmodule(makeProject);
    const checkpoint = await created(project);
    const lib = { ...project, root: project.path('lib') };
    hideSubmodule(project);
    git(lib, 'commit', '--quiet', '--allow-empty', '--message=two');
    project.write({ a: '2' });
    const message = expectFailure(await restore(project, checkpoint.id));
    const [, command = ''] = /`git (.*)`/.exec(message) ?? [];
    expect(project.read('a')).toBe('2');
    git(project, ...command.split(' '));
    expect(await restore(project, checkpoint.id)).toHaveProperty('ok', true);
    expect(project.read('a')).toBe('1');
  });

  test('when a submodule was added since', async ({ makeProject }) => {
    const project = projectWithSubmodule(makeProject);
    git(project, 'reset', '--quiet', '--hard', 'HEAD~1');
    rmSync(project.path('lib'), { recursive: true, force: true });
    const checkpoint = await created(project);
    git(project, 'reset', '--quiet', '--hard', 'ORIG_HEAD');
    expect(expectFailure(await restore(project, checkpoint.id))).toMatch(
      /^lib is a submodule now, but not in the checkpoint: undo/,
    );
  });

  test.for(['abcdefghijkl', '', '../../heads/main', 'main', '--all'])(
    'when there is no checkpoint "%s"',
    async (id, { makeProject }) => {
      const project = gitProject(makeProject);
      await created(project);
      expect(expectFailure(await restore(project, id))).toBe(
        `there is no checkpoint ${id}; \`ralph-loop checkpoint list\` shows the checkpoints of this working tree`,
      );
    },
  );
});

test('restoreCheckpoint leaves a submodule at a commit that is not staged, then and now', async ({
  makeProject,
}) => {
  const project = projectWithSubmodule(makeProject);
  git({ ...project, root: project.path('lib') }, 'commit', '--quiet', '--allow-empty', '--message=two');
  const before = stateOf(project);
  const checkpoint = await created(project);
  project.write({ a: '2' });
  symlinkSync('a', project.path('link'));
  git(project, 'add', '--all');
  expect(await restore(project, checkpoint.id)).toHaveProperty('ok', true);
  expect(stateOf(project)).toEqual(before);
});
