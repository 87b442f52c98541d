import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { writeFileAtomic } from '../base/files.ts';
import type { FileChange } from './file-change.ts';

/** Mode of a file that none but its owner may read. */
export const PRIVATE = 0o600;

/**
 * Why changes could not be written, told before any of them is: a file that is read-only is meant to be.
 *
 * @returns none where all can be
 */
export function whyNotWritable(root: string, changes: readonly FileChange[]): string[] {
  return changes.flatMap(({ path }) => {
    const file = targetOf(join(root, path));
    const places = [...(existsSync(file) ? [file] : []), existingDirectory(dirname(file))];
    const [why] = places.flatMap((place) => whyReadOnly(place) ?? []);
    return why === undefined ? [] : [`${path} cannot be written: ${why}.`];
  });
}

/** @returns undefined where a file or directory that is there can be written */
export function whyReadOnly(path: string): string | undefined {
  try {
    accessSync(path, constants.W_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS' ? 'the disk is read-only' : 'it is read-only';
  }
}

/** The directory, or the nearest one above it that is there. */
export function existingDirectory(directory: string): string {
  return existsSync(directory) ? directory : existingDirectory(dirname(directory));
}

/** @returns the directories that had to be made for the files, relative to the root */
export function makeDirectories(root: string, paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    const directory = dirname(join(root, path));
    const outermost = mkdirSync(directory, { recursive: true });
    const made = outermost === undefined ? [] : directoriesFrom(outermost, directory);
    return made.map((each) => relative(root, each));
  });
}

/** Writes files whose directories are there. */
export function writeChanges(root: string, changes: readonly FileChange[]): void {
  for (const { path, after, mode } of changes) {
    const file = join(root, path);
    if (after === undefined) rmSync(file, { force: true });
    else writeWhole(targetOf(file), after, mode);
  }
}

/** Removes directories that hold nothing, the innermost first. */
export function removeEmptyDirectories(root: string, directories: readonly string[]): void {
  for (const directory of directories.toSorted((a, b) => b.length - a.length)) {
    const path = join(root, directory);
    if (existsSync(path) && readdirSync(path).length === 0) rmdirSync(path);
  }
}

/** Written beside the file and renamed, so that no reader sees half of it; its mode stays, and whose it is. */
function writeWhole(file: string, text: string, mode: number | undefined): void {
  const present = statSync(file, { throwIfNoEntry: false });
  writeFileAtomic(file, text, {
    mode: present ? PRIVATE : mode,
    prepare: (temporary) => {
      if (!present) return;
      keepOwner(temporary, present);
      chmodSync(temporary, present.mode);
    },
  });
}

/** Only root gives files away: whoever else writes another's file owns it from now on. */
function keepOwner(file: string, { uid, gid }: Stats): void {
  try {
    chownSync(file, uid, gid);
  } catch {
    // It is the writer's.
  }
}

/** A link stays one: the file that it leads to is written. */
function targetOf(file: string): string {
  return existsSync(file) ? realpathSync(file) : file;
}

function directoriesFrom(outermost: string, innermost: string): string[] {
  return innermost === outermost
    ? [outermost]
    : [...directoriesFrom(outermost, dirname(innermost)), innermost];
}
