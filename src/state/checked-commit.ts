import { join } from 'node:path';
import { JsonStore } from './json-store.ts';
import { stateDirectory } from './paths.ts';

// The commit since which a project's changes count while nothing is ahead of its default branch.

const storeOf = (root: string) =>
  new JsonStore(join(stateDirectory(root), 'checked-commit.json'), {
    check: (value) => {
      const commit = (value as { readonly commit?: unknown } | null)?.commit;
      return typeof commit === 'string' && /^[0-9a-f]{40,64}$/.test(commit) ? { commit } : undefined;
    },
  });

/** @returns undefined if no commit is recorded */
export function readCheckedCommit(root: string): string | undefined {
  return storeOf(root).read()?.commit;
}

/** Where it cannot be written, the one that is recorded stays: more changes count then. */
export function writeCheckedCommit(root: string, commit: string): void {
  try {
    storeOf(root).overwrite({ commit });
  } catch {
    // The directory cannot be written.
  }
}
