import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  isInside,
  readFileIfExists,
  realPathOf,
  reasonOf,
  writeFileAtomic,
} from '../../../src/base/files.ts';
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

test.each([
  ["EROFS: read-only file system, open '/a/x.json.12-abc.tmp'", 'read-only file system'],
  ['ENOSPC: no space left on device, write', 'no space left on device'],
  ["EXDEV: cross-device link not permitted, rename '/a' -> '/b'", 'cross-device link not permitted'],
  ['/a is a symbolic link', '/a is a symbolic link'],
])('reasonOf: %s', (message, reason) => {
  expect(reasonOf(new Error(message))).toBe(reason);
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

test('readFileIfExists returns undefined for a file that does not exist and for a directory', () => {
  const tree = temporaryTree({ file: 'x', 'directory/': '' });

  expect(['file', 'gone', 'file/x', 'directory'].map((path) => readFileIfExists(join(tree, path)))).toEqual([
    'x',
    undefined,
    undefined,
    undefined,
  ]);
});

describe('writeFileAtomic', () => {
  test('replaces a file and leaves no temporary file', () => {
    const tree = temporaryTree({ file: 'old, and longer' });
    writeFileAtomic(join(tree, 'file'), 'new');

    expect(readFileSync(join(tree, 'file'), 'utf8')).toBe('new');
    expect(readdirSync(tree)).toEqual(['file']);
  });

  test('replaces a symbolic link and not the file that it points to', () => {
    const tree = temporaryTree({ target: 'precious' });
    symlinkSync(join(tree, 'target'), join(tree, 'link'));
    writeFileAtomic(join(tree, 'link'), 'new');

    expect(readFileSync(join(tree, 'target'), 'utf8')).toBe('precious');
    expect(readFileSync(join(tree, 'link'), 'utf8')).toBe('new');
  });

  test('prepares the temporary file before the rename', () => {
    const tree = temporaryTree({ file: 'old' });
    const path = join(tree, 'file');
    writeFileAtomic(path, 'new', {
      mode: 0o600,
      prepare: (temporary) => {
        expect(readFileSync(temporary, 'utf8')).toBe('new');
        expect(readFileSync(path, 'utf8')).toBe('old');
      },
    });

    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('does not replace a device, and leaves nothing beside it', () => {
    const tree = temporaryTree();
    // As a device, it is no file, and any user can make it.
    execFileSync('mkfifo', [join(tree, 'pipe')]);

    expect(() => writeFileAtomic(join(tree, 'pipe'), 'new')).toThrow(/pipe is not a file$/);
    expect(readdirSync(tree)).toEqual(['pipe']);
    expect(statSync(join(tree, 'pipe')).isFIFO()).toBe(true);
  });

  test.each([
    [
      'preparing fails',
      'file',
      () => {
        throw new Error('refused');
      },
    ],
    ['a directory has its name', 'directory', undefined],
    ['its name is too long', 'x'.repeat(300), undefined],
  ])('throws and leaves everything as it was if %s', (_, name, prepare) => {
    const tree = temporaryTree({ file: 'old' });
    mkdirSync(join(tree, 'directory'));

    expect(() => writeFileAtomic(join(tree, name), 'new', prepare && { prepare })).toThrow();
    expect(readFileSync(join(tree, 'file'), 'utf8')).toBe('old');
    expect(readdirSync(tree).toSorted()).toEqual(['directory', 'file']);
  });
});
