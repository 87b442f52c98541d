import { expect, test } from 'vitest';
import { readCurrentTask } from '../../../src/config/discover.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

test.each([
  ['tasks/a\n', '.trellis/tasks/a'],
  ['.trellis/tasks/a\n', '.trellis/tasks/a'],
  ['./tasks/a', '.trellis/tasks/a'],
  ['./././tasks/a', '.trellis/tasks/a'],
  ['.\\tasks\\a\r\n', '.trellis/tasks/a'],
  ['tasks/a/', '.trellis/tasks/a/'],
  ['  \t tasks/a b \n\n', '.trellis/tasks/a b'],
  ['elsewhere/a', 'elsewhere/a'],
  ['../tasks/a', '../tasks/a'],
  ['/abs/tasks/a', '/abs/tasks/a'],
  ['tasks', 'tasks'],
  ['tâche', 'tâche'],
  ['', undefined],
  [' \n\t\n', undefined],
  ['./', undefined],
])('the current task in %j is %j', (text, task) => {
  expect(readCurrentTask(temporaryTree({ '.trellis/.current-task': text }))).toBe(task);
});

test.each([
  ['there is no file', {}],
  ['it is a directory', { '.trellis/.current-task/': '' }],
  ['it is not UTF-8', { '.trellis/.current-task': Buffer.from([0x74, 0xff, 0xfe]) }],
  ['.trellis is a file', { '.trellis': 'x' }],
])('no task is set where %s', (_, files) => {
  expect(readCurrentTask(temporaryTree(files))).toBeUndefined();
});
