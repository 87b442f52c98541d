import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findProject, type ProjectFiles, type ProjectLayout } from '../../../src/config/discover.ts';
import { onlyGates, readProject } from '../../../src/config/load.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const TASK = '.trellis/tasks/t';
const GIT = { '.git/': '' };
const GATES = 'gate.config.json';
const TRELLIS = '.trellis/worktree.yaml';
const ALONE = 'worktree.yaml';
const SETTINGS = 'ralph:\n  max_iterations: 2\n';

function project(text: string | undefined, layout: ProjectLayout = 'trellis'): ProjectFiles {
  const root = temporaryTree({ [`${TASK}/check.jsonl`]: '{"reason":"lint"}\n5\n' });
  const path = join(root, layout === 'trellis' ? '.trellis/worktree.yaml' : 'worktree.yaml');
  return { root, layout, ...(text !== undefined && { config: { path, text } }) };
}

const namesOf = async (files: ProjectFiles, task: string | undefined) =>
  (await readProject(files, task)).gates.map(({ name }) => name);

describe('the gates of a project are', () => {
  test.each([
    ['its commands, not the markers of its task', 'verify:\n  - a\n', 'trellis', TASK, ['a']],
    ['the markers of its task if it has no command', 'copy:\n  - a\n', 'trellis', TASK, ['LINT_FINISH']],
    [
      'the markers of its task if every command is disabled',
      'verify:\n  - {run: a, enabled: false}\n',
      'trellis',
      TASK,
      ['LINT_FINISH'],
    ],
    ['the markers of its task if it has no config', undefined, 'trellis', TASK, ['LINT_FINISH']],
    ['none if it has neither commands nor a task', undefined, 'trellis', undefined, []],
    ['none if its config has errors', 'verfy:\n  - a\n', 'trellis', TASK, []],
    ['never markers in the stand-alone layout', 'copy: x\n', 'stand-alone', TASK, []],
  ] as const)('%s', async (_, text, layout, task, names) => {
    expect(await namesOf(project(text, layout), task)).toEqual(names);
  });

  test('returned with notes on skipped rows of check.jsonl', async () => {
    expect((await readProject(project(undefined), TASK)).notes).toEqual([
      expect.stringMatching(/check\.jsonl:2:1: found a row that is not an object/),
    ]);
  });
});

test.each([
  ['trellis', '.trellis/worktree.yaml:3:1: found unknown key "verfy"'],
  ['stand-alone', 'worktree.yaml:3:1: found unknown key "verfy"'],
] as const)('a problem names the file relative to the root: %s', async (layout, problem) => {
  const { problems } = await readProject(project('verify:\n  - a\nverfy:\n', layout), undefined);

  expect(problems).toEqual([expect.stringContaining(problem)]);
});

test('an unreadable config is a problem, not an empty config', async () => {
  const files = project('');
  const config = {
    path: join(files.root, 'worktree.yaml'),
    text: '',
    unreadable: 'EACCES: permission denied',
  };
  const { problems, gates, notes } = await readProject({ ...files, config }, TASK);

  expect(gates).toEqual([]);
  expect(problems).toEqual(['worktree.yaml:1:1: the file cannot be read: EACCES: permission denied']);
  expect(notes).toEqual([]);
});

test('the cwd of a gate must not leave the project through a symbolic link', async () => {
  const parent = temporaryTree({ 'outside/': '' });
  const root = join(parent, 'project');
  mkdirSync(root);
  symlinkSync(join(parent, 'outside'), join(root, 'link'));
  const config = { path: join(root, 'worktree.yaml'), text: 'verify:\n  - {run: a, cwd: link}\n' };

  expect((await readProject({ root, layout: 'stand-alone', config }, undefined)).problems).toEqual([
    'worktree.yaml:2:19: found "link" for "cwd", expected a directory inside the project',
  ]);
});

describe('a gate config is read with', () => {
  const gates = (more = '') => `{"gates": [{"name": "a", "command": "b"}]${more}}`;
  const projectOf = async (files: Record<string, string>, cwd = '.') => {
    const tree = temporaryTree({ ...GIT, ...files });
    const found = findProject(join(tree, cwd));
    if (!found.ok) throw new Error(found.failure.message);
    return { tree, config: await readProject(found.value, undefined) };
  };

  test.each([
    ['the defaults', {}, { maxIterations: 5, agents: ['main', 'check', 'trellis-check'], failFast: true }],
    ['a worktree.yaml', { [ALONE]: `${SETTINGS}  agents: [x]\n` }, { maxIterations: 2, agents: ['x'] }],
    [
      'a worktree.yaml in .trellis',
      { [TRELLIS]: SETTINGS },
      { maxIterations: 2, agents: ['main', 'check', 'trellis-check'] },
    ],
    [
      'a worktree.yaml, except for fail_fast',
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

  test('the directory of the agent as cwd of its gates, and its own directory for the results', async () => {
    const { tree, config } = await projectOf({ [GATES]: gates(), 'a/b/': '' }, 'a/b');

    expect(config.gates).toMatchObject([{ cwd: join(tree, 'a/b') }]);
    expect(config.resultsPath).toBe(join(tree, `gate-results-${process.pid}.json`));
  });

  test('the problems of both files', async () => {
    const { config } = await projectOf({
      [GATES]: '{\n"gates": 5}',
      [ALONE]: 'ralph:\n  max_iterations: 0\n',
    });

    expect(config.problems.map((problem) => problem.split(' ', 1)[0])).toEqual([
      'worktree.yaml:2:19:',
      'gate.config.json:2:10:',
    ]);
  });

  test('a problem if the file was removed since it was found', async () => {
    const tree = temporaryTree({ ...GIT, [GATES]: gates() });
    const found = findProject(tree);
    if (!found.ok) throw new Error(found.failure.message);
    rmSync(join(tree, GATES));

    expect((await readProject(found.value, undefined)).problems).toEqual([
      'gate.config.json:1:1: the file cannot be read: there is no such file',
    ]);
  });

  test('gates in a subdirectory of a linked directory', async () => {
    const config = '{"gates": [{"name": "a", "command": "b", "cwd": "sub"}]}';
    const tree = temporaryTree({ ...GIT, 'real/mine.json': config, 'real/sub/': '' });
    symlinkSync('real', join(tree, 'link'));
    const found = findProject(tree, { named: 'link/mine.json' });
    if (!found.ok) throw new Error(found.failure.message);
    const { gates, problems } = await readProject(found.value, undefined);

    expect(problems).toEqual([]);
    expect(gates).toHaveLength(1);
  });

  test('a problem if the named file does not exist', async () => {
    const tree = temporaryTree(GIT);
    const found = findProject(tree, { named: 'gone.json' });
    if (!found.ok) throw new Error(found.failure.message);

    expect((await readProject(found.value, undefined)).problems).toEqual([
      'gone.json:1:1: the file cannot be read: there is no such file',
    ]);
  });
});

test('onlyGates keeps the named gates, and reports the first unknown name', async () => {
  const config = await readProject(
    project('verify:\n  - {run: a, name: lint}\n  - {run: b, name: test}\n'),
    TASK,
  );

  expect(onlyGates(config, ['test'])).toMatchObject({ gates: [{ name: 'test' }], problems: [] });
  expect(onlyGates(config, ['lnit', 'x'])).toMatchObject({
    gates: [],
    problems: ['Unknown gate "lnit"; did you mean "lint"?'],
  });
  expect(onlyGates(config, ['deploy']).problems).toEqual(['Unknown gate "deploy": 2 gates here: lint, test']);
});
