import { closeSync, type Dirent, lstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { READ_WITHOUT_WAITING } from '../base/files.ts';
import { parseData, type Table } from './parse-data.ts';

/** The files of a project. Paths are relative to its root; `.` is the root. */
export interface ProjectDirectory {
  /** The names in a directory; the name of a directory ends in a slash. Empty if there is no such directory. */
  list(directory: string): readonly string[];
  /** The text of a file; undefined if it cannot be read. */
  read(path: string): string | undefined;
  /** Whether a path is a symbolic link itself. */
  isLink(path: string): boolean;
}

/** What ecosystems can ask about a project. */
export interface ProjectFacts {
  /** Whether one of these paths exists; the path of a directory ends in a slash. */
  has(...paths: readonly string[]): boolean;
  /** The first of these paths that exists. */
  first(...paths: readonly string[]): string | undefined;
  list(directory: string): readonly string[];
  /** The text of a file; empty if there is none. */
  text(path: string): string;
  /** The content of a JSON, TOML or YAML file; empty if the file is missing or broken. */
  data(path: string): Table;
  /** The broken files among those that were read, each as a sentence for the person. */
  problems(): string[];
}

/** A directory of a project as a project of its own. */
export function subdirectory(directory: ProjectDirectory, path: string): ProjectDirectory {
  return {
    list: (below) => directory.list(posix.join(path, below)),
    read: (file) => directory.read(posix.join(path, file)),
    isLink: (file) => directory.isLink(posix.join(path, file)),
  };
}

/**
 * Reads each directory and file at most once, when it is asked for.
 *
 * @param path of the directory, as problems name it
 */
export function factsOf(directory: ProjectDirectory, path = '.'): ProjectFacts {
  const list = once((path) => directory.list(path));
  const read = once((path) => directory.read(path));
  const problems: string[] = [];
  const data = once((file): Table => {
    const text = read(file);
    if (text === undefined) return {};
    const parsed = parseData(file, text);
    if (parsed.ok) return parsed.value;
    problems.push(`${posix.join(path, file)} ${parsed.failure.message}; it is ignored.`);
    return {};
  });
  const exists = (file: string) =>
    list(posix.dirname(file)).includes(posix.basename(file) + (file.endsWith('/') ? '/' : ''));
  return {
    has: (...paths) => paths.some(exists),
    first: (...paths) => paths.find(exists),
    list,
    text: (file) => read(file) ?? '',
    data,
    problems: () => problems,
  };
}

function once<T>(compute: (path: string) => T): (path: string) => T {
  const results = new Map<string, T>();
  return (path) => {
    if (!results.has(path)) results.set(path, compute(path));
    return results.get(path) as T;
  };
}

/** More bytes than a manifest has. */
const MAX_BYTES = 1_000_000;

/**
 * A project's files on disk. Unreadable files count as missing.
 *
 * @param root absolute
 */
export function readDirectory(root: string): ProjectDirectory {
  return {
    isLink: (path) => lstatSync(join(root, path), { throwIfNoEntry: false })?.isSymbolicLink() ?? false,
    list: (directory) => {
      try {
        const entries = readdirSync(join(root, directory), { withFileTypes: true });
        return entries.map((entry) => entryName(entry, join(root, directory))).toSorted();
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

function entryName(entry: Dirent, directory: string): string {
  const isDirectory = entry.isSymbolicLink()
    ? isDirectoryLink(join(directory, entry.name))
    : entry.isDirectory();
  return isDirectory ? `${entry.name}/` : entry.name;
}

function isDirectoryLink(link: string): boolean {
  try {
    return statSync(link).isDirectory();
  } catch {
    // A broken or circular link.
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
