import type { Checkpoint } from './checkpoint.ts';
import { findCheckpoint, savedPaths } from './read-checkpoints.ts';
import { orWhy, type Why } from './refusal.ts';
import { openRepository } from './repository.ts';
import { saveState } from './save-state.ts';
import { partOf } from './state-tree.ts';

export interface Comparison {
  readonly checkpoint: Checkpoint;
  /** What has changed on disk since, as `git diff --stat` tells it; empty where nothing has. */
  readonly stat: string;
  /** Whether what is staged has changed. */
  readonly isStagedChanged: boolean;
}

/** Columns, for people; git fits the names of the files into them. */
const WIDTH = 60;

/**
 * What has changed since a checkpoint was made.
 *
 * @param directory absolute
 */
export function compareCheckpoint(
  directory: string,
  id: string,
  env: NodeJS.ProcessEnv,
): Promise<Comparison | Why> {
  return orWhy(async () => {
    const repository = await openRepository(directory, env);
    const checkpoint = await findCheckpoint(repository, id);
    const present = await saveState(repository, await savedPaths(repository, checkpoint));
    const both = (part: 'worktree' | 'staged') =>
      [checkpoint.commit, present.tree].map((state) => partOf(state, part));
    const { git } = repository;
    const [stat, staged] = await Promise.all([
      git(['diff', `--stat=${WIDTH}`, '--no-color', '--no-ext-diff', '--no-textconv', ...both('worktree')]),
      git(['diff-tree', ...both('staged')]),
    ]);
    return { checkpoint, stat: Buffer.from(stat, 'latin1').toString(), isStagedChanged: staged !== '' };
  });
}
