import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect } from 'vitest';
import { created, restored } from '../helpers/checkpoints.ts';
import { bytes, git, gitProject, stateOf } from '../helpers/git-project.ts';
import { type Project, test } from '../helpers/project.ts';

interface Row {
  readonly what: string;
  /** Before the checkpoint; `a` and `d/b` are committed. */
  readonly given?: (project: Project) => void;
  /** Between the checkpoint and the restore. */
  readonly edit: (project: Project) => void;
}

/** One character per byte; macOS allows only UTF-8 names. */
const ODD_NAMES = [
  ...['-rf', ' ', 'a b', 'new\nline', 'tab\t', 'quo"te', 'back\\slash', '*', ':(top)x'],
  ...(process.platform === 'darwin' ? [] : ['\xc3\xbc', 'caf\xe9', '\xff\xfe']),
];

const rows: readonly Row[] = [
  {
    what: 'changed, staged, removed and untracked files',
    given: (project) => {
      project.write({ a: 'changed', new: 'x', 'more/new': 'y' });
      git(project, 'rm', '--quiet', '--cached', 'd/b');
    },
    edit: (project) => {
      project.write({ a: 'again', 'd/b': 'too', newest: '' });
      git(project, 'add', '--all');
    },
  },
  {
    what: 'a file that was staged and then changed',
    given: (project) => {
      project.write({ a: 'staged' });
      git(project, 'add', 'a');
      project.write({ a: 'changed' });
    },
    edit: (project) => git(project, 'reset', '--hard'),
  },
  {
    what: 'removed files, staged and not staged',
    given: (project) => {
      git(project, 'rm', '--quiet', 'a');
      rmSync(project.path('d/b'));
    },
    edit: (project) => git(project, 'reset', '--hard'),
  },
  {
    what: 'a file that is staged but not on disk',
    given: (project) => {
      project.write({ new: 'x' });
      git(project, 'add', 'new');
      rmSync(project.path('new'));
    },
    edit: (project) => git(project, 'reset', '--hard'),
  },
  {
    what: 'an untracked file that is in HEAD',
    given: (project) => git(project, 'rm', '--quiet', '--cached', 'a'),
    edit: (project) => git(project, 'add', 'a'),
  },
  {
    what: 'a file that was added with --intent-to-add',
    given: (project) => {
      project.write({ new: 'x' });
      git(project, 'add', '--intent-to-add', 'new');
    },
    edit: (project) => {
      git(project, 'add', 'new');
      rmSync(project.path('new'));
    },
  },
  {
    what: 'a changed file that is assumed unchanged',
    given: (project) => {
      git(project, 'update-index', '--assume-unchanged', 'a');
      project.write({ a: 'local settings' });
    },
    edit: (project) => {
      git(project, 'update-index', '--no-assume-unchanged', 'a');
      project.write({ a: 'lost' });
    },
  },
  {
    what: 'a changed and a missing file with skip-worktree',
    given: (project) => {
      git(project, 'update-index', '--skip-worktree', 'a', 'd/b');
      project.write({ a: 'local settings' });
      rmSync(project.path('d/b'));
    },
    edit: (project) => {
      git(project, 'update-index', '--no-skip-worktree', 'a', 'd/b');
      git(project, 'reset', '--hard');
    },
  },
  {
    what: 'a sparse checkout',
    given: (project) => git(project, 'sparse-checkout', 'set', '--cone'),
    edit: (project) => git(project, 'sparse-checkout', 'disable'),
  },
  {
    what: 'executable bits',
    given: ({ path, write }) => {
      write({ 'run.sh': '' });
      chmodSync(path('run.sh'), 0o755);
      chmodSync(path('a'), 0o755);
    },
    edit: ({ path }) => {
      chmodSync(path('run.sh'), 0o644);
      chmodSync(path('a'), 0o644);
      chmodSync(path('d/b'), 0o755);
    },
  },
  {
    what: 'executable bits that git is configured to ignore',
    given: (project) => {
      git(project, 'config', 'core.fileMode', 'false');
      chmodSync(project.path('a'), 0o755);
    },
    edit: ({ path }) => chmodSync(path('a'), 0o644),
  },
  {
    what: 'a regular file that is a symbolic link in the index',
    given: (project) => {
      symlinkSync('a', project.path('link'));
      git(project, 'add', 'link');
      git(project, 'config', 'core.symlinks', 'false');
      unlinkSync(project.path('link'));
      project.write({ link: 'a' });
    },
    edit: (project) => project.write({ link: 'changed' }),
  },
  {
    what: 'the other permission bits of a file that still exists',
    given: ({ path }) => chmodSync(path('a'), 0o600),
    edit: (project) => project.write({ a: 'changed' }),
  },
  {
    what: 'symbolic links to a file, to a directory, to nothing and out of the project',
    given: ({ path }) => {
      for (const [name, target] of [
        ['file', 'a'],
        ['directory', 'd'],
        ['nothing', 'gone'],
        ['out', '/tmp'],
      ] as const)
        symlinkSync(target, path(name));
    },
    edit: (project) => {
      for (const name of ['file', 'directory', 'nothing']) unlinkSync(project.path(name));
      project.write({ file: 'a file', 'directory/x': 'a directory' });
      git(project, 'add', '--all');
    },
  },
  {
    what: 'a file that a directory has replaced, and a directory that a file has replaced',
    given: (project) => project.write({ 'd/e/f': 'x', file: '' }),
    edit: (project) => {
      rmSync(project.path('a'));
      rmSync(project.path('d'), { recursive: true });
      project.write({ 'a/b/c': 'x', d: 'now a file' });
      mkdirSync(project.path('a/empty/too'), { recursive: true });
    },
  },
  {
    what: 'renamed files',
    edit: (project) => {
      git(project, 'mv', 'a', 'z');
      renameSync(project.path('d'), project.path('e'));
    },
  },
  {
    what: 'a working tree in which everything was removed',
    given: (project) => project.write({ 'x/y/z': 'untracked' }),
    edit: (project) => execFileSync('/bin/sh', ['-c', 'rm -r -- *'], { cwd: project.root }),
  },
  {
    what: 'empty directories, without those made since',
    given: ({ path }) => {
      mkdirSync(path('logs/deep'), { recursive: true });
      mkdirSync(path('tmp'));
    },
    edit: (project) => {
      rmdirSync(project.path('logs/deep'));
      rmdirSync(project.path('logs'));
      project.write({ 'tmp/x': '', 'made/since/x': '' });
      mkdirSync(project.path('made/empty'));
    },
  },
  {
    what: 'files with unusual names',
    given: ({ root }) => {
      for (const name of ODD_NAMES) writeFileSync(bytes(root, name), name);
    },
    edit: (project) => {
      git(project, 'add', '--all');
      for (const name of ODD_NAMES) writeFileSync(bytes(project.root, name), 'changed');
      writeFileSync(bytes(project.root, 'more\nnames'), '');
    },
  },
  {
    what: 'binary files',
    given: (project) => project.write({ binary: Buffer.from([0, 255, 13, 10, 0]), empty: '' }),
    edit: (project) => project.write({ binary: '', empty: Buffer.alloc(10) }),
  },
  {
    what: 'a file that has got a second hard link since',
    edit: ({ path }) => linkSync(path('a'), path('second')),
  },
  {
    what: 'files that are ignored now',
    given: (project) => project.write({ 'new.log': 'x' }),
    edit: (project) => project.write({ '.gitignore': '*.log\na\n', 'new.log': 'changed', a: 'changed' }),
  },
  {
    what: 'a split index',
    given: (project) => {
      git(project, 'config', 'core.splitIndex', 'true');
      project.write({ a: 'staged' });
      git(project, 'add', 'a');
    },
    edit: (project) => {
      project.write({ a: 'x', new: 'x' });
      git(project, 'add', '--all');
      git(project, 'update-index', '--no-split-index');
      // Git itself removes it after two weeks.
      execFileSync('/bin/sh', ['-c', 'rm .git/sharedindex.*'], { cwd: project.root });
    },
  },
];

