import { expect, test } from 'vitest';
import { originalOf, recordChanges } from '../../../src/setup/setup-record.ts';

const change = (before: string | undefined, after: string | undefined, path = 'f') => ({
  path,
  before,
  after,
});

test.for([
  ['nothing', undefined, 'new\n'],
  ['an empty file', '', 'new\n'],
  ['a longer text', 'a\nb\nc\n', 'a\nc\n'],
  ['a shorter one', 'a\nc\n', 'a\nb\nc\n'],
  ['repeats', 'aaaa', 'aa'],
  ['repeats that grow', 'aa', 'aaaa'],
  ['another one altogether', 'abc', 'xyz'],
  ['no line end', 'a', 'a\nb\n'],
  ['beyond the basic plane', 'a😀b', 'a😁b'],
  ['Windows line ends', 'a\r\nb\r\n', 'a\r\nb\r\nc\r\n'],
] as const)('what was %s is known again', ([, before, after]) => {
  const record = recordChanges(undefined, [change(before, after)], []);
  expect(originalOf(record, 'f', after)).toEqual({ text: before });
  // It survives the file that it is kept in.
  expect(originalOf(JSON.parse(JSON.stringify(record)), 'f', after)).toEqual({ text: before });
});

test('only the part that was changed is kept', () => {
  const record = recordChanges(undefined, [change('secret\nold\nsecret\n', 'secret\nnew\nsecret\n')], []);
  expect(JSON.stringify(record)).not.toContain('secret');
});

test('a file that somebody else has changed since is not known', () => {
  const record = recordChanges(undefined, [change('a', 'b')], []);
  expect(originalOf(record, 'f', 'c')).toBeUndefined();
  expect(originalOf(record, 'f', undefined)).toBeUndefined();
  expect(originalOf(record, 'g', 'b')).toBeUndefined();
  expect(originalOf(undefined, 'f', 'b')).toBeUndefined();
});

test('two changes go back to the first text', () => {
  const first = recordChanges(undefined, [change('a', 'ab'), change(undefined, 'x', 'g')], ['d']);
  const second = recordChanges(first, [change('ab', 'abc')], ['e']);
  expect(originalOf(second, 'f', 'abc')).toEqual({ text: 'a' });
  expect(originalOf(second, 'g', 'x')).toEqual({ text: undefined });
  expect(second.directories).toEqual(['d', 'e']);
});

test('a change that takes the first one back is no change', () => {
  const first = recordChanges(undefined, [change('a', 'b')], []);
  expect(recordChanges(first, [change('b', 'a')], []).files).toEqual([]);
});

test('a file that somebody changed in between two changes is not known', () => {
  const first = recordChanges(undefined, [change('a', 'b')], []);
  const second = recordChanges(first, [change('c', 'd')], []);
  expect(originalOf(second, 'f', 'd')).toBeUndefined();
});

test('a file that was gone in between begins anew', () => {
  const first = recordChanges(undefined, [change('a', 'b')], []);
  const second = recordChanges(first, [change(undefined, 'd')], []);
  expect(originalOf(second, 'f', 'd')).toEqual({ text: undefined });
});
