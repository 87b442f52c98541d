import { appendFileSync, constants, rmSync } from 'node:fs';
import { readRegularFile } from '../base/files.ts';
import { makeStateDirectory } from './execution-log.ts';
import { noticesPath } from './paths.ts';

// What was done to a project's loops without a person, until a person reads it at the next stop.

/** Notices beyond these are not shown; the log has them all. */
const MAX_NOTICES = 5;
const MAX_BYTES = 64 * 1024;

/** No link is followed, and a FIFO does not block. Node accepts numbers; its types allow names only. */
const APPEND_TO_FILE = (constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  constants.O_NOFOLLOW |
  constants.O_NONBLOCK) as unknown as string;

/** Leaves a notice, a sentence without a line break. Nothing happens where state cannot be written. */
export function leaveNotice(root: string, notice: string): void {
  try {
    makeStateDirectory(root);
    appendFileSync(noticesPath(root), `${notice}\n`, { flag: APPEND_TO_FILE, mode: 0o600 });
  } catch {
    // The log has it, if it can be written.
  }
}

/** Returns the notices of a project, and removes them. */
export function takeNotices(root: string): string[] {
  const path = noticesPath(root);
  try {
    const text = readRegularFile(path);
    if (text === undefined) return [];
    rmSync(path, { force: true });
    const notices = [...new Set(text.slice(0, MAX_BYTES).split('\n').filter(Boolean))];
    const more = notices.length - MAX_NOTICES;
    return [...notices.slice(0, MAX_NOTICES), ...(more > 0 ? [`and ${more} more`] : [])];
  } catch {
    return [];
  }
}
