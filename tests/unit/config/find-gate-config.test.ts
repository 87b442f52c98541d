import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findGateConfig, findProject, type WantedConfig } from '../../../src/config/discover.ts';
import { readProject } from '../../../src/config/load.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const GIT = { '.git/': '' };
const GATES = 'gate.config.json';
const TRELLIS = '.trellis/worktree.yaml';
const ALONE = 'worktree.yaml';
const TASK = '.trellis/.current-task';
const VERIFY = 'verify:\n  - a\n';
const SETTINGS = 'ralph:\n  max_iterations: 2\n';

/** Files of the tree, where the agent works, and which gate config counts there. */
type Row = [what: string, files: Record<string, string>, cwd: string, path: string];

const names: Row[] = [
  ['gate.config.json', { ...GIT, [GATES]: '' }, '.', GATES],
  ['.gaterc.json', { ...GIT, '.gaterc.json': '' }, '.', '.gaterc.json'],
  ['.gaterc', { ...GIT, '.gaterc': '' }, '.', '.gaterc'],
  ['the first of all three', { ...GIT, [GATES]: '', '.gaterc.json': '', '.gaterc': '' }, '.', GATES],
  ['the first of the latter two', { ...GIT, '.gaterc.json': '', '.gaterc': '' }, '.', '.gaterc.json'],
  ['above', { ...GIT, [GATES]: '', 'a/b/': '' }, 'a/b', GATES],
  ['above a directory that is gone', { ...GIT, [GATES]: '' }, 'gone/b', GATES],
  [
    'the nearest, whatever its name',
    { ...GIT, [GATES]: '', 'a/.gaterc': '', 'a/b/': '' },
    'a/b',
    'a/.gaterc',
  ],
  ['where .git is a file', { '.git': 'gitdir: ../x', [GATES]: '', 'a/': '' }, 'a', GATES],
  ['outside of any repository, in the directory itself', { [GATES]: '' }, '.', GATES],
  ['outside of any repository, by its last name', { '.gaterc': '' }, '.', '.gaterc'],
];

/** A worktree.yaml that sets no gates does not stand in the way, and gives its settings. */
const beside: [...Row, config: string | undefined][] = [
  ['none', { ...GIT, [GATES]: '' }, '.', GATES, undefined],
  ['one that is empty', { ...GIT, [GATES]: '', [ALONE]: '' }, '.', GATES, ALONE],
  ['one with settings alone', { ...GIT, [GATES]: '', [ALONE]: SETTINGS }, '.', GATES, ALONE],
  ['one further up', { ...GIT, [`a/${GATES}`]: '', [ALONE]: SETTINGS }, 'a', `a/${GATES}`, ALONE],
  ['one further down', { ...GIT, [GATES]: '', [`a/${ALONE}`]: SETTINGS }, 'a', GATES, `a/${ALONE}`],
  ["Trellis's without a task", { ...GIT, [GATES]: '', [TRELLIS]: SETTINGS }, '.', GATES, TRELLIS],
  [
    "Trellis's with a task, before its markers",
    { ...GIT, [GATES]: '', [TRELLIS]: 'copy:\n  - x\n', [TASK]: 'tasks/t' },
    '.',
    GATES,
    TRELLIS,
  ],
  ['a Trellis task without any', { ...GIT, [GATES]: '', [TASK]: 'tasks/t' }, '.', GATES, undefined],
];

/** A worktree.yaml that sets gates, or meant to, is the one that counts. */
const against: [...Row][] = [
  ['in the same directory', { ...GIT, [GATES]: '', [ALONE]: VERIFY }, '.', ALONE],
  ['further up', { ...GIT, [`a/${GATES}`]: '', [ALONE]: VERIFY }, 'a', ALONE],
  ['with no commands in it', { ...GIT, [GATES]: '', [ALONE]: 'verify: []\n' }, '.', ALONE],
  ['misspelled', { ...GIT, [GATES]: '', [ALONE]: 'verfy:\n  - a\n' }, '.', ALONE],
  ["Trellis's without a task", { ...GIT, [GATES]: '', [TRELLIS]: VERIFY }, '.', TRELLIS],
  ["Trellis's with a task", { ...GIT, [GATES]: '', [TRELLIS]: VERIFY, [TASK]: 'tasks/t' }, '.', TRELLIS],
];

const find = (tree: string, cwd: string, wanted?: WantedConfig) => findProject(join(tree, cwd), wanted);
const gateConfig = (tree: string, path: string, cwd: string) => ({
  path: join(tree, path),
  workingDirectory: join(tree, cwd),
});

