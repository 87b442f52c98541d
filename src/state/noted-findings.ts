import { existsSync } from 'node:fs';
import type { Finding } from '../integrity/types.ts';
import { JsonStore } from './json-store.ts';
import { notedPath } from './paths.ts';

/** The findings that an agent of a session has read in the middle of the turn, by file, and that stayed since. */
type Noted = Readonly<Record<string, readonly string[]>>;

/**
 * Records what an edit has left in its files. Where nothing can be recorded, every finding is new.
 *
 * @param paths the edited files
 * @param findings all findings in these files
 * @returns the findings that were not there after the edits before
 */
export async function newFindings(
  root: string,
  session: string | undefined,
  paths: readonly string[],
  findings: readonly Finding[],
): Promise<readonly Finding[]> {
  const path = await notedPath(root, session);
  if (path === undefined || (findings.length === 0 && !existsSync(path))) return findings;
  const store = new JsonStore<Noted>(path, { check: (value) => (isNoted(value) ? value : undefined) });
  try {
    return await store.update((present = {}, write) => {
      const known = new Map(Object.entries(present));
      const added = findings.filter((finding) => !known.get(finding.path)?.includes(keyOf(finding)));
      for (const file of paths) known.delete(file);
      for (const finding of findings)
        known.set(finding.path, [...(known.get(finding.path) ?? []), keyOf(finding)]);
      const next = Object.fromEntries(known);
      if (JSON.stringify(next) !== JSON.stringify(present)) write(next);
      return added;
    });
  } catch {
    return findings;
  }
}

/** Without the line, which every edit above it changes. */
function keyOf({ rule, message }: Finding): string {
  return `${rule} ${message}`;
}

function isNoted(value: unknown): value is Noted {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every(
    (keys) => Array.isArray(keys) && keys.every((key) => typeof key === 'string'),
  );
}