describe.concurrent('a restore, and the restore of its rescue checkpoint, bring back', () => {
  test.for(rows)('$what', async ({ given, edit }, { makeProject }) => {
    const project = gitProject(makeProject, { a: '1', 'd/b': '1' });
    given?.(project);
    const then = stateOf(project);
    const checkpoint = await created(project);
    edit(project);
    const since = stateOf(project);
    expect(since).not.toEqual(then);

    const { rescue } = await restored(project, checkpoint);
    expect(stateOf(project)).toEqual(then);

    await restored(project, rescue);
    expect(stateOf(project)).toEqual(since);
  });
});

test('restored files are up to date in the index', async ({ makeProject }) => {
  const project = gitProject(makeProject, { a: '1', b: '1' });
  project.write({ b: '2' });
  const checkpoint = await created(project);
  project.write({ a: '3', b: '3' });
  await restored(project, checkpoint);

  // Unlike `git diff`, it does not refresh the index.
  expect(git(project, 'diff-files', '--name-only')).toBe('b\n');
});

test('a restore brings back a file that changed in the second in which it was staged, to the same size', async ({
  makeProject,
}) => {
  const project = gitProject(makeProject, { a: '1' });
  // A test cannot set the ctime.
  git(project, 'config', 'core.trustCtime', 'false');
  const write = (content: string) => {
    project.write({ a: content });
    utimesSync(project.path('a'), 1_000_000, 1_000_000);
  };
  write('staged');
  git(project, 'add', 'a');
  write('edited');
  utimesSync(project.path('.git/index'), 1_000_000, 1_000_000);
  const checkpoint = await created(project);
  write('change');
  await restored(project, checkpoint);

  expect(project.read('a')).toBe('edited');
  expect(git(project, 'status', '--porcelain')).toBe('MM a\n');
});

