import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { create, created, expectSuccess, restored } from '../helpers/checkpoints.ts';
import { git, gitProject, treeOf } from '../helpers/git-project.ts';
import { test } from '../helpers/project.ts';

describe.concurrent('a restore does not touch', () => {
  test('files that were ignored then or are ignored now', async ({ makeProject }) => {
    const project = gitProject(makeProject, { '.gitignore': '*.log\nnode_modules/\n', a: '1' });
    project.write({ 'x.log': 'then', 'node_modules/p/index.js': 'then' });
    const checkpoint = await created(project);
    project.write({
      'x.log': 'since',
      'node_modules/p/index.js': 'since',
      'node_modules/q': 'since',
      '.gitignore': '*.tmp\n',
      'y.tmp': 'since',
      'y.log': 'since',
    });
    const since = treeOf(project);
    await restored(project, checkpoint);

    const { 'y.log': _, ...kept } = since;
    expect(treeOf(project)).toEqual({ ...kept, '.gitignore': 'file 644 *.log\nnode_modules/\n' });
  });

  test('an empty directory that was ignored then', async ({ makeProject }) => {
    const project = gitProject(makeProject, { '.gitignore': 'cache/\n' });
    mkdirSync(project.path('cache'));
    const checkpoint = await created(project);
    project.write({ '.gitignore': '' });
    await restored(project, checkpoint);
    expect(treeOf(project)).toEqual({ '.gitignore': 'file 644 cache/\n', cache: 'directory' });
  });

  test('the state of ralph-loop, tracked or not', async ({ makeProject }) => {
    const project = gitProject(makeProject, {
      'sub/.trellis/.ralph-state.json': '1',
      'x/.trellis/.ralph-state.json': '1',
      a: '1',
    });
    git(project, 'update-index', '--assume-unchanged', 'x/.trellis/.ralph-state.json');
    project.write({
      '.trellis/.ralph/log.jsonl': '1',
      '.trellis/.ralph-state.json': '1',
      '.trellis/task': '1',
    });
    const checkpoint = await created(project);
    const later = {
      '.trellis/.ralph/log.jsonl': '2',
      '.trellis/.ralph-state.json': '2',
      'sub/.trellis/.ralph-state.json': '2',
      'x/.trellis/.ralph-state.json': '2',
    };
    project.write({ ...later, '.trellis/.ralph/output/lint.log': '', '.trellis/task': '2' });
    const { rescue } = await restored(project, checkpoint);

    for (const [file, content] of Object.entries(later)) expect(project.read(file)).toBe(content);
    expect(project.has('.trellis/.ralph/output/lint.log')).toBe(true);
    expect(project.read('.trellis/task')).toBe('1');
    for (const { commit } of [checkpoint, rescue])
      expect(git(project, 'ls-tree', '-r', '--name-only', `${commit}:worktree`)).toBe('.trellis/task\na\n');
  });

  test('nested repositories, and returns their paths', async ({ makeProject }) => {
    const project = gitProject(makeProject, { a: '1' });
    for (const nested of ['then', 'gone']) {
      project.write({ [`${nested}/x`]: '1' });
      git(project, 'init', nested);
    }
    const result = expectSuccess(await create(project));
    expect(result.excluded).toEqual(['gone/', 'then/']);
    project.write({ 'then/x': '2', 'since/x': '2' });
    git(project, 'init', 'since');
    // Now its files look as if they had been made since.
    rmSync(project.path('gone/.git'), { recursive: true });
    const { excluded } = await restored(project, result.checkpoint);
    expect(excluded).toEqual(['since/', 'then/']);
    expect(treeOf(project)).toEqual({
      a: 'file 644 1',
      'then/x': 'file 644 2',
      'since/x': 'file 644 2',
      'gone/x': 'file 644 1',
    });
  });

  test('a named pipe', async ({ makeProject }) => {
    const project = gitProject(makeProject, { a: '1' });
    execFileSync('mkfifo', [project.path('pipe')]);
    const checkpoint = await created(project);
    mkdirSync(project.path('d'));
    execFileSync('mkfifo', [project.path('d/since')]);
    await restored(project, checkpoint);
    expect(treeOf(project)).toEqual({ a: 'file 644 1', pipe: 'special', 'd/since': 'special' });
  });

  test('the target of a symbolic link that was made since', async ({ makeProject }) => {
    const project = gitProject(makeProject, { 'd/a': '1', 'e/f/b': '1' });
    const checkpoint = await created(project);
    const outside = join(project.home, 'outside');
    mkdirSync(join(outside, 'f'), { recursive: true });
    writeFileSync(join(outside, 'a'), 'precious');
    rmSync(project.path('d'), { recursive: true });
    rmSync(project.path('e'), { recursive: true });
    symlinkSync(outside, project.path('d'));
    symlinkSync(outside, project.path('e'));
    const { rescue } = await restored(project, checkpoint);
    expect(treeOf(project)).toEqual({ 'd/a': 'file 644 1', 'e/f/b': 'file 644 1' });
    await restored(project, rescue);
    expect(treeOf(project)).toEqual({ d: `link ${outside}`, e: `link ${outside}` });
    expect(treeOf({ ...project, root: outside })).toEqual({ a: 'file 644 precious', f: 'directory' });
  });

  test('the stash and the refs', async ({ makeProject }) => {
    const project = gitProject(makeProject, { a: '1' });
    const checkpoint = await created(project);
    project.write({ a: '2' });
    git(project, 'stash');
    const refs = git(project, 'for-each-ref', 'refs/heads', 'refs/stash');
    await restored(project, checkpoint);
    expect(git(project, 'for-each-ref', 'refs/heads', 'refs/stash')).toBe(refs);
  });
});
