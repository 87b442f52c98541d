import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { checkpointRefs, create, created, restore } from '../helpers/checkpoints.ts';
import { git, gitProject, stateOf } from '../helpers/git-project.ts';
import { type MakeProject, type Project, test } from '../helpers/project.ts';

/** Two branches that have changed the same file; we are on the first. */
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

/** Tells git in every way that there is not to look into it. */
function hideSubmodule(project: Project): void {
  git(project, 'config', 'diff.ignoreSubmodules', 'all');
  git(project, 'config', 'submodule.lib.ignore', 'all');
}

/** Git ends with an error where it stops for a conflict. */
function conflict(project: Project, ...args: readonly string[]): void {
  expect(() => git(project, ...args)).toThrow();
}

describe.concurrent('no checkpoint is made, and nothing is done,', () => {
  const unfinished: { what: string; given: (project: Project) => void; why: RegExp }[] = [
    {
      what: 'during a merge',
      given: (project) => conflict(project, 'merge', 'other'),
      why: /^a merge is in progress: finish it, or end it with `git merge --abort`, and try again$/,
    },
    {
      what: 'during a merge that only waits for its commit',
      given: (project) => {
        conflict(project, 'merge', 'other');
        git(project, 'add', 'a');
      },
      why: /^a merge is in progress/,
    },
    {
      what: 'during a cherry-pick',
      given: (project) => conflict(project, 'cherry-pick', 'other'),
      why: /^a cherry-pick /,
    },
    {
      what: 'during a revert',
      given: (project) => conflict(project, 'revert', '--no-edit', 'other'),
      why: /^a revert /,
    },
    {
      what: 'during a rebase',
      given: (project) => conflict(project, 'rebase', '--merge', 'other'),
      why: /^a rebase /,
    },
    {
      what: 'during an old rebase',
      given: (project) => conflict(project, 'rebase', '--apply', 'other'),
      why: /^a rebase /,
    },
    {
      what: 'with a conflict of no merge',
      given: (project) => {
        project.write({ a: 'stashed' });
        git(project, 'stash');
        project.write({ a: 'other' });
        git(project, 'commit', '--quiet', '--all', '--message=x');
        conflict(project, 'stash', 'pop');
      },
      why: /^a is not merged: resolve it, `git add` it, and try again$/,
    },
  ];
  test.for(unfinished)('$what', async ({ given, why }, { makeProject }) => {
    const project = divergedProject(makeProject);
    given(project);
    const before = stateOf(project);
    expect(await create(project)).toEqual({ why: expect.stringMatching(why) });
    expect(stateOf(project)).toEqual(before);
    expect(checkpointRefs(project)).toEqual([]);
  });

  test.for([
    { what: 'changed', file: 'lib/x' },
    { what: 'untracked', file: 'lib/new' },
  ])('with a file of a submodule that is $what', async ({ file }, { makeProject }) => {
    const project = projectWithSubmodule(makeProject);
    hideSubmodule(project);
    project.write({ [file]: '2' });
    expect(await create(project)).toEqual({
      why: expect.stringMatching(/^the submodule lib has changes of its own/),
    });
    expect(checkpointRefs(project)).toEqual([]);
  });

  test('without git', async ({ makeProject }) => {
    const project = gitProject(makeProject);
    const env = { ...project.environment, PATH: project.home };
    expect(await create(project, { env })).toEqual({ why: 'there is no git in the PATH' });
  });

  test('outside of a repository', async ({ makeProject }) => {
    const project = makeProject({}, { git: false });
    expect(await create(project)).toEqual({ why: expect.stringMatching(/not a git repository/) });
  });

  test('in a directory that is not there', async ({ makeProject }) => {
    const project = gitProject(makeProject);
    expect(await create(project, { directory: project.path('gone') })).toEqual({
      why: `${project.path('gone')} does not exist`,
    });
  });

  test.for(['.', '.git'])(
    'in a repository without a working tree, and in %s',
    async (directory, { makeProject }) => {
      const project = makeProject({}, { git: false });
      git(project, 'init', ...(directory === '.' ? ['--bare', '.'] : []));
      expect(await create(project, { directory: project.path(directory) })).toEqual({
        why: expect.stringMatching(/must be run in a work tree/),
      });
    },
  );

  test('with an index that git cannot read', async ({ makeProject }) => {
    const project = gitProject(makeProject, { a: '1' });
    project.write({ '.git/index': 'broken' });
    expect(await create(project)).toEqual({ why: expect.stringMatching(/^git status: .*index/) });
    expect(project.read('.git/index')).toBe('broken');
  });
});

