import { copyFileSync, existsSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from './repository.ts';

/** A git call that works on a file that stands in for the index. */
export const withIndex = (index: string) => ({ env: { GIT_INDEX_FILE: index } });

/**
 * Copies the index, for git to work on the copy. A file that was changed in the second in which the index was written
 * may look unchanged; git knows by the index's own time which those are, so the copy keeps it, rounded to the safe side.
 */
export async function copyIndex({ git, gitDirectory }: Repository, copy: string): Promise<void> {
  const index = join(gitDirectory, 'index');
  // Where nothing was ever added there is none.
  if (!existsSync(index)) {
    await git(['read-tree', '--empty'], withIndex(copy));
    return;
  }
  const seconds = Math.floor(statSync(index).mtimeMs / 1000);
  copyFileSync(index, copy);
  utimesSync(copy, seconds, seconds);
}
