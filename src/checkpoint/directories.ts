import { lstatSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { Refusal } from './refusal.ts';
import { lookIn, onDisk, shownPath } from './tree-path.ts';

/**
 * Makes directories as far as they are not there.
 *
 * @param paths from the outermost on
 * @throws Refusal where something else stands there, such as a symbolic link that leads out of the working tree
 */
export function makeDirectories(top: string, paths: readonly string[]): void {
  for (const path of paths) {
    const stats = lstatSync(onDisk(top, path), { throwIfNoEntry: false });
    if (!stats) mkdirSync(onDisk(top, path));
    else if (!stats.isDirectory())
      throw new Refusal(
        `${shownPath(path)} is no directory any more: something else changes the working tree`,
      );
  }
}

/** Removes a directory, where there is one, that holds nothing but directories. */
export function removeEmptyTree(top: string, path: string): void {
  if (!lstatSync(onDisk(top, path), { throwIfNoEntry: false })?.isDirectory()) return;
  for (const name of readdirSync(onDisk(top, path), { encoding: 'latin1' }))
    removeEmptyTree(top, `${path}/${name}`);
  rmdirSync(onDisk(top, path));
}

/** Removes directories as far as they hold nothing. */
export function pruneDirectories(
  top: string,
  paths: readonly string[],
  { kept }: { readonly kept: ReadonlySet<string> },
): void {
  const look = lookIn(top);
  // Each is longer than the one it lies in.
  for (const path of paths.toSorted((a, b) => b.length - a.length)) {
    if (kept.has(path) || !look(path)?.isDirectory()) continue;
    if (readdirSync(onDisk(top, path)).length === 0) rmdirSync(onDisk(top, path));
  }
}
