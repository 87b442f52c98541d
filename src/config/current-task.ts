import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { READ_WITHOUT_WAITING } from '../base/files.ts';

/**
 * Reads Trellis's current task from `.trellis/.current-task`, in the form that the Python hook writes into the state:
 * slashes, no leading `./`, and `tasks/x` as `.trellis/tasks/x`.
 *
 * @param root absolute directory of the project
 * @returns undefined where no task is set, or the file is not text
 */
export function readCurrentTask(root: string): string | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(join(root, '.trellis', '.current-task'), { flag: READ_WITHOUT_WAITING });
  } catch {
    return undefined;
  }
  if (!isUtf8(bytes)) return undefined;
  const task = bytes
    .toString('utf8')
    .trim()
    .replaceAll('\\', '/')
    .replace(/^(\.\/)+/, '');
  if (task === '') return undefined;
  return task.startsWith('tasks/') ? `.trellis/${task}` : task;
}
