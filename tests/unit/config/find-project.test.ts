import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findProject } from '../../../src/config/find-project.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const GIT = { '.git/': '' };
const TRELLIS = '.trellis/worktree.yaml';
const ALONE = 'worktree.yaml';
const TASK = '.trellis/.current-task';

/** Files of the tree, where the agent works, and where the project's root and its config are found. */
type Row = [what: string, files: Record<string, string>, cwd: string, root: string, config: string];

const rows: Row[] = [
  ['at the root', { ...GIT, [ALONE]: 'x' }, '.', '.', ALONE],
  ['above', { ...GIT, [ALONE]: 'x', 'a/b/': '' }, 'a/b', '.', ALONE],
  ['above a directory that is gone', { ...GIT, [ALONE]: 'x' }, 'gone/b/c', '.', ALONE],
  ["above, Trellis's", { ...GIT, [TRELLIS]: 'x', 'a/b/': '' }, 'a/b', '.', TRELLIS],
  ['with .git as a file', { '.git': 'gitdir: ../x', [ALONE]: 'x', 'a/': '' }, 'a', '.', ALONE],
  ['in a directory of the repository', { ...GIT, [`a/${ALONE}`]: 'x', 'a/b/': '' }, 'a/b', 'a', `a/${ALONE}`],
  ['the nearest of two', { ...GIT, [ALONE]: 'x', [`a/${ALONE}`]: 'y' }, 'a', 'a', `a/${ALONE}`],
  ["Trellis's before the stand-alone one", { ...GIT, [ALONE]: 'x', [TRELLIS]: 'y' }, '.', '.', TRELLIS],
  [
    "Trellis's before a nearer stand-alone one",
    { ...GIT, [TRELLIS]: 'y', [`a/${ALONE}`]: 'x' },
    'a',
    '.',
    TRELLIS,
  ],
  [
    'not that of a repository around',
    { ...GIT, [TRELLIS]: 'x', 'a/.git/': '', [`a/${ALONE}`]: 'y' },
    'a',
    'a',
    `a/${ALONE}`,
  ],
  [
    'though a directory has that name nearer by',
    { ...GIT, [ALONE]: 'x', [`a/${ALONE}/`]: '' },
    'a',
    '.',
    ALONE,
  ],
  ["though a directory has Trellis's name", { ...GIT, [ALONE]: 'x', [`${TRELLIS}/`]: '' }, '.', '.', ALONE],
  ['though .trellis is a file', { ...GIT, [ALONE]: 'x', '.trellis': 'y' }, '.', '.', ALONE],
  ['empty', { ...GIT, [ALONE]: '' }, '.', '.', ALONE],
  [
    "Trellis's of a directory with a task before a nearer one without",
    { ...GIT, [TRELLIS]: 'x', [TASK]: 'tasks/t', [`a/${TRELLIS}`]: 'y', 'a/b/': '' },
    'a/b',
    '.',
    TRELLIS,
  ],
  [
    "the nearest of two Trellis's that both have a task",
    { ...GIT, [TRELLIS]: 'x', [TASK]: 'tasks/t', [`a/${TRELLIS}`]: 'y', [`a/${TASK}`]: 'tasks/u' },
    'a',
    'a',
    `a/${TRELLIS}`,
  ],
  [
    "the nearest of two Trellis's that have no task",
    { ...GIT, [TRELLIS]: 'x', [`a/${TRELLIS}`]: 'y' },
    'a',
    'a',
    `a/${TRELLIS}`,
  ],
  [
    "Trellis's without a task before a stand-alone one with one",
    { ...GIT, [TRELLIS]: 'x', [`a/${ALONE}`]: 'verify:\n  - a\n', [`a/${TASK}`]: 'tasks/t' },
    'a',
    '.',
    TRELLIS,
  ],
  [
    'that sets gates, beside a task',
    { ...GIT, [ALONE]: 'copy:\n  - x\nverify:\n  - a\n', [TASK]: 'x' },
    '.',
    '.',
    ALONE,
  ],
  [
    'that sets gates in quotes, beside a task',
    { ...GIT, [ALONE]: '"verify": [a]\n', [TASK]: 'x' },
    '.',
    '.',
    ALONE,
  ],
  [
    'that has settings, beside a task',
    { ...GIT, [ALONE]: 'ralph:\n  agents: [x]\n', [TASK]: 'x' },
    '.',
    '.',
    ALONE,
  ],
  [
    'with CRLF, beside a task',
    { ...GIT, [ALONE]: 'copy: x\r\nverify: [a]\r\n', [TASK]: 'x' },
    '.',
    '.',
    ALONE,
  ],
  [
    'with a byte order mark, beside a task',
    { ...GIT, [ALONE]: '\uFEFFverify:\n  - a\n', [TASK]: 'x' },
    '.',
    '.',
    ALONE,
  ],
];

