import { readdirSync } from 'node:fs';
import { isOwnState, onDisk } from './tree-path.ts';

/** Directories that git has no word for. */
export interface BareDirectories {
  /** Hold nothing, or only what is not saved. */
  readonly empty: readonly string[];
  /** Cannot be looked into: nothing in them is ever saved. */
  readonly closed: readonly string[];
}

/** @param unsaved files that are not saved, and directories, which are not looked into, with or without a slash at the end */
export function bareDirectories(top: string, unsaved: readonly string[]): BareDirectories {
  const skipped = new Set(unsaved.map((path) => path.replace(/\/$/, '')));
  const empty: string[] = [];
  const closed: string[] = [];
  const walk = (directory: string): void => {
    const entries = entriesOf(top, directory);
    if (entries === undefined) {
      closed.push(directory);
      return;
    }
    const saved = entries.filter(
      ({ name, path }) => name !== '.git' && !skipped.has(path) && !isOwnState(path),
    );
    if (saved.length === 0 && directory !== '') empty.push(directory);
    for (const { path, isDirectory } of saved) if (isDirectory) walk(path);
  };
  walk('');
  return { empty, closed };
}

function entriesOf(top: string, directory: string) {
  try {
    const entries = readdirSync(onDisk(top, directory), { withFileTypes: true, encoding: 'latin1' });
    const start = directory === '' ? '' : `${directory}/`;
    return entries.map((entry) => ({
      name: entry.name,
      path: start + entry.name,
      isDirectory: entry.isDirectory(),
    }));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM') return undefined;
    throw error;
  }
}
