import type { Hash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readlinkSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { upwards } from '../base/files.ts';
import { sha256 } from '../base/sha256.ts';
import { addContent } from '../checkpoint/add-content.ts';
import { diskPath, encodePath } from '../checkpoint/paths.ts';
import { basesOf, type PathMatcher, pathMatcher } from '../config/glob.ts';

/** Bounds for the files that `inputs` names, and for those among which they are searched. */
const MAX_ENTRIES = 50_000;
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * A hash of the files that the `inputs` of a gate name, of their names and modes.
 *
 * @param root absolute directory of the project
 * @param patterns relative to it
 * @param breathe called often; what it throws ends the work
 * @returns undefined if they are too many or too large, or cannot be read
 */
export async function hashInputs(
  root: string,
  patterns: readonly string[],
  breathe: () => Promise<void>,
): Promise<string | undefined> {
  const inputs = new Inputs(root, pathMatcher(patterns), breathe);
  try {
    for (const base of basesOf(patterns)) await inputs.add(encodePath(base), false);
    return inputs.digest();
  } catch {
    return undefined;
  }
}

class Inputs {
  readonly #top: string;
  readonly #matches: PathMatcher;
  readonly #breathe: () => Promise<void>;
  readonly #hash: Hash = sha256();
  /** Links can lead in a circle. */
  readonly #directories = new Set<string>();
  #entries = 0;
  #bytes = 0;

  constructor(root: string, matches: PathMatcher, breathe: () => Promise<void>) {
    this.#top = encodePath(root);
    this.#matches = matches;
    this.#breathe = breathe;
  }

  /**
   * @param path relative to the root, one character per byte
   * @param isInside whether a directory above it is named: everything in it counts
   */
  async add(path: string, isInside: boolean): Promise<void> {
    await this.#breathe();
    if (++this.#entries > MAX_ENTRIES) throw new Error('too many files');
    const disk = diskPath(this.#top, path);
    const stats = lstatSync(disk, { throwIfNoEntry: false });
    if (!stats) return;
    const isNamed = isInside || this.#matches(Buffer.from(path, 'latin1').toString());
    if (!stats.isSymbolicLink()) return this.#addEntry(path, stats, isNamed, false);
    if (isNamed) this.#hash.update(`${path}\0link ${readlinkSync(disk, 'latin1')}\0`, 'latin1');
    const target = statSync(disk, { throwIfNoEntry: false });
    if (target) await this.#addEntry(path, target, isNamed, true);
  }

  digest(): string {
    return this.#hash.digest('hex');
  }

  async #addEntry(path: string, stats: Stats, isNamed: boolean, isTarget: boolean): Promise<void> {
    if (stats.isDirectory()) {
      const id = `${stats.dev} ${stats.ino}`;
      if (this.#directories.has(id)) return;
      this.#directories.add(id);
      const names = readdirSync(diskPath(this.#top, path), 'latin1').toSorted();
      for (const name of names)
        if (name !== '.git') await this.add(path === '' ? name : `${path}/${name}`, isNamed);
      return;
    }
    if (!isNamed) return;
    this.#bytes += stats.size;
    if (this.#bytes > MAX_BYTES) throw new Error('too large');
    this.#hash.update(`${path}\0${stats.mode.toString(8)} ${stats.size}\0`, 'latin1');
    if (stats.isFile())
      await addContent(this.#hash, diskPath(this.#top, path), stats.size, isTarget, this.#breathe);
  }
}

/** They say which versions of packages are wanted, and may be ignored by git. */
const LOCKFILES = new Set([
  'Cargo.lock',
  'Gemfile.lock',
  'Pipfile.lock',
  'bun.lock',
  'bun.lockb',
  'composer.lock',
  'deno.lock',
  'go.sum',
  'gradle.lockfile',
  'npm-shrinkwrap.json',
  'package-lock.json',
  'packages.lock.json',
  'pnpm-lock.yaml',
  'poetry.lock',
  'uv.lock',
  'yarn.lock',
]);

/** Written anew by each installation of packages. */
const INSTALLED = [
  'node_modules/.package-lock.json',
  'node_modules/.modules.yaml',
  'node_modules/.yarn-state.yml',
  'node_modules/.yarn-integrity',
  '.venv/pyvenv.cfg',
  'venv/pyvenv.cfg',
  'vendor/composer/installed.json',
];

/**
 * Which packages are wanted and installed in a directory and in those above it, up to the top of the repository.
 *
 * @throws if a file cannot be read
 */
export async function hashPackages(directory: string, breathe: () => Promise<void>): Promise<string> {
  const hash = sha256();
  for (const above of repositoryDirectories(directory)) {
    for (const name of readdirSync(above)
      .filter((name) => LOCKFILES.has(name))
      .toSorted()) {
      const path = Buffer.from(join(above, name));
      const stats = statSync(path, { throwIfNoEntry: false });
      hash.update(`${above}\0${name}\0${stats?.size}\0`);
      if (stats?.isFile()) await addContent(hash, path, stats.size, true, breathe);
    }
    for (const name of INSTALLED) {
      const stats = statSync(join(above, name), { throwIfNoEntry: false });
      if (stats) hash.update(`${above}\0${name}\0${[stats.size, stats.mtimeMs, stats.ctimeMs, stats.ino]}\0`);
    }
  }
  return hash.digest('hex');
}

function repositoryDirectories(directory: string): string[] {
  const directories = upwards(directory);
  const top = directories.findIndex((above) => existsSync(join(above, '.git')));
  return directories.slice(0, top + 1);
}
