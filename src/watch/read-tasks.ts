import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../base/files.ts';
import type { TrellisTask } from './board.ts';

/** Absolute path of the directory with the tasks of Trellis. */
export function tasksDirectory(root: string): string {
  return join(root, '.trellis', 'tasks');
}

/** The tasks of a Trellis project in the order of their names, without those that cannot be read. */
export function readTasks(root: string): TrellisTask[] {
  return taskNames(root).flatMap((name) => readTask(join(tasksDirectory(root), name, 'task.json'), name));
}

/** The names of the directories that may contain a task. */
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

function readTask(path: string, name: string): TrellisTask[] {
  try {
    const value: unknown = JSON.parse(readRegularFile(path) ?? '');
    if (typeof value !== 'object' || value === null) return [];
    const { id, title, status } = value as Record<string, unknown>;
    return [{ name, id: textOrNull(id), title: textOrNull(title), status: textOrNull(status) }];
  } catch {
    return [];
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
