import { findWeakened, type IntegritySettings } from '../../src/integrity/find.ts';
import type { Finding } from '../../src/integrity/types.ts';

/** Texts by path; undefined for a file that is not there. */
export type Texts = Readonly<Record<string, string | undefined>>;

/** What became weaker between two states of a project. Files that are in `before` only are gone. */
export function weakened(
  before: Texts,
  after: Texts,
  settings: IntegritySettings = { integrity: 'block' },
): Promise<Finding[]> {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changes = paths
    .map((path) => ({ path, before: before[path], after: after[path] }))
    .filter((change) => change.before !== change.after);
  return findWeakened({ changes, read: (path) => after[path] }, settings);
}

/** The rules of the findings that people read, without repetitions. */
export async function rulesOf(before: Texts, after: Texts): Promise<string[]> {
  const findings = await weakened(before, after);
  return [...new Set(findings.filter(({ severity }) => severity !== 'low').map(({ rule }) => rule))];
}
