import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isInside, readIfThere, realPathOf } from '../../../src/base/files.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

test.each([
  ['/a', '/a', true],
  ['/a', '/a/b/c', true],
  ['/a', '/a/..b', true],
  ['/a', '/', false],
  ['/a', '/ab', false],
  ['/a/b', '/a/c', false],
])('isInside: %s contains %s: %s', (directory, path, expected) => {
  expect(isInside(directory, path)).toBe(expected);
});

test('realPathOf resolves links as far as the path exists', () => {
  const tree = temporaryTree({ 'real/': '' });
  symlinkSync(join(tree, 'real'), join(tree, 'link'));

  expect(realPathOf(join(tree, 'link/gone/x'))).toBe(join(tree, 'real/gone/x'));
  expect(realPathOf('/')).toBe('/');
});

test('realPathOf resolves a path of more directories than a stack can hold', () => {
  const tree = temporaryTree();
  const deep = `${tree}${'/x'.repeat(3000)}`;

  expect(realPathOf(deep) === deep).toBe(true);
});

test('readIfThere returns undefined for a file that does not exist and for a directory', () => {
  const tree = temporaryTree({ file: 'x', 'directory/': '' });

  expect(['file', 'gone', 'file/x', 'directory'].map((path) => readIfThere(join(tree, path)))).toEqual([
    'x',
    undefined,
    undefined,
    undefined,
  ]);
});