describe.concurrent('nothing is restored, and nothing touched,', () => {
  const obstacles: { what: string; edit: (project: Project) => void; why: RegExp }[] = [
    {
      what: 'where an ignored file stands in the way of a directory',
      edit: ({ path, write }) => {
        rmSync(path('d'), { recursive: true });
        write({ d: 'precious', '.gitignore': 'd\n' });
      },
      why: /^d stands in the way, and is ignored/,
    },
    {
      what: 'where a directory with ignored files stands in the way of a file',
      edit: ({ path, write }) => {
        rmSync(path('a'));
        write({ 'a/b/c.log': 'precious', 'a/d': 'x', '.gitignore': '*.log\n' });
      },
      why: /^a\/b\/c\.log stands in the way/,
    },
    {
      what: 'where an ignored file stands in the way of an empty directory',
      edit: ({ path, write }) => {
        rmSync(path('empty'), { recursive: true });
        write({ empty: 'precious', '.gitignore': 'empty\n' });
      },
      why: /^empty stands in the way/,
    },
    {
      what: 'where a pipe stands in the way',
      edit: ({ path }) => {
        rmSync(path('a'));
        execFileSync('mkfifo', [path('a')]);
      },
      why: /^a stands in the way, and is ignored or no plain file/,
    },
    {
      what: 'where a repository stands in the way',
      edit: (project) => {
        rmSync(project.path('a'));
        git(project, 'init', 'a');
      },
      why: /^a\/\.git\/.* stands in the way.*; and \d+ more$/,
    },
    {
      what: 'during a merge',
      edit: (project) => {
        git(project, 'reset', '--hard');
        git(project, 'merge', '--no-commit', '--no-ff', 'other');
      },
      why: /^a merge is in progress/,
    },
    {
      what: 'while another git holds the lock of the index',
      edit: ({ write }) => write({ '.git/index.lock': '' }),
      why: /^another git command holds .*index\.lock: try again when it is done, or remove the file/,
    },
  ];
  test.for(obstacles)('$what', async ({ edit, why }, { makeProject }) => {
    const project = gitProject(makeProject, { a: '1', 'd/b': '1' });
    git(project, 'checkout', '--quiet', '-b', 'other');
    git(project, 'commit', '--quiet', '--allow-empty', '--message=other');
    git(project, 'checkout', '--quiet', 'main');
    mkdirSync(project.path('empty'));
    const checkpoint = await created(project);
    edit(project);
    const before = stateOf(project);
    expect(await restore(project, checkpoint.id)).toEqual({ why: expect.stringMatching(why) });
    expect(stateOf(project)).toEqual(before);
    expect(checkpointRefs(project)).toHaveLength(1);
  });

  test('where a submodule has changes of its own', async ({ makeProject }) => {
    const project = projectWithSubmodule(makeProject);
    const checkpoint = await created(project);
    project.write({ a: '2', 'lib/x': '2' });
    expect(await restore(project, checkpoint.id)).toEqual({
      why: expect.stringMatching(/^the submodule lib has changes/),
    });
    expect(project.read('a')).toBe('2');
  });

  test('where a submodule is at another commit, and tells how to put it back', async ({ makeProject }) => {
    const project = projectWithSubmodule(makeProject);
    const checkpoint = await created(project);
    const lib = { ...project, root: project.path('lib') };
    hideSubmodule(project);
    git(lib, 'commit', '--quiet', '--allow-empty', '--message=two');
    project.write({ a: '2' });
    const { why } = (await restore(project, checkpoint.id)) as { why: string };
    const [, command = ''] = /`git (.*)`/.exec(why) ?? [];
    expect(project.read('a')).toBe('2');
    git(project, ...command.split(' '));
    expect(await restore(project, checkpoint.id)).toHaveProperty('rescue');
    expect(project.read('a')).toBe('1');
  });

  test('where a submodule was made since', async ({ makeProject }) => {
    const project = projectWithSubmodule(makeProject);
    git(project, 'reset', '--quiet', '--hard', 'HEAD~1');
    rmSync(project.path('lib'), { recursive: true, force: true });
    const checkpoint = await created(project);
    git(project, 'reset', '--quiet', '--hard', 'ORIG_HEAD');
    expect(await restore(project, checkpoint.id)).toEqual({
      why: expect.stringMatching(/^lib is a submodule now, and was none then/),
    });
  });

  test.for(['abcdefghijkl', '', '../../heads/main', 'main', '--all'])(
    'where there is no checkpoint "%s"',
    async (id, { makeProject }) => {
      const project = gitProject(makeProject);
      await created(project);
      expect(await restore(project, id)).toEqual({
        why: `there is no checkpoint ${id}; \`ralph-loop checkpoint list\` shows those there are`,
      });
    },
  );
});

test('a submodule that is at another commit then and now is no obstacle', async ({ makeProject }) => {
  const project = projectWithSubmodule(makeProject);
  git({ ...project, root: project.path('lib') }, 'commit', '--quiet', '--allow-empty', '--message=two');
  const before = stateOf(project);
  const checkpoint = await created(project);
  project.write({ a: '2' });
  symlinkSync('a', project.path('link'));
  git(project, 'add', '--all');
  expect(await restore(project, checkpoint.id)).toHaveProperty('rescue');
  expect(stateOf(project)).toEqual(before);
});
