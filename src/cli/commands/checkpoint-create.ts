import { count } from '../../base/text.ts';
import { createCheckpoint } from '../../checkpoint/save.ts';
import { print, refused } from './checkpoint-say.ts';
import { headOf, leftAloneLines } from './checkpoint-wording.ts';

/**
 * `ralph-loop checkpoint create`: saves the working tree and the index.
 *
 * @returns the exit code: 0 saved, 1 refused
 */
export async function checkpointCreate(label = ''): Promise<number> {
  const created = await createCheckpoint(process.cwd(), {
    kind: 'manual',
    label,
    now: new Date(),
    env: process.env,
  });
  if (!created.ok) return refused('No checkpoint was made', created.failure);
  const { checkpoint, excluded } = created.value;
  print([
    `Made checkpoint ${checkpoint.id}`,
    `${headOf(checkpoint)}, ${count(checkpoint.changedFiles, 'file')} changed`,
    ...leftAloneLines(excluded),
  ]);
  return 0;
}
