import { oneLine } from '../../base/text.ts';
import { type Checkpoint, listCheckpoints } from '../../checkpoint/store.ts';
import { ago } from '../../messages/loop-lines.ts';
import { print, refused } from './checkpoint-say.ts';

/** Columns that a row has; the label gets what is left. */
const WIDTH = 60;

/**
 * `ralph-loop checkpoint list`: the checkpoints of this working tree, the latest last.
 *
 * @returns the exit code: 0 told, 1 refused
 */
export async function checkpointList(): Promise<number> {
  const listed = await listCheckpoints(process.cwd(), process.env);
  if (!listed.ok) return refused('No checkpoints', listed.failure);
  const now = new Date();
  print(
    listed.value.length === 0
      ? ['No checkpoints.']
      : [row('ID', 'WHEN', 'KIND', 'FILES', 'LABEL'), ...listed.value.map((one) => rowOf(one, now))],
  );
  return 0;
}

function rowOf({ id, createdAt, kind, changedFiles, label }: Checkpoint, now: Date): string {
  const seconds = Math.round((now.getTime() - createdAt.getTime()) / 1000);
  return row(id, ago(seconds), kind, String(changedFiles), label);
}

function row(id: string, when: string, kind: string, files: string, label: string): string {
  const start = `${id.padEnd(12)}  ${when.padEnd(7)}  ${kind.padEnd(6)}  ${files.padStart(5)}  `;
  return `${start}${oneLine(label, WIDTH - start.length)}`.trimEnd();
}
