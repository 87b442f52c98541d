import { describe, expect, test } from 'vitest';
import { readTasks } from '../../../src/watch/read-tasks.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const tasks = (files: Record<string, string>) =>
  readTasks(
    temporaryTree(
      Object.fromEntries(Object.entries(files).map(([path, text]) => [`.trellis/tasks/${path}`, text])),
    ),
  );

test('tasks are read in the order of their names', () => {
  const file = '{ "id": "add-login", "title": "Log people in", "status": "planning" }';
  expect(tasks({ '02-b/task.json': '{}', '01-a/task.json': file })).toEqual([
    { name: '01-a', id: 'add-login', title: 'Log people in', status: 'planning' },
    { name: '02-b', id: null, title: null, status: null },
  ]);
});

describe('is passed over', () => {
  test.each([
    ['a task that is no JSON', { 'a/task.json': '{ "id": ' }],
    ['a task that is no object', { 'a/task.json': '7' }],
    ['null', { 'a/task.json': 'null' }],
    ['a directory without a task', { 'a/prd.md': '' }],
    ['a directory in its place', { 'a/task.json/': '' }],
    ['a file beside the tasks', { 'task.json': '{}' }],
    ['what is archived', { 'archive/2026-01/a/task.json': '{}' }],
  ])('%s', (_, files) => {
    expect(tasks(files)).toEqual([]);
  });

  test('a project without tasks', () => {
    expect(readTasks(temporaryTree())).toEqual([]);
  });
});

test('a field of another kind is none', () => {
  expect(tasks({ 'a/task.json': '{ "id": 7, "title": "", "status": {} }' })).toEqual([
    { name: 'a', id: null, title: null, status: null },
  ]);
});