describe('the config is found', () => {
  test.each(rows)('%s', (_, files, cwd, root, config) => {
    const tree = temporaryTree(files);

    expect(findProject(join(tree, cwd))).toEqual({
      found: true,
      project: {
        root: join(tree, root),
        layout: config.includes('.trellis') ? 'trellis' : 'stand-alone',
        config: { path: join(tree, config), text: files[config]?.replace('\uFEFF', '') },
      },
    });
  });

  test('through a symbolic link into the repository', () => {
    const tree = temporaryTree({ 'repository/.git/': '', [`repository/${ALONE}`]: 'x', 'repository/a/': '' });
    symlinkSync(join(tree, 'repository/a'), join(tree, 'link'));

    expect(findProject(join(tree, 'link/new'))).toMatchObject({
      project: { root: join(tree, 'repository') },
    });
  });

  test('outside of any repository for whoever does not need one', () => {
    const tree = temporaryTree({ [ALONE]: 'x', 'a/': '' });

    expect(findProject(join(tree, 'a'), { needsRepository: false })).toMatchObject({
      project: { root: tree },
    });
    expect(findProject(join(tree, 'a'))).toEqual({
      found: false,
      why: `${join(tree, 'a')} lies in no git repository`,
    });
  });
});

describe('a Trellis project without a config lives by its task', () => {
  test.each([
    ['none', {}],
    ['a directory of that name', { [`${TRELLIS}/`]: '' }],
    ['a stand-alone one that sets nothing of ours', { [ALONE]: 'copy:\n  - verify\n' }],
    ['an empty stand-alone one', { [ALONE]: '' }],
  ])('%s', (_, files) => {
    const tree = temporaryTree({ ...GIT, '.trellis/.current-task': 'x', 'a/': '', ...files });

    expect(findProject(join(tree, 'a'))).toEqual({ found: true, project: { root: tree, layout: 'trellis' } });
  });
});

describe('nothing is found', () => {
  test.each([
    ['in an empty repository', GIT],
    ['with a config above the repository', { [ALONE]: 'x', 'a/.git/': '' }],
    ['with .trellis alone', { ...GIT, '.trellis/x': '' }],
  ])('%s', (_, files) => {
    const tree = temporaryTree({ 'a/': '', ...files });
    const repository = 'a/.git/' in files ? join(tree, 'a') : tree;

    expect(findProject(join(tree, 'a'))).toEqual({
      found: false,
      why: 'no worktree.yaml was found',
      repository,
    });
  });
});

test('a config that is there and cannot be read is found, with the reason', () => {
  const tree = temporaryTree(GIT);
  symlinkSync(ALONE, join(tree, ALONE));

  expect(findProject(tree)).toMatchObject({
    project: { config: { text: '', unreadable: expect.stringContaining('ELOOP') } },
  });
});

test('a stand-alone config that cannot be read is found beside a task too: it may have set gates', () => {
  const tree = temporaryTree({ ...GIT, [TASK]: 'tasks/t' });
  symlinkSync(ALONE, join(tree, ALONE));

  expect(findProject(tree)).toMatchObject({
    project: { layout: 'stand-alone', config: { unreadable: expect.stringContaining('ELOOP') } },
  });
});
