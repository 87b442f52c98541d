import { randomInt } from 'node:crypto';

/** A state of the working tree and the index that was saved, and can be gone back to. */
export interface Checkpoint {
  /** `mkz3w1ab4fzq`: sorts by time. */
  readonly id: string;
  /** Made by a person, by a loop before its first attempt, or of the state that a restoration was about to replace. */
  readonly kind: 'manual' | 'loop' | 'rescue';
  /** What it was made for, on one line; may be empty. */
  readonly label: string;
  readonly createdAt: Date;
  /** Null where HEAD was detached. */
  readonly branch: string | null;
  /** Object id of the commit that HEAD was at; null before the first commit. */
  readonly head: string | null;
  /** How many files were not as in that commit. */
  readonly changedFiles: number;
  /** Object id of the commit that holds it. */
  readonly commit: string;
  /** The working tree that it is of. */
  readonly worktree: string;
}

/** Where checkpoints are kept: refs that git neither pushes nor shows unless asked for. */
export const REFS = 'refs/ralph/checkpoints';

export function refOf({ worktree, id }: Pick<Checkpoint, 'worktree' | 'id'>): string {
  return `${REFS}/${worktree}/${id}`;
}

/** Digits of the milliseconds, to base 36: until the year 2059. */
const TIME_DIGITS = 8;
/** Checkpoints of the same millisecond are told apart by chance. */
const CHANCE_DIGITS = 4;
const BASE = 36;

export function newId(now: Date): string {
  const chance = randomInt(BASE ** CHANCE_DIGITS).toString(BASE);
  return now.getTime().toString(BASE).padStart(TIME_DIGITS, '0') + chance.padStart(CHANCE_DIGITS, '0');
}

export function timeOf(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, TIME_DIGITS), BASE));
}
