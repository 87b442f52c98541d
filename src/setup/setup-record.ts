import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileChange } from './file-change.ts';

/** Where it is kept what `init` changed; git ignores it, with all else of this beginning. */
export const RECORD_PATH = '.trellis/.ralph-init.json';

/** What `init` changed: enough to take it back, to the byte, as long as nobody else has changed the file since. */
export interface SetupRecord {
  readonly files: readonly RecordedFile[];
  /** Directories that were made, relative to the root. */
  readonly directories: readonly string[];
}

interface RecordedFile {
  readonly path: string;
  /** Of the text that was written. */
  readonly sha256: string;
  /** What stood there before: undefined where there was no file. Only the part that was changed is kept. */
  readonly before?: { readonly start: number; readonly removed: string; readonly inserted: number };
}

/**
 * The record after further changes: a file that was changed twice goes back to what it was at first; one that somebody
 * else changed in between is not told any more, since the text it had then holds hooks of ours.
 */
export function recordChanges(
  earlier: SetupRecord | undefined,
  changes: readonly FileChange[],
  directories: readonly string[],
): SetupRecord {
  const changed = new Set(changes.map(({ path }) => path));
  const kept = earlier?.files.filter(({ path }) => !changed.has(path)) ?? [];
  const added = changes.flatMap(({ path, before, after }): RecordedFile[] => {
    if (after === undefined) return [];
    const recorded = earlier?.files.find((file) => file.path === path);
    const original = originalOf(earlier, path, before);
    if (recorded && !original && before !== undefined) return [recorded];
    const { text } = original ?? { text: before };
    return text === after ? [] : [recordOf(path, text, after)];
  });
  return {
    files: [...kept, ...added],
    directories: [...new Set([...(earlier?.directories ?? []), ...directories])],
  };
}

/**
 * What a file was before `init`.
 *
 * @param text what it is now
 * @returns undefined where it is not told, since the file was never changed, or has been changed since
 */
export function originalOf(
  record: SetupRecord | undefined,
  path: string,
  text: string | undefined,
): { readonly text: string | undefined } | undefined {
  const recorded = record?.files.find((file) => file.path === path);
  if (!recorded || text === undefined || hashOf(text) !== recorded.sha256) return undefined;
  if (recorded.before === undefined) return { text: undefined };
  const { start, removed, inserted } = recorded.before;
  return { text: text.slice(0, start) + removed + text.slice(start + inserted) };
}

/** @returns undefined where there is none, or it is broken */
export function readRecord(root: string): SetupRecord | undefined {
  try {
    const { files, directories } = JSON.parse(readFileSync(join(root, RECORD_PATH), 'utf8'));
    const isWhole = files.every(isRecorded) && directories.every((path: unknown) => typeof path === 'string');
    return isWhole ? { files, directories } : undefined;
  } catch {
    return undefined;
  }
}

function isRecorded({ path, sha256, before }: RecordedFile): boolean {
  const isPart = ({ start, removed, inserted }: NonNullable<RecordedFile['before']>) =>
    typeof removed === 'string' && [start, inserted].every(Number.isInteger);
  return [path, sha256].every((text) => typeof text === 'string') && (before === undefined || isPart(before));
}

/** The part from the first difference to the last. */
function recordOf(path: string, before: string | undefined, after: string): RecordedFile {
  const sha256 = hashOf(after);
  if (before === undefined) return { path, sha256 };
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const removed = before.slice(start, before.length - end);
  return { path, sha256, before: { start, removed, inserted: after.length - end - start } };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
