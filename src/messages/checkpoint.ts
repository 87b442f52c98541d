import { count } from '../base/text.ts';

// What people read about a checkpoint that was restored, or was not.

/** Where HEAD is. */
interface Head {
  /** Null when HEAD is detached. */
  readonly branch: string | null;
  /** Null before the first commit. */
  readonly head: string | null;
}

/** HEAD in the checkpoint and now: a restore does not move it. */
export interface HeadMove {
  readonly checkpoint: Head;
  /** The state before the restore. */
  readonly rescue: Head & { readonly id: string };
  /** How many commits HEAD has that the checkpoint does not have. */
  readonly commitsSince: number;
  /** The commit of the checkpoint's branch now; null when the branch is gone. */
  readonly branchTip: string | null;
  /** Whether staged files differ from the commit of the checkpoint. */
  readonly isStaged: boolean;
}

/** `main at 1a2b3c4` */
export function headOf({ branch, head }: Head): string {
  return `${branch ?? 'detached HEAD'} ${head === null ? 'without commits' : `at ${shortCommit(head)}`}`;
}

/** Where HEAD is after a restore, and the commands that move it to where it was; empty when it is there. */
export function headLines(move: HeadMove): string[] {
  const { checkpoint, rescue, commitsSince } = move;
  if (checkpoint.head === rescue.head && checkpoint.branch === rescue.branch) return [];
  const isSwitched = checkpoint.branch !== rescue.branch;
  const reset = resetCommand(move);
  const commits = `${count(commitsSince, 'commit')} made since`;
  const aim = isSwitched || commitsSince === 0 ? 'To move HEAD back' : `To undo ${commits}`;
  return [
    `HEAD stays on ${headOf(rescue)}; it was on ${headOf(checkpoint)}.`,
    ...(isSwitched ? [`To switch back: ${switchCommand(move)}`] : []),
    ...(reset === undefined ? [] : [`${aim}: ${reset}`]),
  ];
}

/** The files and the index are restored already: a command that changes them fails where they differ from the branch. */
function switchCommand({ checkpoint: { branch, head }, branchTip, isStaged }: HeadMove): string {
  if (branch === null) return 'git switch --detach';
  const isAtBranch = head !== null && branchTip === head && !isStaged;
  return isAtBranch
    ? `git switch ${shellWord(branch)}`
    : `git symbolic-ref HEAD ${shellWord(`refs/heads/${branch}`)}`;
}

/** The command that moves the current branch back; undefined if it is where it was. */
function resetCommand({ checkpoint: { branch, head }, rescue, branchTip }: HeadMove): string | undefined {
  const tip = branch === null || branch === rescue.branch ? rescue.head : branchTip;
  if (tip === head) return undefined;
  return head === null ? 'git update-ref -d HEAD' : `git reset --soft ${shortCommit(head)}`;
}

function shortCommit(commit: string): string {
  return commit.slice(0, 7);
}

/** The name of a branch may contain all characters of the shell but blanks. */
function shellWord(word: string): string {
  return /^[\w./@+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

export function rolledBackText(move: HeadMove): string {
  const restored = `The working tree was rolled back. Its state before the rollback: ralph-loop checkpoint restore ${move.rescue.id}`;
  return [restored, ...headLines(move)].join('\n');
}

/** @param reason without a full stop */
export function notRolledBackText(checkpoint: string, reason: string): string {
  return `The working tree was not rolled back: ${reason}.\nTo roll it back all the same: ralph-loop checkpoint restore ${checkpoint}`;
}

/** For a run that continues. */
export function noRollbackText(checkpoint: string, reason: string): string {
  return `The run will not be rolled back: ${reason}.\nTo roll it back all the same: ralph-loop checkpoint restore ${checkpoint}`;
}

// Why a rollback could remove the work of somebody else.

export const LATER_CHANGES = 'files have changed since the last run';
export const UNKNOWN_CHANGES = 'it is unknown whether files have changed since the last run';

export function otherWorkReason(name: string, how: 'active' | 'passed'): string {
  return how === 'active'
    ? `${name} is not finished, and its work would be removed`
    : `${name} has been verified since, and its work would be removed`;
}
