import { lstatSync, type Stats } from 'node:fs';

// A path of the working tree is relative to its top, one character per byte (latin1): a file name need not be UTF-8.

/** Whether ralph-loop writes the file. It is neither saved nor restored: a restore must not reset the count of attempts. */
export function isRalphState(path: string): boolean {
  return /(?:^|\/)\.trellis\/\.ralph(?:$|\/|-state\.json)/.test(path);
}

/** The absolute path in the form that the file system functions take. */
export function diskPath(top: string, path: string): Buffer {
  return Buffer.from(`${top}/${path}`, 'latin1');
}

/** The path as text; bytes that are not UTF-8 become U+FFFD. */
export function decodePath(path: string): string {
  return Buffer.from(path, 'latin1').toString();
}

/** The path of a text. */
export function encodePath(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** The path as readable text on one line. */
export function displayPath(path: string): string {
  return decodePath(path).replace(/\p{Cc}/gu, '?');
}

/** The directory of a path; empty for entries of the top directory. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The directories above a path, the outermost first. */
export function ancestorsOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/**
 * @returns a function that returns the stats of a path, or undefined when nothing is there or a symbolic link leads to it.
 * It reads each directory once, so the working tree must not change meanwhile.
 */
export function lstatIn(top: string): (path: string) => Stats | undefined {
  const directories = new Map([['', true]]);
  const lstat = (path: string) => lstatSync(diskPath(top, path), { throwIfNoEntry: false });
  const isDirectory = (path: string): boolean => {
    const cached = directories.get(path);
    if (cached !== undefined) return cached;
    const result = isDirectory(parentOf(path)) && lstat(path)?.isDirectory() === true;
    directories.set(path, result);
    return result;
  };
  return (path) => (isDirectory(parentOf(path)) ? lstat(path) : undefined);
}