describe('the gate config is found', () => {
  test.each(names)('%s', (_, files, cwd, path) => {
    const tree = temporaryTree(files);
    const root = join(tree, path, '..');

    for (const wanted of [{}, { gatesOnly: true }])
      expect(find(tree, cwd, wanted)).toEqual({
        found: true,
        project: { root, layout: 'stand-alone', gateConfig: gateConfig(tree, path, cwd) },
      });
  });

  test.each(beside)('beside a worktree.yaml that sets no gates: %s', (_, files, cwd, path, config) => {
    const tree = temporaryTree(files);

    expect(find(tree, cwd)).toEqual({
      found: true,
      project: {
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
      project: {
        root: join(tree, 'repository'),
        gateConfig: gateConfig(tree, `repository/${GATES}`, 'repository/a'),
      },
    });
  });

  test('where it is a link: its gates belong to the directory of the link', () => {
    const tree = temporaryTree({ ...GIT, 'shared/gates.json': '{}' });
    symlinkSync('shared/gates.json', join(tree, GATES));

    expect(find(tree, '.')).toMatchObject({
      project: { root: tree, gateConfig: { path: join(tree, GATES) } },
    });
  });

  test.each([
    ['a directory', undefined],
    ['a link to itself', GATES],
    ['a link to nothing', 'gone.json'],
  ])('where it is there but cannot be read, so as to be complained of: %s', (_, target) => {
    const tree = temporaryTree({ ...GIT, ...(target === undefined && { [`${GATES}/`]: '' }) });
    if (target !== undefined) symlinkSync(target, join(tree, GATES));

    expect(find(tree, '.')).toMatchObject({ project: { gateConfig: { path: join(tree, GATES) } } });
  });

  test('outside of any repository further up, for whoever does not need one', () => {
    const tree = temporaryTree({ [GATES]: '', 'a/': '' });

    expect(find(tree, 'a', { needsRepository: false })).toMatchObject({
      project: { gateConfig: gateConfig(tree, GATES, 'a') },
    });
    expect(find(tree, 'a')).toEqual({ found: false, why: `${join(tree, 'a')} lies in no git repository` });
  });
});

describe('a worktree.yaml that sets gates is the one that counts', () => {
  test.each(against)('%s', (_, files, cwd, path) => {
    const tree = temporaryTree(files);
    const found = find(tree, cwd);

    expect(found).toMatchObject({ project: { config: { path: join(tree, path) } } });
    expect(found).not.toHaveProperty('project.gateConfig');
  });

  test('one that cannot be read may have set some', () => {
    const tree = temporaryTree({ ...GIT, [GATES]: '' });
    symlinkSync(ALONE, join(tree, ALONE));
    const found = find(tree, '.');

    expect(found).toMatchObject({ project: { config: { unreadable: expect.stringContaining('ELOOP') } } });
    expect(found).not.toHaveProperty('project.gateConfig');
  });

  test.each(against)('but not for whoever asks for a gate config: %s', (_, files, cwd) => {
    const path = `a/${GATES}` in files ? `a/${GATES}` : GATES;
    const tree = temporaryTree(files);

    expect(find(tree, cwd, { gatesOnly: true })).toEqual({
      found: true,
      project: {
        root: join(tree, path, '..'),
        layout: 'stand-alone',
        gateConfig: gateConfig(tree, path, cwd),
      },
    });
  });
});

describe('no gate config is found', () => {
  test.each([
    ['in an empty repository', GIT],
    ['above the repository', { [GATES]: '', 'a/.git/': '' }],
    ['by another name', { ...GIT, 'gate.config.js': '', 'gates.config.json': '', 'a/.gaterc.yaml': '' }],
    ['further down', { ...GIT, [`a/b/${GATES}`]: '' }],
  ])('%s', (_, files) => {
    const tree = temporaryTree({ 'a/': '', ...files });
    const repository = 'a/.git/' in files ? join(tree, 'a') : tree;

    expect(find(tree, 'a')).toEqual({ found: false, why: 'no worktree.yaml was found', repository });
    expect(find(tree, 'a', { gatesOnly: true })).toEqual({
      found: false,
      why: expect.stringMatching(/^no gate/),
      repository,
    });
  });

  test('by whoever asks for one, though there is a worktree.yaml or a task', () => {
    const tree = temporaryTree({ ...GIT, [ALONE]: VERIFY, [TASK]: 'tasks/t' });

    expect(find(tree, '.', { gatesOnly: true })).toMatchObject({ found: false });
  });
});

describe('a config that is named', () => {
  const files = { ...GIT, [GATES]: '', 'conf/mine.json': '', 'a/b/': '' };

  test.each([
    ['relative to where the agent works', '../../conf/mine.json'],
    ['that is not there', '../../conf/gone.json'],
    ['in a directory that is not there', '../../gone/mine.json'],
    ['outside of the project', '../../../mine.json'],
  ])('counts before all others, for the project around the agent: %s', (_, named) => {
    const tree = temporaryTree(files);

    for (const gatesOnly of [false, true])
      expect(find(tree, 'a/b', { named, gatesOnly })).toEqual({
        found: true,
        project: {
          root: tree,
          layout: 'stand-alone',
          gateConfig: gateConfig(tree, join('a/b', named), 'a/b'),
        },
      });
  });

  test('counts before the gates of a worktree.yaml, and takes its settings', () => {
    const tree = temporaryTree({ ...files, [`a/${ALONE}`]: VERIFY });
    const project = { layout: 'stand-alone', gateConfig: gateConfig(tree, 'conf/mine.json', 'a/b') };
    const named = '../../conf/mine.json';

    expect(find(tree, 'a/b', { named })).toEqual({
      found: true,
      project: { ...project, root: join(tree, 'a'), config: { path: join(tree, 'a', ALONE), text: VERIFY } },
    });
    expect(find(tree, 'a/b', { named, gatesOnly: true })).toEqual({
      found: true,
      project: { ...project, root: tree },
    });
  });

  test('by its absolute path, outside of any repository', () => {
    const tree = temporaryTree({ 'conf/mine.json': '', 'a/': '' });

    expect(find(tree, 'a', { named: join(tree, 'conf/mine.json') })).toMatchObject({
      project: { root: join(tree, 'a'), gateConfig: gateConfig(tree, 'conf/mine.json', 'a') },
    });
  });

  test('through a link to its directory: what lies inside of it stays inside', async () => {
    const config = '{"gates": [{"name": "a", "command": "b", "cwd": "sub"}]}';
    const tree = temporaryTree({ ...GIT, 'real/mine.json': config, 'real/sub/': '' });
    symlinkSync('real', join(tree, 'link'));
    const found = find(tree, '.', { named: 'link/mine.json' });
    if (!found.found) throw new Error('it was not found');
    const { gates, problems } = await readProject(found.project, undefined);

    expect(problems).toEqual([]);
    expect(gates).toHaveLength(1);
  });

  test('that is not there is a problem, and no empty config', async () => {
    const tree = temporaryTree(GIT);
    const found = find(tree, '.', { named: 'gone.json' });
    if (!found.found) throw new Error('it was not found');

    expect((await readProject(found.project, undefined)).problems).toEqual([
      'gone.json:1:1: the file cannot be read: there is no such file',
    ]);
  });
});

describe('what a gate config is read with', () => {
  const gates = (more = '') => `{"gates": [{"name": "a", "command": "b"}]${more}}`;
  const projectOf = async (files: Record<string, string>, cwd = '.') => {
    const tree = temporaryTree({ ...GIT, ...files });
    const found = find(tree, cwd);
    if (!found.found) throw new Error(found.why);
    return { tree, config: await readProject(found.project, undefined) };
  };

  test.each([
    ['no worktree.yaml', {}, { maxIterations: 5, agents: ['main', 'check'], failFast: true }],
    ['one with settings', { [ALONE]: `${SETTINGS}  agents: [x]\n` }, { maxIterations: 2, agents: ['x'] }],
    ["Trellis's", { [TRELLIS]: SETTINGS }, { maxIterations: 2, agents: ['main', 'check'] }],
    [
      'one without fail-fast: it is that of the gate config',
      { [ALONE]: 'ralph:\n  fail_fast: false\n' },
      { failFast: true },
    ],
  ])('the settings of %s', async (_, files, settings) => {
    const { config } = await projectOf({ [GATES]: gates(), ...files });

    expect(config.problems).toEqual([]);
    expect(config.settings).toMatchObject(settings);
    expect(config.gates).toMatchObject([{ name: 'a' }]);
  });

  test('its own failFast', async () => {
    const { config } = await projectOf({ [GATES]: gates(', "failFast": false') });

    expect(config.settings.failFast).toBe(false);
  });

  test('its gates run where the agent works, and its results lie beside it', async () => {
    const { tree, config } = await projectOf({ [GATES]: gates(), 'a/b/': '' }, 'a/b');

    expect(config.gates).toMatchObject([{ cwd: join(tree, 'a/b') }]);
    expect(config.resultsPath).toBe(join(tree, `gate-results-${process.pid}.json`));
  });

  test('problems of both files, each with its name from the root', async () => {
    const { config } = await projectOf({
      [GATES]: '{\n"gates": 5}',
      [ALONE]: 'ralph:\n  max_iterations: 0\n',
    });

    expect(config.problems.map((problem) => problem.split(' ', 1)[0])).toEqual([
      'worktree.yaml:2:19:',
      'gate.config.json:2:10:',
    ]);
  });

  test('a file that goes away before it is read', async () => {
    const tree = temporaryTree({ ...GIT, [GATES]: gates() });
    const found = find(tree, '.');
    if (!found.found) throw new Error(found.why);
    rmSync(join(tree, GATES));

    expect((await readProject(found.project, undefined)).problems).toEqual([
      'gate.config.json:1:1: the file cannot be read: there is no such file',
    ]);
  });
});

test('the nearest directory comes first, then the order of the names', () => {
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
