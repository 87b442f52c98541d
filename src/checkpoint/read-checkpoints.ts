import { type Checkpoint, REFS, timeOf } from './checkpoint.ts';
import type { CheckpointNote } from './keep-state.ts';
import { Refusal } from './refusal.ts';
import type { Repository } from './repository.ts';
import { partOf } from './state-tree.ts';

const FORMAT = '%(refname)%00%(objectname)%00%(contents:body)%00';

/** The checkpoints of all the working trees of a repository, the oldest first. */
export async function readCheckpoints({ git }: Repository): Promise<Checkpoint[]> {
  const output = await git(['for-each-ref', `--format=${FORMAT}`, REFS]);
  const records = Buffer.from(output, 'latin1').toString().split('\0\n').filter(Boolean);
  return records.flatMap(checkpointOf).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * A checkpoint of this working tree.
 *
 * @throws Refusal where there is none of that id
 */
export async function findCheckpoint(repository: Repository, id: string): Promise<Checkpoint> {
  const checkpoints = await readCheckpoints(repository);
  const checkpoint = checkpoints.find((one) => one.id === id);
  if (!checkpoint)
    throw new Refusal(`there is no checkpoint ${id}; \`ralph-loop checkpoint list\` shows those there are`);
  if (checkpoint.worktree !== repository.worktree)
    throw new Refusal(
      `checkpoint ${id} is of another working tree of this repository, ${checkpoint.worktree}: call it from there`,
    );
  return checkpoint;
}

/** The paths of the files that a checkpoint holds. */
export async function savedPaths({ git }: Repository, { commit }: Checkpoint): Promise<string[]> {
  const output = await git(['ls-tree', '-r', '-z', '--full-tree', '--name-only', partOf(commit, 'worktree')]);
  return output.split('\0').filter(Boolean);
}

/** Nothing where the ref is none that we made. */
function checkpointOf(record: string): Checkpoint[] {
  const [ref = '', commit = '', body = ''] = record.split('\0');
  const [, worktree, id] = /^(.+)\/([\da-z]{12})$/.exec(ref.slice(`${REFS}/`.length)) ?? [];
  if (worktree === undefined || id === undefined || !body.startsWith('{')) return [];
  const note = JSON.parse(body) as CheckpointNote;
  return [{ ...note, id, createdAt: timeOf(id), commit, worktree }];
}
