import { describe, expect, test } from 'vitest';
import { readTasks } from '../../../src/watch/read-tasks.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const tasks = (files: Record<string, string>) =>
  readTasks(
    temporaryTree(
      Object.fromEntries(Object.entries(files).map(([path, text]) => [`.trellis/tasks/${path}`, text])),
    ),
  );

test('readTasks returns the tasks in the order of their names', () => {
  const file = '{ "id": "add-login", "title": "Log people in", "status": "planning" }';
  expect(tasks({ '02-b/task.json': '{}', '01-a/task.json': file })).toEqual([
    { name: '01-a', id: 'add-login', title: 'Log people in', status: 'planning' },
    { name: '02-b', id: null, title: null, status: null },
  ]);
});

describe('readTasks skips', () => {
  test.each([
    ['a task file that is not JSON', { 'a/task.json': '{ "id": ' }],
    ['a task file that is not an object', { 'a/task.json': '7' }],
    ['a task file that is null', { 'a/task.json': 'null' }],
    ['a directory without a task file', { 'a/prd.md': '' }],
    ['a directory in place of a task file', { 'a/task.json/': '' }],
    ['a file beside the tasks', { 'task.json': '{}' }],
    ['archived tasks', { 'archive/2026-01/a/task.json': '{}' }],
  ])('%s', (_, files) => {
    expect(tasks(files)).toEqual([]);
  });

  test('a missing directory of tasks', () => {
    expect(readTasks(temporaryTree())).toEqual([]);
  });
});

test('readTasks returns null for a field that is not text', () => {
  expect(tasks({ 'a/task.json': '{ "id": 7, "title": "", "status": {} }' })).toEqual([
    { name: 'a', id: null, title: null, status: null },
  ]);
});
