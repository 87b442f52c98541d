import { randomInt } from 'node:crypto';
import type { Result } from '../base/result.ts';
import { asResult, CheckpointError, type Git, lineOf, openRepository, type Repository } from './git.ts';

// Checkpoints in git's object store: a ref names a commit, whose tree has the parts of the saved state.

/** A saved state of the working tree and the index. */
export interface Checkpoint {
  /** `mkz3w1ab4fzq`: sorts by time. */
  readonly id: string;
  /** Made by a person, before the first attempt of a loop, or of the state that a restore replaces. */
  readonly kind: 'manual' | 'loop' | 'rescue';
  /** On one line; may be empty. */
  readonly label: string;
  readonly createdAt: Date;
  /** Null when HEAD was detached. */
  readonly branch: string | null;
  /** The commit of HEAD; null before the first commit. */
  readonly head: string | null;
  /** How many files differed from that commit. */
  readonly changedFiles: number;
  /** The commit that holds the checkpoint. */
  readonly commit: string;
  /** The working tree that was saved, as `Repository` names it. */
  readonly worktree: string;
}

/** Git neither pushes these refs nor lists them unless asked. */
const REF_PREFIX = 'refs/ralph/checkpoints';

export function checkpointRef({ worktree, id }: Pick<Checkpoint, 'worktree' | 'id'>): string {
  return `${REF_PREFIX}/${worktree}/${id}`;
}

/** Milliseconds in base 36: enough until the year 2059. */
const TIME_DIGITS = 8;
/** Distinguish checkpoints of one millisecond. */
const RANDOM_DIGITS = 4;
const BASE = 36;

export function newCheckpointId(now: Date): string {
  const random = randomInt(BASE ** RANDOM_DIGITS).toString(BASE);
  return now.getTime().toString(BASE).padStart(TIME_DIGITS, '0') + random.padStart(RANDOM_DIGITS, '0');
}

export function checkpointTime(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, TIME_DIGITS), BASE));
}

/** The entries in the tree of a saved state. */
const PARTS = {
  /** The files on disk, byte for byte. */
  worktree: 'tree',
  /** The staged files; this tree keeps the blobs of the index from being removed. */
  staged: 'tree',
  /** The index itself: it has more than a tree can hold, such as which files git does not compare with the disk. */
  index: 'blob',
  /** Paths on disk that are not saved, each followed by NUL: ignored and excluded ones. */
  unsaved: 'blob',
  /** Directories in which no file is saved, each followed by NUL. */
  directories: 'blob',
} as const;

type Part = keyof typeof PARTS;

/** @param ids object ids of the parts */
export function makeStateTree(git: Git, ids: Readonly<Record<Part, string>>): Promise<string> {
  const entries = Object.entries(PARTS).map(([part, type]) => {
    const mode = type === 'tree' ? '040000' : '100644';
    return `${mode} ${type} ${ids[part as Part]}\t${part}\n`;
  });
  return lineOf(git(['mktree'], { input: entries.join('') }));
}

/**
 * Names a part of a saved state in arguments of git.
 *
 * @param state object id of its tree, or of a commit with that tree
 */
export function partRevision(state: string, part: Part): string {
  return `${state}:${part}`;
}

/** A state in git's object store. No ref names it yet, so git may remove it after some time. */
export interface SavedState extends Pick<Checkpoint, 'head' | 'branch' | 'changedFiles'> {
  /** Object id of the tree with its parts. */
  readonly tree: string;
  /** Directories in which no file is saved. */
  readonly directories: readonly string[];
  /** Nested repositories and unreadable directories, with a slash at the end: neither saved nor touched. */
  readonly excluded: readonly string[];
}

export interface CheckpointPurpose {
  readonly kind: Checkpoint['kind'];
  /** May be empty. */
  readonly label: string;
  readonly now: Date;
}

/** The body of the commit message, as JSON. */
type CheckpointNote = Pick<Checkpoint, 'kind' | 'label' | 'branch' | 'head' | 'changedFiles'>;

/** Makes a commit and a ref for a saved state, so that git keeps it and the commit of HEAD. */
export async function storeCheckpoint(
  { git, worktree }: Repository,
  { tree, head, branch, changedFiles }: SavedState,
  { kind, label: text, now }: CheckpointPurpose,
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
  const checkpoint = { ...note, id: newCheckpointId(now), createdAt: now, commit, worktree };
  await git(['update-ref', '--stdin'], { input: `create ${checkpointRef(checkpoint)} ${commit}\n` });
  return checkpoint;
}

const REF_FORMAT = '%(refname)%00%(objectname)%00%(contents:body)%00';

/** The checkpoints of all working trees of a repository, the oldest first. */
async function readCheckpoints({ git }: Repository): Promise<Checkpoint[]> {
  const output = await git(['for-each-ref', `--format=${REF_FORMAT}`, REF_PREFIX]);
  const records = Buffer.from(output, 'latin1').toString().split('\0\n').filter(Boolean);
  return records.flatMap(parseCheckpoint).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** @returns an empty array for a ref that is not of a checkpoint */
function parseCheckpoint(record: string): Checkpoint[] {
  const [ref = '', commit = '', body = ''] = record.split('\0');
  const [, worktree, id] = /^(.+)\/([\da-z]{12})$/.exec(ref.slice(`${REF_PREFIX}/`.length)) ?? [];
  if (worktree === undefined || id === undefined || !body.startsWith('{')) return [];
  const note = JSON.parse(body) as CheckpointNote;
  return [{ ...note, id, createdAt: checkpointTime(id), commit, worktree }];
}

/** @throws CheckpointError when this working tree has no checkpoint with the id */
export async function findCheckpoint(repository: Repository, id: string): Promise<Checkpoint> {
  const checkpoints = await readCheckpoints(repository);
  const checkpoint = checkpoints.find((one) => one.id === id);
  if (!checkpoint)
    throw new CheckpointError(
      `there is no checkpoint ${id}; \`ralph-loop checkpoint list\` shows the checkpoints of this working tree`,
    );
  if (checkpoint.worktree !== repository.worktree)
    throw new CheckpointError(
      `checkpoint ${id} belongs to another working tree of this repository, ${checkpoint.worktree}: run the command there`,
    );
  return checkpoint;
}

/** The paths of the files in a checkpoint. */
export async function savedPaths({ git }: Repository, { commit }: Checkpoint): Promise<string[]> {
  const revision = partRevision(commit, 'worktree');
  const output = await git(['ls-tree', '-r', '-z', '--full-tree', '--name-only', revision]);
  return output.split('\0').filter(Boolean);
}

/**
 * The checkpoints of the working tree around a directory, the oldest first.
 *
 * @param directory absolute
 */
export function listCheckpoints(directory: string, env: NodeJS.ProcessEnv): Promise<Result<Checkpoint[]>> {
  return asResult(async () => {
    const repository = await openRepository(directory, env);
    const checkpoints = await readCheckpoints(repository);
    return checkpoints.filter(({ worktree }) => worktree === repository.worktree);
  });
}

/**
 * Removes a checkpoint; the working tree does not change. Git removes the objects itself, by default after two weeks.
 *
 * @param directory absolute
 */
export function dropCheckpoint(directory: string, id: string, env: NodeJS.ProcessEnv): Promise<Result<void>> {
  return asResult(async () => {
    const repository = await openRepository(directory, env);
    const checkpoint = await findCheckpoint(repository, id);
    await repository.git(['update-ref', '--stdin'], {
      input: `delete ${checkpointRef(checkpoint)} ${checkpoint.commit}\n`,
    });
  });
}
