import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, isAbsolute, join, normalize, relative } from 'node:path';
import { reasonOf, type StagedFile, stageFile } from '../base/files.ts';
import type { FileChange } from './plan.ts';
import type { ReplacedHook } from './plan-hooks.ts';

/** The mode of a file that only its owner may read. */
export const PRIVATE_MODE = 0o600;

/** Why changes cannot be written, checked before the first one is; empty if all can. */
export function writeProblems(root: string, changes: readonly FileChange[]): string[] {
  return changes.flatMap(({ path }) => {
    const file = linkTarget(join(root, path));
    const places = [...(existsSync(file) ? [file] : []), existingDirectory(dirname(file))];
    const [reason] = places.flatMap((place) => readOnlyReason(place) ?? []);
    return reason === undefined ? [] : [`${path} cannot be written: ${reason}.`];
  });
}

/** Why an existing file or directory cannot be written; undefined if it can. */
export function readOnlyReason(path: string): string | undefined {
  try {
    accessSync(path, constants.W_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS'
      ? 'the file system is read-only'
      : 'it is read-only';
  }
}

/** The directory, or its nearest parent that exists. */
export function existingDirectory(directory: string): string {
  return existsSync(directory) ? directory : existingDirectory(dirname(directory));
}

/** @returns the directories that were created, relative to the root */
export function createParentDirectories(root: string, paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    const directory = dirname(join(root, path));
    const outermost = mkdirSync(directory, { recursive: true });
    const created = outermost === undefined ? [] : directoriesFrom(outermost, directory);
    return created.map((each) => relative(root, each));
  });
}

function directoriesFrom(outermost: string, innermost: string): string[] {
  return innermost === outermost
    ? [outermost]
    : [...directoriesFrom(outermost, dirname(innermost)), innermost];
}

/**
 * Writes or removes files, whose directories must exist: all of them, or none where one cannot be written. Existing files
 * keep their mode and their owner.
 *
 * @returns the problem for which nothing was written; undefined if all is
 */
export function writeChanges(root: string, changes: readonly FileChange[]): string | undefined {
  const staged: StagedFile[] = [];
  for (const { path, after, mode } of changes) {
    if (after === undefined) continue;
    try {
      staged.push(stageKeepingOwner(linkTarget(join(root, path)), after, mode));
    } catch (error) {
      for (const file of staged) file.drop();
      return `${path} cannot be written: ${reasonOf(error)}.`;
    }
  }
  for (const file of staged) file.replace();
  for (const { path, after } of changes) if (after === undefined) rmSync(join(root, path), { force: true });
  return undefined;
}

function stageKeepingOwner(file: string, text: string, mode: number | undefined): StagedFile {
  const present = statSync(file, { throwIfNoEntry: false });
  if (!present) return stageFile(file, text, { mode });
  return stageFile(file, text, {
    mode: PRIVATE_MODE,
    prepare(temporary) {
      try {
        chownSync(temporary, present.uid, present.gid);
      } catch {
        // Only root may do so: another user who writes the file owns it from now on.
      }
      chmodSync(temporary, present.mode);
    },
  });
}

/** The file to which a symbolic link leads, so that the link stays one. */
function linkTarget(file: string): string {
  return existsSync(file) ? realpathSync(file) : file;
}

/** Removes those directories that are empty, the innermost first. */
export function removeEmptyDirectories(root: string, directories: readonly string[]): void {
  for (const directory of directories.toSorted((a, b) => b.length - a.length)) {
    const path = join(root, directory);
    if (existsSync(path) && readdirSync(path).length === 0) rmdirSync(path);
  }
}

/** The record of what `init` changed. `.gitignore` has a pattern for it. */
export const RECORD_PATH = '.trellis/.ralph-init.json';

/** What `init` changed: enough to restore each file byte for byte, unless it has changed since. */
export interface SetupRecord {
  readonly files: readonly RecordedFile[];
  /** Directories that were created, relative to the root. */
  readonly directories: readonly string[];
  /** Hooks of others that were replaced, for files that have changed since; absent in records of version 0.1. */
  readonly replaced?: readonly ReplacedHook[];
}

