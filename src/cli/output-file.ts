import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { READ_WITHOUT_WAITING } from '../base/files.ts';

/** So much of a file shows what it is. */
const START_BYTES = 4096;

/**
 * Why the file of a report cannot be written. Nothing but an earlier report is replaced: a wrong name would lose a file.
 *
 * @param path as it was typed
 * @param isReport whether a file is such a report, by its beginning
 */
export function outputProblem(path: string, isReport: (start: string) => boolean): string | undefined {
  if (path.trim() === '') return 'the name is empty';
  if (path.startsWith('-')) return 'it looks like an option; write ./ before it if it is a file';
  try {
    const present = statSync(path, { throwIfNoEntry: false });
    if (!present) return undefined;
    if (present.isDirectory()) return 'it is a directory; name a file in it';
    if (!present.isFile()) return 'it is not a regular file';
    const isReplaceable = present.size === 0 || isReport(startOf(path));
    return isReplaceable ? undefined : 'it exists and is no earlier report; remove it or use another name';
  } catch {
    // Writing it fails too, with a better reason.
    return undefined;
  }
}

function startOf(path: string): string {
  const file = openSync(path, READ_WITHOUT_WAITING);
  try {
    const bytes = Buffer.alloc(START_BYTES);
    return bytes.toString('utf8', 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}
