import type { Checkpoint } from './checkpoint.ts';
import { keepState, type Purpose } from './keep-state.ts';
import { orWhy, type Why } from './refusal.ts';
import { openRepository } from './repository.ts';
import { saveState } from './save-state.ts';
import { shownPath } from './tree-path.ts';

export interface Created {
  readonly checkpoint: Checkpoint;
  /** Repositories inside this one, and directories that nobody may look into: not saved. */
  readonly leftAlone: readonly string[];
}

/**
 * Saves the whole working tree that a directory lies in, and its index, and touches neither: tracked and untracked files
 * byte for byte, links, executable bits, empty directories. Not saved are ignored files, ralph-loop's own state, and the
 * other bits of a file's mode.
 *
 * @param directory absolute
 * @returns why not, where there is no git, no repository, or something in it that cannot be saved: then nothing was done
 */
export function createCheckpoint(
  directory: string,
  { env, ...purpose }: Purpose & { readonly env: NodeJS.ProcessEnv },
): Promise<Created | Why> {
  return orWhy(async () => {
    const repository = await openRepository(directory, env);
    const state = await saveState(repository);
    const checkpoint = await keepState(repository, state, purpose);
    return { checkpoint, leftAlone: state.leftAlone.map(shownPath) };
  });
}
