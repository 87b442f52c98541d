import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { isInside, upwards } from '../base/files.ts';

/** How a hook's command reaches this program. None of them starts npx, which would take longer than all the rest. */
export type Program =
  /** A file of the project, by its path in it. */
  | { readonly kind: 'in-project'; readonly path: string; readonly isThere: boolean }
  /** `ralph-loop`, which is on PATH. */
  | { readonly kind: 'on-path' }
  /** A file of this machine: other people's clones have it elsewhere. */
  | { readonly kind: 'on-machine'; readonly path: string; readonly isTemporary: boolean };

const PACKAGE = 'ralph-loop';
const BIN = 'bin/ralph-loop.js';
const INSTALLED = `node_modules/${PACKAGE}/${BIN}`;

/**
 * Finds the program that hooks are to call: the project's own, where it has one.
 *
 * @param root absolute directory of the project
 * @param cwd absolute directory in it, where the person stands: a package of a workspace may have its own
 * @param running absolute path of the program that runs now
 * @param path the value of PATH
 */
export function findProgram(root: string, cwd: string, running: string, path: string): Program {
  const manifest = readManifest(join(root, 'package.json'));
  if (manifest?.name === PACKAGE)
    return { kind: 'in-project', path: BIN, isThere: existsSync(join(root, BIN)) };
  const installed = upwards(cwd)
    .filter((directory) => isInside(root, directory))
    .map((directory) => join(directory, INSTALLED))
    .find(existsSync);
  if (installed !== undefined) return { kind: 'in-project', path: relative(root, installed), isThere: true };
  if (dependsOnUs(manifest)) return { kind: 'in-project', path: INSTALLED, isThere: false };
  if (isOnPath(PACKAGE, path)) return { kind: 'on-path' };
  return { kind: 'on-machine', path: running, isTemporary: isNpxCache(running) };
}

/** Whether a program is on PATH, for those too who do not come by npx. */
export function isOnPath(program: string, path = process.env.PATH): boolean {
  return lastingDirectories(path).some((directory) => existsSync(join(directory, program)));
}

/** The directories of PATH but for those of projects and of its own copy, which npx puts there while it runs. */
export function lastingDirectories(path = ''): string[] {
  return path.split(delimiter).filter((directory) => !/(?:^|\/)node_modules\/\.bin\/?$/.test(directory));
}

/** npm removes it some day. */
function isNpxCache(path: string): boolean {
  return path.split('/').includes('_npx');
}

type Manifest = Readonly<Record<string, unknown>>;

function readManifest(path: string): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof value === 'object' && value !== null ? (value as Manifest) : undefined;
  } catch {
    return undefined;
  }
}

function dependsOnUs(manifest: Manifest | undefined): boolean {
  return ['dependencies', 'devDependencies'].some((key) => {
    const dependencies = manifest?.[key];
    return typeof dependencies === 'object' && dependencies !== null && PACKAGE in dependencies;
  });
}
