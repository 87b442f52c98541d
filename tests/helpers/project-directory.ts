import { posix } from 'node:path';
import type { ProjectDirectory } from '../../src/setup/project-facts.ts';
import { proposeGates } from '../../src/setup/propose-gates.ts';

/** Contents by path; a path that ends in a slash is an empty directory. */
type Contents = Readonly<Record<string, string>>;

/** Returns a project directory that is not on disk. */
export function projectDirectory(files: Contents): ProjectDirectory {
  return {
    list: (directory) => {
      const below = Object.keys(files).filter(
        (path) => directory === '.' || path.startsWith(`${directory}/`),
      );
      const names = below.flatMap(
        (path) => /^[^/]+\/?/.exec(directory === '.' ? path : path.slice(directory.length + 1)) ?? [],
      );
      return [...new Set(names)].toSorted();
    },
    read: (path) => files[posix.normalize(path)],
    isLink: () => false,
  };
}

/** Returns the proposed gates for these files in order, as `name: run`, or `name: run (in cwd)`. */
export function proposedFor(files: Contents): string[] {
  return proposeGates(projectDirectory(files)).gates.map(
    ({ name, run, cwd }) => `${name}: ${run}${cwd === undefined ? '' : ` (in ${cwd})`}`,
  );
}

/** Returns a package.json with these scripts. */
export function packageJson(scripts: unknown, more: object = {}): string {
  return JSON.stringify({ name: 'demo', scripts, ...more });
}
