import { count } from '../../base/text.ts';
import { compareCheckpoint } from '../../checkpoint/compare.ts';
import { checkpointRef } from '../../checkpoint/store.ts';
import { ago } from '../../messages/loop-lines.ts';
import { print, refused } from './checkpoint-say.ts';
import { headOf } from './checkpoint-wording.ts';

/**
 * `ralph-loop checkpoint show`: what a checkpoint is of, and what has changed since.
 *
 * @returns the exit code: 0 told, 1 refused
 */
export async function checkpointShow(id: string): Promise<number> {
  const compared = await compareCheckpoint(process.cwd(), id, process.env);
  if (!compared.ok) return refused('Nothing to show', compared.failure);
  const { checkpoint, stat, isStagedChanged } = compared.value;
  const { kind, createdAt, label, changedFiles } = checkpoint;
  const seconds = Math.round((Date.now() - createdAt.getTime()) / 1000);
  print([
    `Checkpoint ${id}, ${kind}, ${ago(seconds)}`,
    ...(label === '' ? [] : [label]),
    `${headOf(checkpoint)}, ${count(changedFiles, 'file')} changed`,
    checkpointRef(checkpoint),
    '',
    stat === '' ? 'No file has changed since.' : `Since then:\n${stat.trimEnd()}`,
    ...(isStagedChanged ? ['What is staged has changed too.'] : []),
  ]);
  return 0;
}
