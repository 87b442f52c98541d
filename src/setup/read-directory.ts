import { closeSync, type Dirent, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { READ_WITHOUT_WAITING } from '../base/files.ts';
import type { ProjectDirectory } from './project-facts.ts';

/** More of a file than any manifest holds. */
const MAX_BYTES = 1_000_000;

/**
 * A project's directory on disk. What cannot be read is taken for not being there.
 *
 * @param root absolute
 */
export function readDirectory(root: string): ProjectDirectory {
  return {
    list: (directory) => {
      try {
        const entries = readdirSync(join(root, directory), { withFileTypes: true });
        return entries.map((entry) => nameOf(entry, join(root, directory))).toSorted();
      } catch {
        return [];
      }
    },
    read: (path) => {
      try {
        return readStart(join(root, path));
      } catch {
        return undefined;
      }
    },
  };
}

function nameOf(entry: Dirent, directory: string): string {
  const isDirectory = entry.isSymbolicLink()
    ? leadsToDirectory(join(directory, entry.name))
    : entry.isDirectory();
  return isDirectory ? `${entry.name}/` : entry.name;
}

function leadsToDirectory(link: string): boolean {
  try {
    return statSync(link).isDirectory();
  } catch {
    // It leads nowhere, or round in a circle.
    return false;
  }
}

function readStart(path: string): string {
  const file = openSync(path, READ_WITHOUT_WAITING);
  try {
    const bytes = Buffer.alloc(MAX_BYTES);
    return bytes.toString('utf8', 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}
