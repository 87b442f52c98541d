import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { originalOf, recordChanges, writeChanges } from '../../../src/setup/write-changes.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const change = (before: string | undefined, after: string | undefined, path = 'f') => ({
  path,
  before,
  after,
});

test.for([
  ['a missing file', undefined, 'new\n'],
  ['an empty file', '', 'new\n'],
  ['a longer text', 'a\nb\nc\n', 'a\nc\n'],
  ['a shorter text', 'a\nc\n', 'a\nb\nc\n'],
  ['repeated characters', 'aaaa', 'aa'],
  ['repeated characters that grow', 'aa', 'aaaa'],
  ['an entirely different text', 'abc', 'xyz'],
  ['a last line without a line break', 'a', 'a\nb\n'],
  ['surrogate pairs', 'a😀b', 'a😁b'],
  ['Windows line endings', 'a\r\nb\r\n', 'a\r\nb\r\nc\r\n'],
] as const)('originalOf restores %s', ([, before, after]) => {
  const record = recordChanges(undefined, [change(before, after)], []);
  expect(originalOf(record, 'f', after)).toEqual({ text: before });
  // As read from the record file.
  expect(originalOf(JSON.parse(JSON.stringify(record)), 'f', after)).toEqual({ text: before });
});

test('the record has only the part that was changed', () => {
  const record = recordChanges(undefined, [change('secret\nold\nsecret\n', 'secret\nnew\nsecret\n')], []);
  expect(JSON.stringify(record)).not.toContain('secret');
});

test('originalOf does not know a file that has changed since', () => {
  const record = recordChanges(undefined, [change('a', 'b')], []);
  expect(originalOf(record, 'f', 'c')).toBeUndefined();
  expect(originalOf(record, 'f', undefined)).toBeUndefined();
  expect(originalOf(record, 'g', 'b')).toBeUndefined();
  expect(originalOf(undefined, 'f', 'b')).toBeUndefined();
});

test('two changes of a file restore its first text', () => {
  const first = recordChanges(undefined, [change('a', 'ab'), change(undefined, 'x', 'g')], ['d']);
  const second = recordChanges(first, [change('ab', 'abc')], ['e']);
  expect(originalOf(second, 'f', 'abc')).toEqual({ text: 'a' });
  expect(originalOf(second, 'g', 'x')).toEqual({ text: undefined });
  expect(second.directories).toEqual(['d', 'e']);
});

test('a change that reverts an earlier one is not recorded', () => {
  const first = recordChanges(undefined, [change('a', 'b')], []);
  expect(recordChanges(first, [change('b', 'a')], []).files).toEqual([]);
});

test('originalOf does not know a file that changed between two runs of init', () => {
  const first = recordChanges(undefined, [change('a', 'b')], []);
  const second = recordChanges(first, [change('c', 'd')], []);
  expect(originalOf(second, 'f', 'd')).toBeUndefined();
});

test('a file that was deleted between two runs of init is recorded as new', () => {
  const first = recordChanges(undefined, [change('a', 'b')], []);
  const second = recordChanges(first, [change(undefined, 'd')], []);
  expect(originalOf(second, 'f', 'd')).toEqual({ text: undefined });
});

test('writeChanges changes no file where one cannot be written', () => {
  const root = temporaryTree({ first: 'old', gone: 'kept' });
  // Its temporary file has a longer one.
  const name = 'n'.repeat(250);
  const problem = writeChanges(root, [
    change('old', 'new', 'first'),
    change('kept', undefined, 'gone'),
    change(undefined, 'new', name),
  ]);
  expect(problem).toMatch(new RegExp(`^${name} cannot be written: name too long\\.$`));
  expect(readdirSync(root).toSorted()).toEqual(['first', 'gone']);
  expect(readFileSync(join(root, 'first'), 'utf8')).toBe('old');
});
