import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { realPathOf, upwards } from '../base/files.ts';
import { findProject, type ProjectFiles } from '../config/discover.ts';

/** Where a project is set up. */
export interface Place {
  /** Absolute directory that files are written below. */
  readonly root: string;
  /** Absent where no config is there yet. */
  readonly project?: ProjectFiles;
  readonly isInRepository: boolean;
  /** Why it is not the directory that the person stands in; absent where it is. */
  readonly why?: string;
}

/**
 * Finds where a project is set up: where its config is; without one, at the root of its git repository.
 *
 * @param cwd absolute directory that the person stands in
 */
export function findPlace(cwd: string): Place | { readonly refused: string } {
  const here = realPathOf(cwd);
  const found = findProject(here);
  if (found.ok) {
    const { value: project } = found;
    const { root } = project;
    const isInRepository = upwards(root).some((directory) => existsSync(join(directory, '.git')));
    return {
      root,
      project,
      isInRepository,
      ...(root !== here && { why: 'whose config guards this directory' }),
    };
  }
  const { repository: root } = found.failure;
  if (root === undefined)
    return {
      refused: `${here} lies in no git repository, by which ralph-loop knows a project: run "git init" at its root first.`,
    };
  const why = 'the root of the git repository: hosts are started there, and its config guards what is below';
  return { root, isInRepository: true, ...(root !== here && { why }) };
}
