import { posix } from 'node:path';
import type { ProjectDirectory } from '../../src/setup/project-facts.ts';
import { proposeGates } from '../../src/setup/propose-gates.ts';

/** Contents by path; one that ends in a slash is an empty directory. */
type Contents = Readonly<Record<string, string>>;

/** A project's directory that is nowhere on disk. */
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
  };
}

/** The gates that are proposed for these files, as `name: run`, in their order. */
export function proposedFor(files: Contents): string[] {
  return proposeGates(projectDirectory(files)).gates.map(({ name, run }) => `${name}: ${run}`);
}

/** A package.json of these scripts. */
export function packageJson(scripts: unknown, more: object = {}): string {
  return JSON.stringify({ name: 'demo', scripts, ...more });
}
