import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ProjectFiles } from '../../../src/config/discover.ts';
import { readProject } from '../../../src/config/load.ts';
import type { Layout } from '../../../src/config/settings.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const TASK = '.trellis/tasks/t';

function project(text: string | undefined, layout: Layout = 'trellis'): ProjectFiles {
  const root = temporaryTree({ [`${TASK}/check.jsonl`]: '{"reason":"lint"}\n5\n' });
  const path = join(root, layout === 'trellis' ? '.trellis/worktree.yaml' : 'worktree.yaml');
  return { root, layout, ...(text !== undefined && { config: { path, text } }) };
}

const namesOf = async (files: ProjectFiles, task: string | undefined) =>
  (await readProject(files, task)).gates.map(({ name }) => name);

describe('the gates of a project', () => {
  test.each([
    ['its commands, whatever the markers', 'verify:\n  - a\n', 'trellis', TASK, ['a']],
    ['the markers of its task where it has no command', 'copy:\n  - a\n', 'trellis', TASK, ['LINT_FINISH']],
    [
      'the markers where every command is disabled',
      'verify:\n  - {run: a, enabled: false}\n',
      'trellis',
      TASK,
      ['LINT_FINISH'],
    ],
    ['the markers where it has no config', undefined, 'trellis', TASK, ['LINT_FINISH']],
    ['none without a task', undefined, 'trellis', undefined, []],
    ['none while its config is broken', 'verfy:\n  - a\n', 'trellis', TASK, []],
    ['never markers in the stand-alone layout', 'copy: x\n', 'stand-alone', TASK, []],
  ] as const)('%s', async (_, text, layout, task, names) => {
    expect(await namesOf(project(text, layout), task)).toEqual(names);
  });

  test('come with what was passed over in its check.jsonl', async () => {
    expect((await readProject(project(undefined), TASK)).notes).toEqual([
      expect.stringMatching(/check\.jsonl:2:1: found a row that is no object/),
    ]);
  });
});

test.each([
  ['trellis', '.trellis/worktree.yaml:3:1: found unknown key "verfy"'],
  ['stand-alone', 'worktree.yaml:3:1: found unknown key "verfy"'],
] as const)('a problem names the file from the root: %s', async (layout, problem) => {
  const { problems } = await readProject(project('verify:\n  - a\nverfy:\n', layout), undefined);

  expect(problems).toEqual([expect.stringContaining(problem)]);
});

test('a config that cannot be read is a problem, and not an empty one', async () => {
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

test('the directory of a gate may not leave the project through a symbolic link', async () => {
  const parent = temporaryTree({ 'outside/': '' });
  const root = join(parent, 'project');
  mkdirSync(root);
  symlinkSync(join(parent, 'outside'), join(root, 'link'));
  const config = { path: join(root, 'worktree.yaml'), text: 'verify:\n  - {run: a, cwd: link}\n' };

  expect((await readProject({ root, layout: 'stand-alone', config }, undefined)).problems).toEqual([
    'worktree.yaml:2:19: found "link" for "cwd", expected a directory inside the project',
  ]);
});
