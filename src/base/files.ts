import { constants, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';

/** The directory and its parents up to, and without, the root of the file system. */
export function upwards(start: string): string[] {
  const directories: string[] = [];
  for (let directory = start; directory !== dirname(directory); directory = dirname(directory))
    directories.push(directory);
  return directories;
}

/** The path with symbolic links resolved in the part of it that exists. */
export function realPathOf(path: string): string {
  for (const directory of [...upwards(path), '/']) {
    try {
      return join(realpathSync(directory), path.slice(directory.length));
    } catch {
      // A parent exists, or the root does.
    }
  }
  return path;
}

/** Whether a path is the directory itself or is inside it. */
export function isInside(directory: string, path: string): boolean {
  const route = relative(directory, path);
  return route !== '..' && !route.startsWith('../') && !isAbsolute(route);
}

/** Flag for reading a file that may be a FIFO, which would block. Node accepts numbers; its types allow names only. */
export const READ_WITHOUT_WAITING = (constants.O_RDONLY | constants.O_NONBLOCK) as unknown as string;

/**
 * The text of a file; undefined if there is no such file. A directory of that name counts as no file, as in Trellis's
 * Python hook.
 *
 * @throws if the file exists and cannot be read
 */
export function readFileIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, { encoding: 'utf8', flag: READ_WITHOUT_WAITING });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined;
    throw error;
  }
}

/**
 * Writes a temporary file beside `path` and renames it: readers see the old content or the new, and a failed write
 * leaves the old.
 *
 * @param path absolute; a symbolic link there is replaced
 * @param mode of the new file
 * @param prepare is given the path of the temporary file before the rename, for instance to set its owner
 * @throws if the file cannot be written
 */
export function writeFileAtomic(
  path: string,
  text: string,
  {
    mode,
    prepare,
  }: { readonly mode?: number | undefined; readonly prepare?: (temporary: string) => void } = {},
): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, { mode });
    prepare?.(temporary);
    renameSync(temporary, path);
  } catch (error) {
    removeIfPossible(temporary);
    throw error;
  }
}

/** A file that could not be created cannot always be removed, for instance if its name is too long. */
function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The caller throws the reason why the file could not be written.
  }
}
