import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shortHash } from './short-hash.ts';

/**
 * Where stop attempts are counted when the project cannot be written: a directory of this user's own.
 *
 * @param path of the loop's file in the project
 * @throws where another user owns the directory, or it cannot be made
 */
export function spareCountPath(path: string): string {
  const uid = process.getuid?.();
  const directory = join(tmpdir(), `ralph-loop-${uid ?? 'user'}`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const stats = lstatSync(directory);
  if (!stats.isDirectory() || (uid !== undefined && stats.uid !== uid))
    throw new Error(`${directory} is not a directory of this user`);
  return join(directory, `${shortHash(path)}.json`);
}
