import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyRestoration } from './apply-restoration.ts';
import type { Checkpoint } from './checkpoint.ts';
import { withIndex } from './copy-index.ts';
import { findObstacles } from './find-obstacles.ts';
import { keepState } from './keep-state.ts';
import { lockIndex } from './lock-index.ts';
import { planRestoration } from './plan-restoration.ts';
import { findCheckpoint, savedPaths } from './read-checkpoints.ts';
import { orWhy, Refusal, type Why } from './refusal.ts';
import { openRepository, type Repository } from './repository.ts';
import { saveState } from './save-state.ts';
import { partOf } from './state-tree.ts';
import { shownPath } from './tree-path.ts';

export interface Restored {
  readonly checkpoint: Checkpoint;
  /** The state that was replaced. */
  readonly rescue: Checkpoint;
  readonly written: number;
  readonly removed: number;
  /** How many commits HEAD has that the checkpoint's has not. */
  readonly commitsSince: number;
  /** Repositories inside this one, and directories that nobody may look into: not touched. */
  readonly leftAlone: readonly string[];
}

/**
 * Makes the working tree and the index what they were when a checkpoint was made, after it has saved what they are now
 * as a rescue checkpoint: files that were made since are removed, ignored files and ralph-loop's own state stay. HEAD
 * stays where it is too, and so do commits made since.
 *
 * @param directory absolute
 * @returns why not. Nothing was touched then, unless it says that the restoration has ended halfway: the rescue
 * checkpoint is named there, and restoring again completes it.
 */
export function restoreCheckpoint(
  directory: string,
  id: string,
  { now, env }: { readonly now: Date; readonly env: NodeJS.ProcessEnv },
): Promise<Restored | Why> {
  return orWhy(async () => {
    const repository = await openRepository(directory, env);
    const checkpoint = await findCheckpoint(repository, id);
    const unlock = await lockIndex(repository);
    try {
      return await restoreLocked(repository, checkpoint, now);
    } finally {
      unlock();
    }
  });
}

async function restoreLocked(repository: Repository, checkpoint: Checkpoint, now: Date): Promise<Restored> {
  const present = await saveState(repository, await savedPaths(repository, checkpoint));
  const restoration = await planRestoration(repository, present, checkpoint);
  const obstacles = findObstacles(repository.top, restoration);
  if (obstacles.length > 0) throw new Refusal(obstaclesWording(obstacles));
  const label = `before ${checkpoint.id}`;
  const rescue = await keepState(repository, present, { kind: 'rescue', label, now });
  const ended = await orWhy(async () => {
    await applyRestoration(repository, restoration);
    await restoreIndex(repository, checkpoint);
  });
  if (ended) throw new Refusal(halfwayWording(ended, checkpoint, rescue));
  return {
    checkpoint,
    rescue,
    written: restoration.writes.length,
    removed: restoration.removals.length,
    commitsSince: await countCommits(repository, checkpoint.head, rescue.head),
    leftAlone: present.leftAlone.map(shownPath),
  };
}

/** The index knows when it last saw each file: of those that were written since, git looks again. */
async function restoreIndex({ git, gitDirectory }: Repository, { commit }: Checkpoint): Promise<void> {
  const bytes = await git(['cat-file', 'blob', partOf(commit, 'index')]);
  const index = join(gitDirectory, 'ralph-index');
  // Of one that was killed.
  rmSync(`${index}.lock`, { force: true });
  writeFileSync(index, bytes, 'latin1');
  await git(['update-index', '-q', '--refresh'], withIndex(index));
  renameSync(index, join(gitDirectory, 'index'));
}

/** How many commits one has that another has not; null is where there are none yet. */
async function countCommits({ git }: Repository, from: string | null, to: string | null): Promise<number> {
  if (to === null || to === from) return 0;
  return Number(await git(['rev-list', '--count', to, ...(from === null ? [] : [`^${from}`])]));
}

const MAX_OBSTACLES = 3;

function obstaclesWording(obstacles: readonly string[]): string {
  const more = obstacles.length - MAX_OBSTACLES;
  const listed = obstacles.slice(0, MAX_OBSTACLES).join('; ');
  return more > 0 ? `${listed}; and ${more} more` : listed;
}

function halfwayWording({ why }: Why, checkpoint: Checkpoint, rescue: Checkpoint): string {
  return `${why}. Checkpoint ${checkpoint.id} is restored in part only: repair that, and restore it again. What was there before is kept as the rescue checkpoint ${rescue.id}`;
}