/** Git stores other bytes than those on disk. */
const conversions: {
  what: string;
  attributes?: string;
  config?: readonly string[];
  files: Readonly<Record<string, string | Buffer>>;
}[] = [
  { what: 'CRLF line ends, by config', config: ['core.autocrlf', 'true'], files: { x: 'one\r\ntwo\r\n' } },
  {
    what: 'mixed CRLF and LF line ends',
    attributes: '* text=auto',
    files: { x: 'one\r\ntwo\n', y: 'one\ntwo\r\n' },
  },
  {
    what: 'LF line ends where a checkout makes CRLF',
    attributes: '* text eol=crlf',
    files: { x: 'one\ntwo\n' },
  },
  { what: '$Id$ keywords', attributes: '* ident', files: { x: '$Id$', y: '$Id: 1234 $' } },
  {
    what: 'a working tree encoding',
    attributes: 'x working-tree-encoding=UTF-16LE',
    files: { x: Buffer.from('ünder', 'utf16le') },
  },
  {
    what: 'a filter that keeps the size',
    attributes: '* filter=upper',
    config: ['filter.upper.clean', 'tr a-z A-Z'],
    files: { x: 'MiXed', y: 'other' },
  },
];

describe.concurrent('a restore brings back the bytes on disk with', () => {
  test.for(conversions)('$what', async ({ attributes, config, files }, { makeProject }) => {
    const project = gitProject(makeProject);
    if (config) git(project, 'config', ...config);
    project.write({ ...(attributes !== undefined && { '.gitattributes': `${attributes}\n` }), ...files });
    git(project, 'add', '--all');
    git(project, 'commit', '--message=two');
    const then = stateOf(project);
    const checkpoint = await created(project);
    for (const file of Object.keys(files)) project.write({ [file]: 'lost' });
    await restored(project, checkpoint);

    expect(stateOf(project)).toEqual(then);
  });

  test('attributes that have changed since', async ({ makeProject }) => {
    const project = gitProject(makeProject, {
      '.gitattributes': '* text=auto\n',
      x: 'one\r\n',
      y: 'one\r\n',
    });
    const then = stateOf(project);
    const checkpoint = await created(project);
    project.write({ '.gitattributes': '', y: 'two' });
    const since = stateOf(project);
    const { rescue } = await restored(project, checkpoint);
    expect(stateOf(project)).toEqual(then);
    await restored(project, rescue);
    expect(stateOf(project)).toEqual(since);
  });
});
