import { basename, join } from 'node:path';
import { expect } from 'vitest';
import { readWorktrees } from '../../src/report/worktrees.ts';
import { git } from '../helpers/git-project.ts';
import { test, worktreeYaml } from '../helpers/project.ts';

test('the working trees of a repository are read from any of them, without those that have no gates or are gone', ({
  makeProject,
}) => {
  const project = makeProject({ 'worktree.yaml': worktreeYaml(['true']), a: '' }, { git: false });
  git(project, 'init', '-q');
  git(project, 'add', '-A');
  git(project, 'commit', '-qm', 'first');
  expect(readWorktrees(project.root)).toEqual([]);
  git(project, 'worktree', 'add', '-q', '-b', 'feat/login', '../login');
  git(project, 'worktree', 'add', '-q', '--detach', '../detached');
  git(project, 'worktree', 'add', '-q', '-b', 'gone', '../gone');
  git(project, 'worktree', 'add', '-q', '-b', 'without', '../without');
  git(project, '-C', '../without', 'rm', '-q', 'worktree.yaml');
  git(project, '-C', project.root, 'worktree', 'move', '../gone', '../moved');
  const at = (name: string) => join(project.root, '..', name);
  const expected = [
    { name: basename(project.root), branch: 'main', root: project.root },
    { name: 'detached', branch: null, root: at('detached') },
    { name: 'moved', branch: 'gone', root: at('moved') },
    { name: 'login', branch: 'feat/login', root: at('login') },
  ];
  expect(readWorktrees(project.root)).toEqual(expected);
  expect(readWorktrees(at('login'))).toEqual(expected);
});
