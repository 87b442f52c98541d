import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { READ_WITHOUT_WAITING } from '../base/files.ts';
import type { Task } from './board.ts';

/** Absolute path of the directory of Trellis's tasks. */
export function tasksDirectory(root: string): string {
  return join(root, '.trellis', 'tasks');
}

/** The tasks of a Trellis project, by their names; what is no task, or cannot be read, is passed over. */
export function readTasks(root: string): Task[] {
  return taskNames(root).flatMap((name) => readTask(join(tasksDirectory(root), name, 'task.json'), name));
}

/** Names of the directories that tasks may lie in. */
export function taskNames(root: string): string[] {
  try {
    return readdirSync(tasksDirectory(root), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .toSorted();
  } catch {
    return [];
  }
}

function readTask(path: string, name: string): Task[] {
  try {
    const value: unknown = JSON.parse(readFileSync(path, { encoding: 'utf8', flag: READ_WITHOUT_WAITING }));
    if (typeof value !== 'object' || value === null) return [];
    const { id, title, status } = value as Record<string, unknown>;
    return [{ name, id: textOr(id), title: textOr(title), status: textOr(status) }];
  } catch {
    return [];
  }
}

function textOr(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
