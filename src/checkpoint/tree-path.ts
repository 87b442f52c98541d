import { lstatSync, type Stats } from 'node:fs';

// A path of the working tree is a string of a character a byte (latin1), from its top: a name need not be UTF-8.

/** What ralph-loop writes itself is neither saved nor restored: going back must not take back the count of attempts. */
export function isOwnState(path: string): boolean {
  return /(?:^|\/)\.trellis\/\.ralph/.test(path);
}

/** As the file system wants it. */
export function onDisk(top: string, path: string): Buffer {
  return Buffer.from(`${top}/${path}`, 'latin1');
}

/** As people can read it, on one line. */
export function shownPath(path: string): string {
  return Buffer.from(path, 'latin1')
    .toString()
    .replace(/\p{Cc}/gu, '?');
}

/** The directory that holds a path; that of the top's own entries is empty. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Each directory on the way to a path, the outermost first. */
export function ancestorsOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** What is at a path, reached over no symbolic link: undefined where nothing is. */
export type Look = (path: string) => Stats | undefined;

/** Looks at a working tree that does not change meanwhile: each directory is looked at once. */
export function lookIn(top: string): Look {
  const directories = new Map([['', true]]);
  const lstat = (path: string) => lstatSync(onDisk(top, path), { throwIfNoEntry: false });
  const isDirectory = (path: string): boolean => {
    const known = directories.get(path);
    if (known !== undefined) return known;
    const found = isDirectory(parentOf(path)) && lstat(path)?.isDirectory() === true;
    directories.set(path, found);
    return found;
  };
  return (path) => (isDirectory(parentOf(path)) ? lstat(path) : undefined);
}
