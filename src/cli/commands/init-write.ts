import { rmSync } from 'node:fs';
import type { FileChange } from '../../setup/file-change.ts';
import { RECORD_PATH, readRecord, recordChanges } from '../../setup/setup-record.ts';
import {
  makeDirectories,
  PRIVATE,
  removeEmptyDirectories,
  whyNotWritable,
  writeChanges,
} from '../../setup/write-changes.ts';
import { ralphDirectory } from '../../state/paths.ts';

/**
 * Writes what `init` changes, and before it the record by which that can be taken back.
 *
 * @returns why nothing was written, where something stands in the way
 */
export function writeSetup(root: string, changes: readonly FileChange[]): string[] {
  if (changes.length === 0) return [];
  // It may hold a part of settings that nobody else may read.
  const recordFile = { path: RECORD_PATH, before: undefined, after: '', mode: PRIVATE };
  const problems = whyNotWritable(root, [recordFile, ...changes]);
  if (problems.length > 0) return problems;
  const written = changes.filter(({ after }) => after !== undefined);
  const directories = makeDirectories(
    root,
    [recordFile, ...written].map(({ path }) => path),
  );
  const record = recordChanges(readRecord(root), changes, directories);
  const after = `${JSON.stringify(record, null, 2)}\n`;
  writeChanges(root, [{ ...recordFile, after }, ...changes]);
  return [];
}

/**
 * Takes it back: the files, the record, ralph-loop's own state, and the directories that were made and are empty now.
 *
 * @returns why nothing was removed, where something stands in the way
 */
export function removeSetup(root: string, changes: readonly FileChange[]): string[] {
  const record = readRecord(root);
  const problems = whyNotWritable(root, changes);
  if (problems.length > 0) return problems;
  writeChanges(root, [...changes, { path: RECORD_PATH, before: undefined, after: undefined }]);
  rmSync(ralphDirectory(root), { recursive: true, force: true });
  removeEmptyDirectories(root, record?.directories ?? []);
  return [];
}
