import { chownSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import {
  type FindProjectOptions,
  findAgentProject,
  findGateConfig,
  findProject,
  mayGuard,
  type ProjectLayout,
  readCurrentTask,
  rootWithoutConfig,
} from '../../../src/config/discover.ts';
import { parseWorktree } from '../../../src/config/worktree.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const GIT = { '.git/': '' };
const GATES = 'gate.config.json';
const TRELLIS = '.trellis/worktree.yaml';
const ALONE = 'worktree.yaml';
const TASK = '.trellis/.current-task';
const VERIFY = 'verify:\n  - a\n';
const SETTINGS = 'ralph:\n  max_iterations: 2\n';

/** Files of the tree, the directory of the agent, the root of the project and its config. */
type WorktreeRow = [what: string, files: Record<string, string>, cwd: string, root: string, config: string];

const worktrees: WorktreeRow[] = [
  ['at the root of the repository', { ...GIT, [ALONE]: 'x' }, '.', '.', ALONE],
  ['in a parent directory', { ...GIT, [ALONE]: 'x', 'a/b/': '' }, 'a/b', '.', ALONE],
  ['in a parent of a directory that does not exist', { ...GIT, [ALONE]: 'x' }, 'gone/b/c', '.', ALONE],
  ['in .trellis of a parent directory', { ...GIT, [TRELLIS]: 'x', 'a/b/': '' }, 'a/b', '.', TRELLIS],
  [
    'in a repository whose .git is a file',
    { '.git': 'gitdir: ../x', [ALONE]: 'x', 'a/': '' },
    'a',
    '.',
    ALONE,
  ],
  [
    'in a subdirectory of the repository',
    { ...GIT, [`a/${ALONE}`]: 'x', 'a/b/': '' },
    'a/b',
    'a',
    `a/${ALONE}`,
  ],
  [
    'in the nearest of two directories',
    { ...GIT, [ALONE]: 'x', [`a/${ALONE}`]: 'y' },
    'a',
    'a',
    `a/${ALONE}`,
  ],
  [
    'in .trellis, before one in the same directory',
    { ...GIT, [ALONE]: 'x', [TRELLIS]: 'y' },
    '.',
    '.',
    TRELLIS,
  ],
  [
    'in .trellis, before one in a nearer directory',
    { ...GIT, [TRELLIS]: 'y', [`a/${ALONE}`]: 'x' },
    'a',
    '.',
    TRELLIS,
  ],
  [
    'in the repository, not in the one around it',
    { ...GIT, [TRELLIS]: 'x', 'a/.git/': '', [`a/${ALONE}`]: 'y' },
    'a',
    'a',
    `a/${ALONE}`,
  ],
  [
    'in a parent directory, if the nearer one is a directory',
    { ...GIT, [ALONE]: 'x', [`a/${ALONE}/`]: '' },
    'a',
    '.',
    ALONE,
  ],
  [
    'in the root, if the one in .trellis is a directory',
    { ...GIT, [ALONE]: 'x', [`${TRELLIS}/`]: '' },
    '.',
    '.',
    ALONE,
  ],
  ['in the root, if .trellis is a file', { ...GIT, [ALONE]: 'x', '.trellis': 'y' }, '.', '.', ALONE],
  ['that is empty', { ...GIT, [ALONE]: '' }, '.', '.', ALONE],
  [
    'in .trellis of a directory with a task, before a nearer one without',
    { ...GIT, [TRELLIS]: 'x', [TASK]: 'tasks/t', [`a/${TRELLIS}`]: 'y', 'a/b/': '' },
    'a/b',
    '.',
    TRELLIS,
  ],
  [
    'in the nearest of two .trellis that both have a task',
    { ...GIT, [TRELLIS]: 'x', [TASK]: 'tasks/t', [`a/${TRELLIS}`]: 'y', [`a/${TASK}`]: 'tasks/u' },
    'a',
    'a',
    `a/${TRELLIS}`,
  ],
  [
    'in the nearest of two .trellis without a task',
    { ...GIT, [TRELLIS]: 'x', [`a/${TRELLIS}`]: 'y' },
    'a',
    'a',
    `a/${TRELLIS}`,
  ],
  [
    'in .trellis without a task, before a nearer one beside a task',
    { ...GIT, [TRELLIS]: 'x', [`a/${ALONE}`]: 'verify:\n  - a\n', [`a/${TASK}`]: 'tasks/t' },
    'a',
    '.',
    TRELLIS,
  ],
  [
    'that sets gates, beside a Trellis task',
    { ...GIT, [ALONE]: 'copy:\n  - x\nverify:\n  - a\n', [TASK]: 'x' },
    '.',
    '.',
    ALONE,
  ],
  [
    'that sets gates by a quoted key, beside a Trellis task',
    { ...GIT, [ALONE]: '"verify": [a]\n', [TASK]: 'x' },
    '.',
    '.',
    ALONE,
  ],
  [
    'that has settings, beside a Trellis task',
    { ...GIT, [ALONE]: 'ralph:\n  agents: [x]\n', [TASK]: 'x' },
    '.',
    '.',
    ALONE,
  ],
  [
    'with CRLF, beside a Trellis task',
    { ...GIT, [ALONE]: 'copy: x\r\nverify: [a]\r\n', [TASK]: 'x' },
    '.',
    '.',
    ALONE,
  ],
  [
    'with a byte order mark, beside a Trellis task',
    { ...GIT, [ALONE]: '\uFEFFverify:\n  - a\n', [TASK]: 'x' },
    '.',
    '.',
    ALONE,
  ],
];

describe('findProject finds a worktree.yaml', () => {
  test.each(worktrees)('%s', (_, files, cwd, root, config) => {
    const tree = temporaryTree(files);

    expect(findProject(join(tree, cwd))).toEqual({
      ok: true,
      value: {
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
      value: { root: join(tree, 'repository') },
    });
  });

  test('outside of a repository only if none is needed', () => {
    const tree = temporaryTree({ [ALONE]: 'x', 'a/': '' });

    expect(findProject(join(tree, 'a'), { needsRepository: false })).toMatchObject({
      value: { root: tree },
    });
    expect(findProject(join(tree, 'a'))).toEqual({
      ok: false,
      failure: { message: `${join(tree, 'a')} is not in a git repository` },
    });
  });
});

describe('findProject finds a Trellis project that has a task and', () => {
  test.each([
    ['no worktree.yaml', {}],
    ['a directory called worktree.yaml', { [`${TRELLIS}/`]: '' }],
    ['a worktree.yaml without verify and ralph in the root', { [ALONE]: 'copy:\n  - verify\n' }],
    ['an empty worktree.yaml in the root', { [ALONE]: '' }],
  ])('%s', (_, files) => {
    const tree = temporaryTree({ ...GIT, '.trellis/.current-task': 'x', 'a/': '', ...files });

    expect(findProject(join(tree, 'a'))).toEqual({ ok: true, value: { root: tree, layout: 'trellis' } });
  });
});

describe('findProject finds no project', () => {
  test.each([
    ['in an empty repository', GIT],
    ['if the config is above the repository', { [ALONE]: 'x', 'a/.git/': '' }],
    ['if .trellis has neither a config nor a task', { ...GIT, '.trellis/x': '' }],
  ])('%s', (_, files) => {
    const tree = temporaryTree({ 'a/': '', ...files });
    const repository = 'a/.git/' in files ? join(tree, 'a') : tree;

    expect(findProject(join(tree, 'a'))).toEqual({
      ok: false,
      failure: { message: `no worktree.yaml was found in ${repository}`, repository },
    });
  });
});

test('findProject returns an unreadable worktree.yaml with the error', () => {
  const tree = temporaryTree(GIT);
  symlinkSync(ALONE, join(tree, ALONE));

  expect(findProject(tree)).toMatchObject({
    value: { config: { text: '', unreadable: expect.stringContaining('ELOOP') } },
  });
});

test('findProject returns an unreadable worktree.yaml beside a Trellis task, as it may set gates', () => {
  const tree = temporaryTree({ ...GIT, [TASK]: 'tasks/t' });
  symlinkSync(ALONE, join(tree, ALONE));

  expect(findProject(tree)).toMatchObject({
    value: { layout: 'stand-alone', config: { unreadable: expect.stringContaining('ELOOP') } },
  });
});

/** Files of the tree, the directory of the agent, and the gate config that is used. */
type GateConfigRow = [what: string, files: Record<string, string>, cwd: string, path: string];

const names: GateConfigRow[] = [
  ['called gate.config.json', { ...GIT, [GATES]: '' }, '.', GATES],
  ['called .gaterc.json', { ...GIT, '.gaterc.json': '' }, '.', '.gaterc.json'],
  ['called .gaterc', { ...GIT, '.gaterc': '' }, '.', '.gaterc'],
  [
    'gate.config.json, before the other names',
    { ...GIT, [GATES]: '', '.gaterc.json': '', '.gaterc': '' },
    '.',
    GATES,
  ],
  ['.gaterc.json, before .gaterc', { ...GIT, '.gaterc.json': '', '.gaterc': '' }, '.', '.gaterc.json'],
  ['in a parent directory', { ...GIT, [GATES]: '', 'a/b/': '' }, 'a/b', GATES],
  ['in a parent of a directory that does not exist', { ...GIT, [GATES]: '' }, 'gone/b', GATES],
  [
    'in the nearest directory, whatever its name',
    { ...GIT, [GATES]: '', 'a/.gaterc': '', 'a/b/': '' },
    'a/b',
    'a/.gaterc',
  ],
  ['in a repository whose .git is a file', { '.git': 'gitdir: ../x', [GATES]: '', 'a/': '' }, 'a', GATES],
  ['in the directory itself, outside of a repository', { [GATES]: '' }, '.', GATES],
  ['called .gaterc, outside of a repository', { '.gaterc': '' }, '.', '.gaterc'],
];

/** A worktree.yaml without gates is used for its settings. */
const beside: [...GateConfigRow, config: string | undefined][] = [
  ['no such file', { ...GIT, [GATES]: '' }, '.', GATES, undefined],
  ['an empty one', { ...GIT, [GATES]: '', [ALONE]: '' }, '.', GATES, ALONE],
  ['one with settings only', { ...GIT, [GATES]: '', [ALONE]: SETTINGS }, '.', GATES, ALONE],
  ['one in a parent directory', { ...GIT, [`a/${GATES}`]: '', [ALONE]: SETTINGS }, 'a', `a/${GATES}`, ALONE],
  ['one in a subdirectory', { ...GIT, [GATES]: '', [`a/${ALONE}`]: SETTINGS }, 'a', GATES, `a/${ALONE}`],
  ['one in .trellis without a task', { ...GIT, [GATES]: '', [TRELLIS]: SETTINGS }, '.', GATES, TRELLIS],
  [
    'one in .trellis with a task, whose markers are not used',
    { ...GIT, [GATES]: '', [TRELLIS]: 'copy:\n  - x\n', [TASK]: 'tasks/t' },
    '.',
    GATES,
    TRELLIS,
  ],
  ['a Trellis task without such a file', { ...GIT, [GATES]: '', [TASK]: 'tasks/t' }, '.', GATES, undefined],
];

/** A worktree.yaml that sets gates, or tries to. */
const against: [...GateConfigRow][] = [
  ['in the same directory', { ...GIT, [GATES]: '', [ALONE]: VERIFY }, '.', ALONE],
  ['in a parent directory', { ...GIT, [`a/${GATES}`]: '', [ALONE]: VERIFY }, 'a', ALONE],
  ['with an empty list of gates', { ...GIT, [GATES]: '', [ALONE]: 'verify: []\n' }, '.', ALONE],
  ['with a misspelled key', { ...GIT, [GATES]: '', [ALONE]: 'verfy:\n  - a\n' }, '.', ALONE],
  ['in .trellis without a task', { ...GIT, [GATES]: '', [TRELLIS]: VERIFY }, '.', TRELLIS],
  ['in .trellis with a task', { ...GIT, [GATES]: '', [TRELLIS]: VERIFY, [TASK]: 'tasks/t' }, '.', TRELLIS],
];

const find = (tree: string, cwd: string, wanted?: FindProjectOptions) => findProject(join(tree, cwd), wanted);
const gateConfig = (tree: string, path: string, cwd: string) => ({
  path: join(tree, path),
  workingDirectory: join(tree, cwd),
});

describe('findProject finds a gate config', () => {
  test.each(names)('%s', (_, files, cwd, path) => {
    const tree = temporaryTree(files);
    const root = join(tree, path, '..');

    for (const wanted of [{}, { gatesOnly: true }])
      expect(find(tree, cwd, wanted)).toEqual({
        ok: true,
        value: { root, layout: 'stand-alone', gateConfig: gateConfig(tree, path, cwd) },
      });
  });

  test.each(beside)('beside a worktree.yaml that sets no gates: %s', (_, files, cwd, path, config) => {
    const tree = temporaryTree(files);

    expect(find(tree, cwd)).toEqual({
      ok: true,
      value: {
        root: join(tree, path, '..'),
        layout: 'stand-alone',
        ...(config && { config: { path: join(tree, config), text: files[config] } }),
        gateConfig: gateConfig(tree, path, cwd),
      },
    });
  });

  test('through a link into the repository', () => {
    const tree = temporaryTree({ 'repository/.git/': '', [`repository/${GATES}`]: '', 'repository/a/': '' });
    symlinkSync(join(tree, 'repository/a'), join(tree, 'link'));

    expect(find(tree, 'link')).toMatchObject({
      value: {
        root: join(tree, 'repository'),
        gateConfig: gateConfig(tree, `repository/${GATES}`, 'repository/a'),
      },
    });
  });

  test('that is a link, in the directory of the link', () => {
    const tree = temporaryTree({ ...GIT, 'shared/gates.json': '{}' });
    symlinkSync('shared/gates.json', join(tree, GATES));

    expect(find(tree, '.')).toMatchObject({
      value: { root: tree, gateConfig: { path: join(tree, GATES) } },
    });
  });

  test.each([
    ['a directory', undefined],
    ['a link to itself', GATES],
    ['a link to nothing', 'gone.json'],
  ])('that cannot be read: %s', (_, target) => {
    const tree = temporaryTree({ ...GIT, ...(target === undefined && { [`${GATES}/`]: '' }) });
    if (target !== undefined) symlinkSync(target, join(tree, GATES));

    expect(find(tree, '.')).toMatchObject({ value: { gateConfig: { path: join(tree, GATES) } } });
  });

  test('in a parent directory outside of a repository only if no repository is needed', () => {
    const tree = temporaryTree({ [GATES]: '', 'a/': '' });

    expect(find(tree, 'a', { needsRepository: false })).toMatchObject({
      value: { gateConfig: gateConfig(tree, GATES, 'a') },
    });
    expect(find(tree, 'a')).toEqual({
      ok: false,
      failure: { message: `${join(tree, 'a')} is not in a git repository` },
    });
  });
});

describe('findProject prefers a worktree.yaml that sets gates', () => {
  test.each(against)('%s', (_, files, cwd, path) => {
    const tree = temporaryTree(files);
    const found = find(tree, cwd);

    expect(found).toMatchObject({ value: { config: { path: join(tree, path) } } });
    expect(found).not.toHaveProperty('value.gateConfig');
  });

  test('or cannot be read', () => {
    const tree = temporaryTree({ ...GIT, [GATES]: '' });
    symlinkSync(ALONE, join(tree, ALONE));
    const found = find(tree, '.');

    expect(found).toMatchObject({ value: { config: { unreadable: expect.stringContaining('ELOOP') } } });
    expect(found).not.toHaveProperty('value.gateConfig');
  });

  test.each(against)('unless only a gate config is asked for: %s', (_, files, cwd) => {
    const path = `a/${GATES}` in files ? `a/${GATES}` : GATES;
    const tree = temporaryTree(files);

    expect(find(tree, cwd, { gatesOnly: true })).toEqual({
      ok: true,
      value: {
        root: join(tree, path, '..'),
        layout: 'stand-alone',
        gateConfig: gateConfig(tree, path, cwd),
      },
    });
  });
});

describe('findProject finds no gate config', () => {
  test.each([
    ['in an empty repository', GIT],
    ['above the repository', { [GATES]: '', 'a/.git/': '' }],
    ['with another name', { ...GIT, 'gate.config.js': '', 'gates.config.json': '', 'a/.gaterc.yaml': '' }],
    ['in a subdirectory', { ...GIT, [`a/b/${GATES}`]: '' }],
  ])('%s', (_, files) => {
    const tree = temporaryTree({ 'a/': '', ...files });
    const repository = 'a/.git/' in files ? join(tree, 'a') : tree;

    expect(find(tree, 'a')).toEqual({
      ok: false,
      failure: { message: `no worktree.yaml was found in ${repository}`, repository },
    });
    expect(find(tree, 'a', { gatesOnly: true })).toEqual({
      ok: false,
      failure: { message: `no gate config was found in ${repository}`, repository },
    });
  });

  test('beside a worktree.yaml or a task, if only a gate config is asked for', () => {
    const tree = temporaryTree({ ...GIT, [ALONE]: VERIFY, [TASK]: 'tasks/t' });

    expect(find(tree, '.', { gatesOnly: true })).toMatchObject({ ok: false });
  });
});

describe('findProject uses a named gate config', () => {
  const files = { ...GIT, [GATES]: '', 'conf/mine.json': '', 'a/b/': '' };

  test.each([
    ['relative to the directory of the agent', '../../conf/mine.json'],
    ['that does not exist', '../../conf/gone.json'],
    ['in a directory that does not exist', '../../gone/mine.json'],
    ['outside of the project', '../../../mine.json'],
  ])('in the project of the agent: %s', (_, named) => {
    const tree = temporaryTree(files);

    for (const gatesOnly of [false, true])
      expect(find(tree, 'a/b', { named, gatesOnly })).toEqual({
        ok: true,
        value: {
          root: tree,
          layout: 'stand-alone',
          gateConfig: gateConfig(tree, join('a/b', named), 'a/b'),
        },
      });
  });

  test('instead of the gates of a worktree.yaml, with its settings', () => {
    const tree = temporaryTree({ ...files, [`a/${ALONE}`]: VERIFY });
    const project = { layout: 'stand-alone', gateConfig: gateConfig(tree, 'conf/mine.json', 'a/b') };
    const named = '../../conf/mine.json';

    expect(find(tree, 'a/b', { named })).toEqual({
      ok: true,
      value: { ...project, root: join(tree, 'a'), config: { path: join(tree, 'a', ALONE), text: VERIFY } },
    });
    expect(find(tree, 'a/b', { named, gatesOnly: true })).toEqual({
      ok: true,
      value: { ...project, root: tree },
    });
  });

  test('by its absolute path outside of a repository', () => {
    const tree = temporaryTree({ 'conf/mine.json': '', 'a/': '' });

    expect(find(tree, 'a', { named: join(tree, 'conf/mine.json') })).toMatchObject({
      value: { root: join(tree, 'a'), gateConfig: gateConfig(tree, 'conf/mine.json', 'a') },
    });
  });
});

/** Files of the tree, the directory of the agent, and the root of the project; undefined if there is none. */
type NestedRow = [what: string, files: Record<string, string>, cwd: string, root: string | undefined];

const OUTER = { ...GIT, [ALONE]: VERIFY };
const AROUND = { orAround: true };

describe('findProject finds the project around a repository', () => {
  const rows: NestedRow[] = [
    ['that is a clone', { ...OUTER, 'vendor/clone/.git/': '' }, 'vendor/clone', '.'],
    [
      'that is a submodule',
      { ...OUTER, 'sub/.git': 'gitdir: ../.git/modules/sub', 'sub/a/': '' },
      'sub/a',
      '.',
    ],
    ['in a repository that has no config either', { ...OUTER, 'a/.git/': '', 'a/b/.git/': '' }, 'a/b', '.'],
    [
      'that is in a package with a config',
      { ...OUTER, 'a/.git/': '', [`p/${ALONE}`]: 'x', 'p/b/.git/': '' },
      'p/b',
      'p',
    ],
    ['that has a gate config', { ...GIT, [GATES]: '', 'a/.git/': '' }, 'a', '.'],
    ['that has a Trellis task', { ...GIT, [TASK]: 'tasks/t', 'a/.git/': '' }, 'a', '.'],
    ['only if it has no config', { ...OUTER, 'a/.git': 'gitdir: x', [`a/${ALONE}`]: '' }, 'a', 'a'],
    ['only if it is a repository', { [ALONE]: VERIFY, [GATES]: '', 'a/.git/': '' }, 'a', undefined],
  ];
  test.each(rows)('%s', (_, files, cwd, root) => {
    const tree = temporaryTree(files);

    expect(find(tree, cwd, AROUND)).toMatchObject(
      root === undefined ? { ok: false } : { value: { root: join(tree, root) } },
    );
    expect(find(tree, cwd).ok).toBe(root === cwd);
  });

  test('unless it is the one of a home directory, which is around all projects of a person', () => {
    const tree = temporaryTree({ ...OUTER, 'code/a/.git/': '' });
    vi.stubEnv('HOME', tree);

    expect(find(tree, 'code/a', AROUND)).toMatchObject({ ok: false });
    vi.stubEnv('HOME', join(tree, 'code'));
    expect(find(tree, 'code/a', AROUND)).toMatchObject({ ok: false });
    vi.stubEnv('HOME', join(tree, 'code/a'));
    expect(find(tree, 'code/a', AROUND)).toMatchObject({ ok: false });
    vi.unstubAllEnvs();
    expect(find(tree, 'code/a', AROUND)).toMatchObject({ ok: true });
  });

  test.skipIf(process.getuid?.() !== 0)('unless it belongs to another user', () => {
    const tree = temporaryTree({ ...OUTER, 'a/.git/': '' });
    chownSync(join(tree, '.git'), 12345, 12345);

    expect(find(tree, 'a', AROUND)).toMatchObject({ ok: false });
  });
});

describe('findAgentProject finds', () => {
  const HOST = { 'host/.git/': '', [`host/${ALONE}`]: VERIFY, 'host/src/': '' };
  const rows: [...NestedRow, reported: string[]][] = [
    ['the project of the host from a directory outside', { ...HOST, 'tmp/': '' }, 'tmp', 'host', ['host']],
    ['it from a directory that is gone', HOST, 'gone/too', 'host', ['host']],
    ['it from a repository elsewhere', { ...HOST, 'other/.git/': '' }, 'other', 'host', ['host']],
    ['it from a repository inside it', { ...HOST, 'host/src/.git/': '' }, 'host/src', 'host', ['host']],
    ['it if the host was started in a folder of it', { ...HOST, 'tmp/': '' }, 'tmp', 'host', ['host/src']],
    ['it by a path with a slash at its end', { ...HOST, 'tmp/': '' }, 'tmp', 'host', ['host/']],
    ['it by a symbolic link', { ...HOST, 'tmp/': '' }, 'tmp', 'host', ['link']],
    [
      'the project of the host before one around the repository',
      { ...OUTER, ...HOST, 'a/.git/': '' },
      'a',
      'host',
      ['host'],
    ],
    [
      'the project around the repository if the host has none',
      { ...OUTER, 'a/.git/': '', 'b/.git/': '' },
      'a',
      '.',
      ['b'],
    ],
    [
      'the project around the host',
      { 'o/.git/': '', [`o/${ALONE}`]: 'x', 'o/b/.git/': '', 'tmp/': '' },
      'tmp',
      'o',
      ['o/b'],
    ],
    [
      'the project where the agent works, if it has a config',
      { ...HOST, 'tree/.git': 'gitdir: ../host/.git/worktrees/tree', [`tree/${ALONE}`]: 'x' },
      'tree',
      'tree',
      ['host'],
    ],
    [
      'the nearest config of a package',
      { ...HOST, [`host/src/${ALONE}`]: 'x' },
      'host/src',
      'host/src',
      ['host'],
    ],
    [
      'the first of several that has a config',
      { ...HOST, 'a/.git/': '', 'tmp/': '' },
      'tmp',
      'host',
      ['gone', 'a', 'host'],
    ],
    ['no project of a file', { ...HOST, 'tmp/': '' }, 'tmp', undefined, [`host/${ALONE}`]],
    ['no project around a directory that is gone', { ...HOST, 'tmp/': '' }, 'tmp', undefined, ['host/gone']],
    ['no project without a config', { 'a/.git/': '', 'tmp/': '' }, 'tmp', undefined, ['a']],
  ];
  test.each(rows)('%s', (_, files, cwd, root, reported) => {
    const tree = temporaryTree(files);
    symlinkSync('host/src', join(tree, 'link'));
    const from = join(tree, cwd);
    const found = findAgentProject(
      from,
      reported.map((path) => join(tree, path)),
    );

    expect(found).toMatchObject(
      root === undefined
        ? { ok: false, failure: { message: expect.stringContaining(from) } }
        : { value: { root: join(tree, root) } },
    );
  });

  test("a named gate config in the host's project, from a directory outside of every repository", () => {
    const tree = temporaryTree({ ...HOST, 'host/mine.json': '', 'tmp/': '' });
    const project = join(tree, 'host');
    for (const named of ['mine.json', join(project, 'mine.json')])
      expect(findAgentProject(join(tree, 'tmp'), [project], { named })).toMatchObject({
        value: { root: project, gateConfig: gateConfig(tree, 'host/mine.json', 'host') },
      });
    // A missing file is an error to be reported, where the agent works.
    expect(findAgentProject(join(tree, 'tmp'), [project], { named: 'gone.json' })).toMatchObject({
      value: { gateConfig: gateConfig(tree, 'tmp/gone.json', 'tmp') },
    });
  });
});

test.each([
  ['the repository of the host', 'a', ['b/c'], 'b'],
  ["the host's directory outside of a repository", 'a', ['d'], 'd'],
  ['the repository where the agent works, without a host that reports one', 'a', ['gone'], 'a'],
  ['the directory where it works, outside of a repository', 'd', [], 'd'],
])('the state of typed gates without a config is in %s', (_, cwd, reported, root) => {
  const tree = temporaryTree({ 'a/.git/': '', 'b/.git/': '', 'b/c/': '', 'd/': '' });
  const directories = reported.map((path) => join(tree, path));

  expect(rootWithoutConfig(join(tree, cwd), directories)).toBe(join(tree, root));
});

test('findGateConfig prefers the nearest directory, then the first name', () => {
  const tree = temporaryTree({
    [GATES]: '',
    'a/.gaterc': '',
    'b/.gaterc': '',
    'b/.gaterc.json': '',
    'c/': '',
  });
  const inDirectories = (...directories: string[]) =>
    findGateConfig(directories.map((directory) => join(tree, directory)));

  expect(inDirectories('a', '.')).toBe(join(tree, 'a/.gaterc'));
  expect(inDirectories('c', 'b', '.')).toBe(join(tree, 'b/.gaterc.json'));
  expect(inDirectories('c', '.')).toBe(join(tree, GATES));
  expect(inDirectories('c')).toBeUndefined();
  expect(inDirectories()).toBeUndefined();
});

test.each([
  ['tasks/a\n', '.trellis/tasks/a'],
  ['.trellis/tasks/a\n', '.trellis/tasks/a'],
  ['./tasks/a', '.trellis/tasks/a'],
  ['./././tasks/a', '.trellis/tasks/a'],
  ['.\\tasks\\a\r\n', '.trellis/tasks/a'],
  ['tasks/a/', '.trellis/tasks/a/'],
  ['  \t tasks/a b \n\n', '.trellis/tasks/a b'],
  ['elsewhere/a', 'elsewhere/a'],
  ['../tasks/a', '../tasks/a'],
  ['/abs/tasks/a', '/abs/tasks/a'],
  ['tasks', 'tasks'],
  ['tâche', 'tâche'],
  ['', undefined],
  [' \n\t\n', undefined],
  ['./', undefined],
])('readCurrentTask reads %j as %j', (text, task) => {
  expect(readCurrentTask(temporaryTree({ '.trellis/.current-task': text }))).toBe(task);
});

test.each([
  ['there is no file', {}],
  ['it is a directory', { '.trellis/.current-task/': '' }],
  ['it is not UTF-8', { '.trellis/.current-task': Buffer.from([0x74, 0xff, 0xfe]) }],
  ['.trellis is a file', { '.trellis': 'x' }],
])('readCurrentTask returns undefined if %s', (_, files) => {
  expect(readCurrentTask(temporaryTree(files))).toBeUndefined();
});

const files: [what: string, text: string][] = [
  ['empty', ''],
  ['no settings', 'verify:\n  - a\n'],
  ['settings without agents', 'ralph:\n  max_iterations: 3\n'],
  ['empty settings', 'ralph:\nverify:\n  - a\n'],
  ['agents in brackets', 'ralph:\n  agents: [review, main]\n'],
  ['agents below', 'ralph:\n  agents:\n    - review\n    - "check"\n'],
  ['agents in braces', 'ralph: {agents: [review]}\n'],
  ['no agents', 'ralph:\n  agents: []\n'],
  ['agents and no one else', 'verify:\n  - a\n"ralph":\n  agents: [main]\n'],
  ['CRLF', '\uFEFFverify:\r\n  - a\r\nralph:\r\n  agents: [review]\r\n'],
  ['the word in a command', 'verify:\n  - ralph agents review\n'],
  ["the word in someone else's section", 'copy:\n  ralph: x\nnotes: agents main\n'],
  ['two sections', 'ralph:\n  agents: [review]\nralph:\n  agents: [main]\n'],
  ['agents in a comment only', 'ralph:\n  # agents: see the manual\n  max_iterations: 3\n'],
  ['agents of the wrong kind', 'ralph:\n  agents: 5\n'],
  ['agents that are no list', 'ralph:\n  agents: review\n'],
  ['broken settings', 'ralph:\n  agents: [review\nverify:\n  - a\n'],
  ['an unknown key', 'ralph:\n  subagents: [review]\n'],
  ['agents by an alias', 'ralph:\n  state_timeout_minutes: &a [review]\n  agents: *a\n'],
  ['agents in parts', 'ralph:\n  agents:\n    [review, "code review",\n     main]\n'],
];
const layouts: ProjectLayout[] = ['trellis', 'stand-alone'];

const rows = files.flatMap(([what, text]) => layouts.map((layout) => ({ what, text, layout })));

// False is final.
test.each(rows)('mayGuard is true for every guarded agent: $layout, $what', async ({ text, layout }) => {
  const { settings } = await parseWorktree(text, layout, '/the/project');

  expect(settings.agents.filter((agent) => !mayGuard(text, layout, agent))).toEqual([]);
});

describe('mayGuard is true for the default agents only if agents is not set', () => {
  test.each([
    ['trellis', 'check', true],
    ['trellis', 'main', false],
    ['trellis', 'implement', false],
    ['trellis', 'Check', false],
    ['trellis', 'trellis-check', false],
    ['stand-alone', 'main', true],
    ['stand-alone', 'check', true],
    ['stand-alone', 'trellis-check', true],
    ['stand-alone', 'implement', false],
    ['stand-alone', '', false],
  ] as const)('%s: %s', (layout, agent, expected) => {
    expect(mayGuard('verify:\n  - a\n', layout, agent)).toBe(expected);
    expect(mayGuard('ralph:\n  max_iterations: 3\n', layout, agent)).toBe(expected);
  });
});

// Whether `agents` is set is known only after parsing the YAML: the default agents may always be guarded.
test.each([
  ['trellis', 'check', true],
  ['trellis', 'review', true],
  ['trellis', 'main', false],
  ['trellis', 'implement', false],
  ['trellis', '', false],
  ['stand-alone', 'main', true],
  ['stand-alone', 'check', true],
  ['stand-alone', 'review', true],
  ['stand-alone', 'implement', false],
  ['stand-alone', '', false],
] as const)(
  'mayGuard is true for the default agents and for those in the text: %s: %s',
  (layout, agent, expected) => {
    expect(mayGuard('ralph:\n  agents: [review]\ncopy: [x]\n', layout, agent)).toBe(expected);
    expect(mayGuard('copy: [x]\nralph: {agents: [review]}\n', layout, agent)).toBe(expected);
  },
);
