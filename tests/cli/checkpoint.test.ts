import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { ralphLoop } from '../helpers/bin.ts';
import { checkpointRefs } from '../helpers/checkpoints.ts';
import { git, gitProject, stateOf } from '../helpers/git-project.ts';
import { canBeOtherUser, makeReadOnly, ralphLoopAsOther } from '../helpers/other-user.ts';
import { type Project, test } from '../helpers/project.ts';

/** The output of a command that succeeds: on stdout only, in lines of at most 60 columns, without colours. */
async function say(project: Project, ...args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await ralphLoop(project, ['checkpoint', ...args]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout.split('\n').filter((line) => line.length > 60 || /\p{Cc}/u.test(line))).toEqual([]);
  return stdout;
}

/** The message of a command that fails: on stderr only. */
async function refusal(project: Project, ...args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await ralphLoop(project, ['checkpoint', ...args]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  return stderr;
}

async function createdId(project: Project, ...args: readonly string[]): Promise<string> {
  const [, id = ''] = /^Created checkpoint (\w{12})\n/.exec(await say(project, 'create', ...args)) ?? [];
  return id;
}

describe.concurrent('checkpoint', () => {
  test('create, show, restore and drop work together, and the rescue checkpoint undoes a restore', async ({
    makeProject,
  }) => {
    const project = gitProject(makeProject, { a: 'one\n' });
    project.write({ a: 'one\ntwo\n', new: '' });
    const then = stateOf(project);
    const id = await createdId(project, 'before the refactoring');
    const commit = git(project, 'rev-parse', '--short=7', 'HEAD').trim();
    project.write({ a: 'three\n', newer: 'x\n' });
    rmSync(project.path('new'));
    git(project, 'add', '--all');
    const since = stateOf(project);

    const shown = await say(project, 'show', id);
    expect(shown).toMatch(
      new RegExp(
        `^Checkpoint ${id}, manual, (?:just now|\\d+ s ago)\nbefore the refactoring\nmain at ${commit}, 2 files changed\n`,
      ),
    );
    expect(shown).toMatch(/\nChanges since then:\n a +\| 3 \+--\n new +\| 0\n newer \| 1 \+\n/);
    expect(shown).toMatch(/\nThe index has changed too\.\n$/);

    const [, rescue = ''] =
      new RegExp(
        `^Restored ${id}: 2 files written, 1 removed\\.\nThe state before is saved as checkpoint (\\w{12}):\n  ralph-loop checkpoint restore \\1\n$`,
      ).exec(await say(project, 'restore', id)) ?? [];
    expect(stateOf(project)).toEqual(then);
    expect(await say(project, 'show', id)).toMatch(/\nNo file has changed since then\.\n$/);

    await say(project, 'restore', rescue);
    expect(stateOf(project)).toEqual(since);

    expect(await say(project, 'drop', id, rescue)).toBe(
      `Dropped checkpoint ${id}.\nDropped checkpoint ${rescue}.\n`,
    );
    expect(stateOf(project)).toEqual(since);
    expect(checkpointRefs(project)).toHaveLength(1);
  });

  test('list shows the latest checkpoint last', async ({ makeProject }) => {
    const project = gitProject(makeProject, { a: '1' });
    expect(await say(project, 'list')).toBe('No checkpoints.\n');
    const first = await createdId(project);
    project.write({ a: '2' });
    const second = await createdId(project, 'a label that is far too long to be shown in a list');
    await say(project, 'restore', first);
    const lines = (await say(project, 'list')).split('\n');
    expect(lines).toEqual([
      'ID            WHEN        KIND    FILES  LABEL',
      expect.stringMatching(new RegExp(`^${first}  (?:just now|\\d+ s ago) +manual {6}0$`)),
      expect.stringMatching(
        new RegExp(`^${second}  (?:just now|\\d+ s ago) +manual {6}1  a label that is fa…$`),
      ),
      expect.stringMatching(new RegExp(`^\\w{12}  (?:just now|\\d+ s ago) +rescue {6}1  before ${first}$`)),
      '',
    ]);
  });

  test('drop --all deletes all checkpoints', async ({ makeProject }) => {
    const project = gitProject(makeProject, { a: '1' });
    const ids = [await createdId(project), await createdId(project)];
    expect(await say(project, 'drop', '--all')).toBe(ids.map((id) => `Dropped checkpoint ${id}.\n`).join(''));
    expect(checkpointRefs(project)).toEqual([]);
    expect(await say(project, 'drop', '--all')).toBe('No checkpoints.\n');
  });

  test('restore shows how to undo the commits made since', async ({ makeProject }) => {
    const project = gitProject(makeProject, { a: '1' });
    const then = stateOf(project);
    const id = await createdId(project);
    project.write({ a: '2' });
    git(project, 'commit', '--quiet', '--all', '--message=two');
    const restored = await say(project, 'restore', id);
    expect(restored).toMatch(/\nHEAD stays on main at \w{7}; it was on main at \w{7}\.\n/);
    const [, command = ''] = /\nTo undo 1 commit made since: git (.*)\n$/.exec(restored) ?? [];
    git(project, ...command.split(' '));
    expect(stateOf(project)).toEqual(then);
  });

  test('create and restore list the directories that they leave out', async ({ makeProject }) => {
    const project = gitProject(makeProject, { a: '1' });
    git(project, 'init', 'vendor/lib');
    const note = 'Neither saved nor restored (git does not look inside):\n  vendor/lib/\n';
    const created = await say(project, 'create');
    expect(created).toContain(note);
    const [, id = ''] = /^Created checkpoint (\w{12})\n/.exec(created) ?? [];
    expect(await say(project, 'restore', id)).toContain(note);
  });

  test.for([
    {
      args: ['create'],
      says: /^Cannot create a checkpoint: .* is not in a git repository; `git init` makes one/,
    },
    {
      args: ['list'],
      says: /^Cannot list the checkpoints: .* is not in a git repository; `git init` makes one/,
    },
    {
      args: ['show', 'x'],
      says: /^Cannot show the checkpoint: .* is not in a git repository; `git init` makes one/,
    },
    {
      args: ['restore', 'x'],
      says: /^Cannot restore the checkpoint: .* is not in a git repository; `git init` makes one/,
    },
    {
      args: ['drop', 'x'],
      says: /^Cannot drop checkpoints: .* is not in a git repository; `git init` makes one/,
    },
  ])('$args fails outside of a repository', async ({ args, says }, { makeProject }) => {
    expect(await refusal(makeProject({}, { git: false }), ...args)).toMatch(says);
  });

  test.for([
    { args: ['show', 'x'], says: 'Cannot show the checkpoint: there is no checkpoint x; ' },
    { args: ['restore', 'x'], says: 'Cannot restore the checkpoint: there is no checkpoint x; ' },
    { args: ['drop', 'x'], says: 'Cannot drop checkpoint x: there is no checkpoint x; ' },
    {
      args: ['drop', '../../heads/main'],
      says: 'Cannot drop checkpoint ../../heads/main: there is no checkpoint ',
    },
  ])('$args fails without such a checkpoint', async ({ args, says }, { makeProject }) => {
    const project = gitProject(makeProject);
    expect(await refusal(project, ...args)).toBe(
      `${says}${says.endsWith('checkpoint ') ? `${args[1]}; ` : ''}\`ralph-loop checkpoint list\` shows the checkpoints of this working tree\n`,
    );
    expect(git(project, 'rev-parse', '--verify', 'refs/heads/main')).not.toBe('');
  });

  test.for([[], ['crate'], ['show'], ['restore'], ['drop'], ['drop', '--all', 'x'], ['create', 'a', 'b']])(
    'checkpoint %s is a usage error, exit 2',
    async (args, { makeProject }) => {
      const { exitCode, stdout, stderr } = await ralphLoop(gitProject(makeProject), ['checkpoint', ...args]);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toMatch(/^(?:error: |Usage: |Name the checkpoints )/);
    },
  );
});

describe.runIf(canBeOtherUser)('checkpoint without permission', () => {
  /** Whose the files are is not what is tested here. */
  const trust = ({ home }: Project) => writeFileSync(`${home}/.gitconfig`, '[safe]\n\tdirectory = *\n');
  const letGitWrite = ({ path }: Project) => execFileSync('chmod', ['-R', 'a+rwX', path('.git')]);

  test('fails in a read-only repository', async ({ makeProject }) => {
    const project = gitProject(makeProject, { a: '1' });
    trust(project);
    makeReadOnly(project);
    const { exitCode, stderr } = await ralphLoopAsOther(project, ['checkpoint', 'create']);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/^Cannot create a checkpoint: git .*(?:permission|Permission denied)/),
    });
  });

  test('names a file that it cannot read', async ({ makeProject }) => {
    const project = gitProject(makeProject, { a: '1' });
    project.write({ 'my secret': '1' });
    trust(project);
    makeReadOnly(project);
    letGitWrite(project);
    chmodSync(project.path('my secret'), 0);
    const { exitCode, stderr } = await ralphLoopAsOther(project, ['checkpoint', 'create']);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/^Cannot create a checkpoint: .*my secret.*Permission denied/),
    });
    expect(checkpointRefs(project)).toEqual([]);
  });

  test('leaves out a directory that it cannot read', async ({ makeProject }) => {
    const project = gitProject(makeProject, { a: '1' });
    mkdirSync(project.path('closed'));
    trust(project);
    makeReadOnly(project);
    letGitWrite(project);
    chmodSync(project.path('closed'), 0);
    const { exitCode, stdout } = await ralphLoopAsOther(project, ['checkpoint', 'create']);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/:\n {2}closed\/\n$/),
    });
  });

  test('restores nothing if a directory is read-only', async ({ makeProject }) => {
    const project = gitProject(makeProject, { a: '1', 'd/b': '1' });
    const id = await createdId(project);
    project.write({ a: '2', 'd/b': '2' });
    trust(project);
    makeReadOnly(project);
    letGitWrite(project);
    chmodSync(project.root, 0o777);
    const { exitCode, stderr } = await ralphLoopAsOther(project, ['checkpoint', 'restore', id]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: 'Cannot restore the checkpoint: the directory d is not writable\n',
    });
    expect([project.read('a'), project.read('d/b')]).toEqual(['2', '2']);
    expect(checkpointRefs(project)).toHaveLength(1);
  });
});
