import type { Result } from '../base/result.ts';
import { asResult, openRepository } from './git.ts';
import { saveState } from './save.ts';
import { type Checkpoint, findCheckpoint, partRevision, savedPaths } from './store.ts';

interface CheckpointComparison {
  readonly checkpoint: Checkpoint;
  /** The output of `git diff --stat` from the checkpoint to the disk; empty when no file has changed. */
  readonly stat: string;
  /** Whether the staged files have changed. */
  readonly isStagedChanged: boolean;
}

/** Columns into which git fits the names of the files. */
const STAT_WIDTH = 60;

/**
 * Compares a checkpoint with the present state of its working tree.
 *
 * @param directory absolute
 */
export function compareCheckpoint(
  directory: string,
  id: string,
  env: NodeJS.ProcessEnv,
): Promise<Result<CheckpointComparison>> {
  return asResult(async () => {
    const repository = await openRepository(directory, env);
    const checkpoint = await findCheckpoint(repository, id);
    const present = await saveState(repository, await savedPaths(repository, checkpoint));
    const revisions = (part: 'worktree' | 'staged') =>
      [checkpoint.commit, present.tree].map((state) => partRevision(state, part));
    const { git } = repository;
    const diff = ['diff', `--stat=${STAT_WIDTH}`, '--no-color', '--no-ext-diff', '--no-textconv'];
    const [stat, staged] = await Promise.all([
      git([...diff, ...revisions('worktree')]),
      git(['diff-tree', ...revisions('staged')]),
    ]);
    return { checkpoint, stat: Buffer.from(stat, 'latin1').toString(), isStagedChanged: staged !== '' };
  });
}
