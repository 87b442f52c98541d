import { accessSync, constants, readdirSync } from 'node:fs';
import type { Restoration } from './plan-restoration.ts';
import { ancestorsOf, lookIn, onDisk, parentOf, shownPath } from './tree-path.ts';

/**
 * What would end a restoration halfway, or be destroyed by it though no checkpoint holds it.
 *
 * @returns a phrase for each
 */
export function findObstacles(top: string, { removals, writes, directories }: Restoration): string[] {
  const look = lookIn(top);
  const removed = new Set(removals);
  const noDirectoryIn = (paths: readonly string[]) =>
    paths.filter((path) => look(path)?.isDirectory() === false);
  const inTheWayOfFile = (path: string): string[] => {
    const stats = look(path);
    if (stats?.isDirectory()) return filesIn(top, path);
    return stats && !stats.isFile() && !stats.isSymbolicLink() ? [path] : [];
  };
  const inTheWay = [
    ...writes.flatMap(({ path }) => [...noDirectoryIn(ancestorsOf(path)), ...inTheWayOfFile(path)]),
    ...directories.flatMap((path) => noDirectoryIn([...ancestorsOf(path), path])),
  ].filter((path) => !removed.has(path));
  /** The directory that an entry is made in, as far as it is there. */
  const nearest = (path: string): string => {
    const directory = parentOf(path);
    return directory === '' || look(directory)?.isDirectory() ? directory : nearest(directory);
  };
  const made = [...writes.map(({ path }) => path), ...directories.filter((path) => !look(path))];
  const touched = [...removals, ...made].map(nearest);
  const closed = [...new Set(touched)].filter((directory) => !mayChange(onDisk(top, directory)));
  return [
    ...[...new Set(inTheWay)].map(
      (path) =>
        `${shownPath(path)} stands in the way, and is ignored or no plain file, so that it cannot be saved`,
    ),
    ...closed.map((directory) => `the directory ${shownPath(directory) || '.'} may not be written`),
  ];
}

/** All that a directory holds, directories looked into. */
function filesIn(top: string, directory: string): string[] {
  const entries = readdirSync(onDisk(top, directory), { withFileTypes: true, encoding: 'latin1' });
  return entries.flatMap((entry) => {
    const path = `${directory}/${entry.name}`;
    return entry.isDirectory() ? filesIn(top, path) : [path];
  });
}

function mayChange(directory: Buffer): boolean {
  try {
    accessSync(directory, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
