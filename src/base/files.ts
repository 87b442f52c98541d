import { constants, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';

/** The directory and its parents, without the file system's root, which is nobody's repository. */
export function upwards(start: string): string[] {
  const directories: string[] = [];
  for (let directory = start; directory !== dirname(directory); directory = dirname(directory))
    directories.push(directory);
  return directories;
}

/** The path with its symbolic links resolved, as far as it exists. */
export function realPathOf(path: string): string {
  for (const directory of [...upwards(path), '/']) {
    try {
      return join(realpathSync(directory), path.slice(directory.length));
    } catch {
      // The next one up exists, or the root does.
    }
  }
  return path;
}

/** A pipe in a file's place is not waited for. Node takes flags as numbers too; its types know their names only. */
export const READ_WITHOUT_WAITING = (constants.O_RDONLY | constants.O_NONBLOCK) as unknown as string;

/** Whether a path is a directory itself or lies below it. */
export function isInside(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}

/**
 * A text file's content, undefined where there is none: a directory of that name was none for the Python hook either.
 *
 * @throws where the file is there and cannot be read
 */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, { encoding: 'utf8', flag: READ_WITHOUT_WAITING });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined;
    throw error;
  }
}

/**
 * Writes a file beside its place and renames it: no reader ever sees half of it, and what was there stays where it cannot
 * be written.
 *
 * @param path absolute; a link there is replaced
 * @throws where it cannot be written
 */
export function writeFileAtomic(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text);
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
