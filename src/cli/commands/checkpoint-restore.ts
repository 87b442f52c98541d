import { count } from '../../base/text.ts';
import { type RestoredCheckpoint, restoreCheckpoint } from '../../checkpoint/restore.ts';
import { print, refused } from './checkpoint-say.ts';
import { headOf, leftAloneLines, shortCommit } from './checkpoint-wording.ts';

/**
 * `ralph-loop checkpoint restore`: makes the working tree and the index what they were.
 *
 * @returns the exit code: 0 restored, 1 refused
 */
export async function checkpointRestore(id: string): Promise<number> {
  // Half a restoration helps nobody, and the rest of it takes a moment.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  const restored = await restoreCheckpoint(process.cwd(), id, { now: new Date(), env: process.env });
  if (!restored.ok) return refused('Not restored', restored.failure);
  const { rescue, written, removed, excluded } = restored.value;
  print([
    `Restored ${id}: ${count(written, 'file')} written, ${removed} removed.`,
    `What was there before is checkpoint ${rescue.id}:`,
    `  ralph-loop checkpoint restore ${rescue.id}`,
    ...headLines(restored.value),
    ...leftAloneLines(excluded),
  ]);
  return 0;
}

function headLines({ checkpoint, rescue, commitsSince }: RestoredCheckpoint): string[] {
  if (checkpoint.head === rescue.head && checkpoint.branch === rescue.branch) return [];
  const moved = `HEAD stays on ${headOf(rescue)}; it was on ${headOf(checkpoint)}.`;
  if (checkpoint.branch !== rescue.branch || checkpoint.head === null) return [moved];
  const commits =
    commitsSince === 0 ? 'To move it back' : `To take back ${count(commitsSince, 'commit')} made since`;
  return [moved, `${commits}: git reset --soft ${shortCommit(checkpoint.head)}`];
}
