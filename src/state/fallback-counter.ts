import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shortHash } from './short-hash.ts';
import { userLogDirectory } from './user-log-directory.ts';

/**
 * Where stop attempts are counted when the project cannot be written: in the temporary directory, or else where this
 * user's logs lie.
 *
 * @param path of the loop's file in the project
 * @throws where neither can be written by this user alone
 */
export function fallbackCounterPath(path: string, env: NodeJS.ProcessEnv): string {
  const name = `${shortHash(path)}.json`;
  try {
    return join(ownDirectory(join(tmpdir(), `ralph-loop-${process.getuid?.() ?? 'user'}`)), name);
  } catch (error) {
    const directory = userLogDirectory(env);
    if (directory === undefined) throw error;
    return join(ownDirectory(directory), name);
  }
}

/** Makes a directory that no other user can have put there. */
function ownDirectory(directory: string): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const stats = lstatSync(directory);
  if (!stats.isDirectory() || (process.getuid && stats.uid !== process.getuid()))
    throw new Error(`${directory} is not a directory of this user`);
  return directory;
}
