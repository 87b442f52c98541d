import type { Checkpoint } from './checkpoint.ts';
import { readCheckpoints } from './read-checkpoints.ts';
import { orWhy, type Why } from './refusal.ts';
import { openRepository } from './repository.ts';

/**
 * The checkpoints of the working tree that a directory lies in, the oldest first.
 *
 * @param directory absolute
 */
export function listCheckpoints(
  directory: string,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly checkpoints: readonly Checkpoint[] } | Why> {
  return orWhy(async () => {
    const repository = await openRepository(directory, env);
    const all = await readCheckpoints(repository);
    return { checkpoints: all.filter(({ worktree }) => worktree === repository.worktree) };
  });
}
