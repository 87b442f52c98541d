import { type Checkpoint, refOf } from './checkpoint.ts';
import { findCheckpoint } from './read-checkpoints.ts';
import { orWhy, type Why } from './refusal.ts';
import { openRepository } from './repository.ts';

/**
 * Removes a checkpoint; the working tree stays as it is. Git itself removes what was saved, after its two weeks.
 *
 * @param directory absolute
 */
export function dropCheckpoint(
  directory: string,
  id: string,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly checkpoint: Checkpoint } | Why> {
  return orWhy(async () => {
    const repository = await openRepository(directory, env);
    const checkpoint = await findCheckpoint(repository, id);
    await repository.git(['update-ref', '--stdin'], {
      input: `delete ${refOf(checkpoint)} ${checkpoint.commit}\n`,
    });
    return { checkpoint };
  });
}
