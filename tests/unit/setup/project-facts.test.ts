import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readDirectory } from '../../../src/setup/project-facts.ts';
import { proposeGates } from '../../../src/setup/propose-gates.ts';
import { packageJson } from '../../helpers/project-directory.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

test('readDirectory lists and reads files, also through symbolic links', () => {
  const root = temporaryTree({ 'b/c.txt': 'text', 'a.txt': '', 'empty/': '' });
  symlinkSync('b', join(root, 'link'));
  symlinkSync('a.txt', join(root, 'link.txt'));
  symlinkSync('round', join(root, 'round'));
  const directory = readDirectory(root);

  expect(directory.list('.')).toEqual(['a.txt', 'b/', 'empty/', 'link.txt', 'link/', 'round']);
  expect(directory.list('b')).toEqual(['c.txt']);
  expect(directory.read('b/c.txt')).toBe('text');
  expect(directory.read('link/c.txt')).toBe('text');
});

test('readDirectory treats missing files and directories as empty', () => {
  const root = temporaryTree({ 'b/c.txt': 'text' });
  const directory = readDirectory(root);

  expect(directory.list('nothing')).toEqual([]);
  expect(directory.list('b/c.txt')).toEqual([]);
  expect(directory.read('nothing')).toBeUndefined();
  expect(directory.read('b')).toBeUndefined();
});

test('readDirectory reads at most one million bytes of a file', () => {
  const root = temporaryTree({ 'package.json': `{"scripts": {}}${' '.repeat(3_000_000)}` });
  expect(readDirectory(root).read('package.json')).toHaveLength(1_000_000);
});

test('readDirectory does not wait for a named pipe', () => {
  const root = temporaryTree();
  execFileSync('mkfifo', [join(root, 'package.json')]);
  expect(proposeGates(readDirectory(root)).gates).toEqual([]);
});

test('proposeGates proposes gates for a project on disk', () => {
  const root = temporaryTree({
    'package.json': packageJson({ lint: 'eslint .' }, { workspaces: ['packages/*'] }),
    'packages/a/package.json': packageJson({ test: 'node --test' }),
    'packages/notes.txt': '',
    'pyproject.toml': '[tool.mypy]\n',
    'tests/test_a.py': '',
    '.venv/bin/pytest': '',
  });
  mkdirSync(join(root, 'node_modules/a'), { recursive: true });
  const { gates, notes } = proposeGates(readDirectory(root));
  expect(gates.map(({ name, run }) => `${name}: ${run}`)).toEqual([
    'lint: npm run lint',
    'typecheck: mypy .',
    'test: npm run test --workspaces --if-present',
    'python-test: .venv/bin/python -m pytest -q',
  ]);
  expect(notes).toEqual([]);
});
