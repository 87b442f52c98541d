import type { Git } from './git.ts';
import { lineOf } from './repository.ts';

/** What the tree of a saved state holds. */
const PARTS = {
  /** The files on disk, byte for byte. */
  worktree: 'tree',
  /** What is staged; it keeps the blobs that the index refers to. */
  staged: 'tree',
  /** The index itself: it tells more than a tree can, as which files git shall not look at. */
  index: 'blob',
  /** Paths on disk that are not saved, each with a NUL at its end: ignored ones, and those left alone. */
  unsaved: 'blob',
  /** Directories in which no file is saved, each with a NUL at its end. */
  directories: 'blob',
} as const;

type Part = keyof typeof PARTS;

/** @param ids object ids of the parts */
export function makeStateTree(git: Git, ids: Readonly<Record<Part, string>>): Promise<string> {
  const entries = Object.entries(PARTS).map(([part, type]) => {
    const mode = type === 'tree' ? '040000' : '100644';
    return `${mode} ${type} ${ids[part as Part]}\t${part}\n`;
  });
  return lineOf(git(['mktree'], { input: entries.join('') }));
}

/**
 * How git is told of a part of a saved state.
 *
 * @param state object id of its tree, or of a commit of it
 */
export function partOf(state: string, part: Part): string {
  return `${state}:${part}`;
}
