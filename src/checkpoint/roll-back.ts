import { restoreCheckpoint } from './restore-checkpoint.ts';

/**
 * Takes the work back to a checkpoint, after what is there has been saved.
 *
 * @param root absolute directory of the project
 * @returns whether it could be, and what the person is to know of it
 */
export async function rollBack(
  root: string,
  checkpoint: string,
  effects: { readonly now: Date; readonly env: NodeJS.ProcessEnv },
): Promise<{ readonly isDone: boolean; readonly said: string }> {
  const restored = await restoreCheckpoint(root, checkpoint, effects);
  if ('why' in restored) return { isDone: false, said: `The work could not be rolled back: ${restored.why}` };
  const rescue = `ralph-loop checkpoint restore ${restored.rescue.id}`;
  return { isDone: true, said: `The work is rolled back; what was there is kept: ${rescue}.` };
}
