import { posix } from 'node:path';
import { parseData, type Table } from './parse-data.ts';

/** A project's directory, as far as it is looked at. Paths are relative to its root; `.` is the root itself. */
export interface ProjectDirectory {
  /** Names of what lies in a directory, a directory's with a slash behind it; none where there is no directory. */
  list(directory: string): readonly string[];
  /** The file's text; undefined where there is none that could be read. */
  read(path: string): string | undefined;
}

/** What ecosystems ask of a project. */
export interface ProjectFacts {
  /** Whether one of these is there; a directory's path ends in a slash. */
  has(...paths: readonly string[]): boolean;
  /** The first of these that is there. */
  first(...paths: readonly string[]): string | undefined;
  list(directory: string): readonly string[];
  /** Empty where there is no such file. */
  text(path: string): string;
  /** What a JSON, TOML or YAML file holds; empty where there is none, or it is broken. */
  data(path: string): Table;
  /** What of the files that were asked for is broken, each as a sentence for the person. */
  problems(): string[];
}

/** Looks at each directory and file once, when it is asked for. */
export function factsOf(directory: ProjectDirectory): ProjectFacts {
  const list = once((path) => directory.list(path));
  const read = once((path) => directory.read(path));
  const problems: string[] = [];
  const data = once((path): Table => {
    const text = read(path);
    if (text === undefined) return {};
    const parsed = parseData(path, text);
    if ('data' in parsed) return parsed.data;
    problems.push(`${path} ${parsed.why}; what it says is passed over.`);
    return {};
  });
  const isThere = (path: string) =>
    list(posix.dirname(path)).includes(posix.basename(path) + (path.endsWith('/') ? '/' : ''));
  return {
    has: (...paths) => paths.some(isThere),
    first: (...paths) => paths.find(isThere),
    list,
    text: (path) => read(path) ?? '',
    data,
    problems: () => problems,
  };
}

function once<T>(look: (path: string) => T): (path: string) => T {
  const seen = new Map<string, T>();
  return (path) => {
    if (!seen.has(path)) seen.set(path, look(path));
    return seen.get(path) as T;
  };
}
