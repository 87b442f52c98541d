import { type Checkpoint, newId, refOf } from './checkpoint.ts';
import { lineOf, type Repository } from './repository.ts';
import type { SavedState } from './save-state.ts';

export interface Purpose {
  readonly kind: Checkpoint['kind'];
  /** What it is made for; may be empty. */
  readonly label: string;
  readonly now: Date;
}

/** What the message of a checkpoint's commit says below its first line, as JSON. */
export type CheckpointNote = Pick<Checkpoint, 'kind' | 'label' | 'branch' | 'head' | 'changedFiles'>;

/** Gives a saved state a commit and a ref, so that git keeps it; the commit that HEAD is at is kept with it. */
export async function keepState(
  { git, worktree }: Repository,
  { tree, head, branch, changedFiles }: SavedState,
  { kind, label: text, now }: Purpose,
): Promise<Checkpoint> {
  const label = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  const note: CheckpointNote = { kind, label, branch, head, changedFiles };
  const date = `@${Math.floor(now.getTime() / 1000)} +0000`;
  const commit = await lineOf(
    git(['commit-tree', tree, ...(head === null ? [] : ['-p', head])], {
      input: Buffer.from(`ralph-loop checkpoint\n\n${JSON.stringify(note)}\n`).toString('latin1'),
      env: { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    }),
  );
  const checkpoint = { ...note, id: newId(now), createdAt: now, commit, worktree };
  await git(['update-ref', '--stdin'], { input: `create ${refOf(checkpoint)} ${commit}\n` });
  return checkpoint;
}
