import { renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Writes a file beside its place and renames it: no reader ever sees half of it, and what was there stays where it cannot
 * be written.
 *
 * @param path absolute; a link there is replaced
 * @param options.mode of the new file
 * @param options.beforeRename is called with the path of the new file before it takes its place
 * @throws where it cannot be written
 */
export function writeFileAtomic(
  path: string,
  text: string,
  { mode, beforeRename }: { mode?: number | undefined; beforeRename?: (temporary: string) => void } = {},
): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, { mode });
    beforeRename?.(temporary);
    renameSync(temporary, path);
  } catch (error) {
    removeIfThere(temporary);
    throw error;
  }
}

/** What was never made cannot always be removed either, as below a name that is too long. */
function removeIfThere(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Why it could not be written is told.
  }
}
