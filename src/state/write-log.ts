import { appendLog } from './execution-log.ts';
import type { LogRecord } from './log-record.ts';
import { ralphDirectory } from './loop-location.ts';

/**
 * Appends the record to the project's log; outside of any project, or where it cannot be written, to the user's, so
 * that a hook that fires in the wrong place can be told from one that never fired.
 */
export async function writeLog(root: string | undefined, record: LogRecord): Promise<void> {
  const toUser = async () => {
    const { userLogDirectory } = await import('./user-log-directory.ts');
    const directory = userLogDirectory(process.env);
    if (directory !== undefined) await appendLog(directory, record);
  };
  await (root === undefined ? toUser() : appendLog(ralphDirectory(root), record).catch(toUser));
}