interface RecordedFile {
  readonly path: string;
  /** Of the text that was written. */
  readonly sha256: string;
  /** The part of the earlier text that was replaced; absent if there was no file. */
  readonly before?: { readonly start: number; readonly removed: string; readonly inserted: number };
}

/** @returns undefined if there is no record, or it is broken */
export function readRecord(root: string): SetupRecord | undefined {
  try {
    const { files, directories, replaced } = JSON.parse(readFileSync(join(root, RECORD_PATH), 'utf8'));
    const isValid =
      files.every(isRecordedFile) &&
      directories.every((path: unknown) => typeof path === 'string') &&
      (replaced === undefined || replaced.every(isReplacedHook));
    return isValid ? { files, directories, ...(replaced !== undefined && { replaced }) } : undefined;
  } catch {
    return undefined;
  }
}

function isRecordedFile({ path, sha256, before }: RecordedFile): boolean {
  // A record that somebody else wrote must not lead out of the project.
  const isOutside = typeof path !== 'string' || isAbsolute(path) || normalize(path).startsWith('..');
  if (isOutside) return false;
  const isPart = ({ start, removed, inserted }: NonNullable<RecordedFile['before']>) =>
    typeof removed === 'string' && [start, inserted].every(Number.isInteger);
  return typeof sha256 === 'string' && (before === undefined || isPart(before));
}

function isReplacedHook({ file, event, item }: ReplacedHook): boolean {
  return [file, event].every((text) => typeof text === 'string') && typeof item === 'object' && item !== null;
}

/**
 * The record after further changes. A file that `init` changes twice goes back to its first content. For a file that
 * somebody changed between two runs the earlier record stays, because its current text has ralph-loop's hooks.
 */
export function recordChanges(
  earlier: SetupRecord | undefined,
  changes: readonly FileChange[],
  directories: readonly string[],
  replaced: readonly ReplacedHook[] = [],
): SetupRecord {
  const changed = new Set(changes.map(({ path }) => path));
  const kept = earlier?.files.filter(({ path }) => !changed.has(path)) ?? [];
  const added = changes.flatMap(({ path, before, after }): RecordedFile[] => {
    if (after === undefined) return [];
    const recorded = earlier?.files.find((file) => file.path === path);
    const original = originalOf(earlier, path, before);
    if (recorded && !original && before !== undefined) return [recorded];
    const { text } = original ?? { text: before };
    return text === after ? [] : [recordFile(path, text, after)];
  });
  return {
    files: [...kept, ...added],
    directories: [...new Set([...(earlier?.directories ?? []), ...directories])],
    ...((earlier === undefined || earlier.replaced) && {
      replaced: [
        ...(earlier?.replaced ?? []).filter((hook) => !replaced.some(isSamePlace(hook))),
        ...replaced,
      ],
    }),
  };
}

function isSamePlace({ file, event }: ReplacedHook): (other: ReplacedHook) => boolean {
  return (other) => other.file === file && other.event === event;
}

/**
 * The content of a file before `init`.
 *
 * @param text its content now
 * @returns undefined if it is not known, because `init` did not change the file or it has changed since
 */
export function originalOf(
  record: SetupRecord | undefined,
  path: string,
  text: string | undefined,
): { readonly text: string | undefined } | undefined {
  const recorded = record?.files.find((file) => file.path === path);
  if (!recorded || text === undefined || sha256Of(text) !== recorded.sha256) return undefined;
  if (recorded.before === undefined) return { text: undefined };
  const { start, removed, inserted } = recorded.before;
  return { text: text.slice(0, start) + removed + text.slice(start + inserted) };
}

/** Records the part from the first difference to the last. */
function recordFile(path: string, before: string | undefined, after: string): RecordedFile {
  const sha256 = sha256Of(after);
  if (before === undefined) return { path, sha256 };
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const removed = before.slice(start, before.length - end);
  return { path, sha256, before: { start, removed, inserted: after.length - end - start } };
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
