import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BackgroundTask, PromptEvent } from '../hosts/types.ts';
import { JsonStore } from './json-store.ts';
import { isTurnFile, stateDirectory, turnPath } from './paths.ts';

/** What is known of the turn of a session's main agent. It is open from a prompt until a stop is allowed. */
export interface Turn {
  /** Fingerprint of the working tree at the beginning of the turn; null if it is not known. */
  readonly tree: string | null;
  readonly open: boolean;
  /** When it was recorded, in ISO form. */
  readonly since: string;
  /** The first line of the reason that has blocked its last stop, cut; undefined if the last stop was not blocked. */
  readonly feedback?: string | undefined;
  /** The background tasks at its last stop, by id. */
  readonly tasks: readonly string[];
  /** How many stops in a row were not verified because of tasks other than agents. */
  readonly postponed: number;
}

/** After this time an open turn is one that was interrupted: it has no stop. */
const MAX_OPEN_MS = 8 * 60 * 60 * 1000;
const FEEDBACK_CHARACTERS = 100;
/** How many stops in a row are not verified because of new tasks: a wake-up can schedule the next one. */
const MAX_POSTPONED = 3;

/**
 * What a prompt does to the turn: `begin` begins a turn with the tree as it is now, `open` one with the tree that the last
 * stop has left.
 *
 * A prompt within an open turn does nothing, because nobody has verified the turn's work so far: the person steers the
 * agent (Codex), or the host itself sends a prompt. After a blocked stop a person may end the turn by a prompt.
 *
 * @param blockCap the host's: if it is 1, a turn ends after a block without a further stop
 */
export function effectOfPrompt(
  turn: Turn | undefined,
  { byPerson, prompt }: Pick<PromptEvent, 'byPerson' | 'prompt'>,
  now: Date,
  blockCap?: number,
): 'begin' | 'open' | 'nothing' {
  // Qwen Code sends the reason of a block as a prompt.
  const isPersons = byPerson && !(turn?.feedback !== undefined && prompt.includes(turn.feedback));
  if (!turn?.open) return isPersons ? 'begin' : 'open';
  const isInterrupted = now.getTime() - Date.parse(turn.since) > MAX_OPEN_MS;
  const isEnded = turn.feedback !== undefined && blockCap !== 1;
  return isPersons && (isEnded || isInterrupted) ? 'begin' : 'nothing';
}

/** The turn that a prompt begins. @param tree undefined for that of the last stop */
export function begunTurn(turn: Turn | undefined, tree: string | null | undefined, now: Date): Turn {
  return {
    tree: tree === undefined ? (turn?.tree ?? null) : tree,
    open: true,
    since: now.toISOString(),
    tasks: turn?.tasks ?? [],
    postponed: turn?.postponed ?? 0,
  };
}

/** The turn after a stop that was judged. */
export function judgedTurn(
  turn: Turn | undefined,
  stop: { readonly tasks: readonly BackgroundTask[] } & (
    | { readonly decision: 'allow'; readonly tree: string | undefined }
    | { readonly decision: 'block'; readonly reason: string }
  ),
  now: Date,
): Turn {
  const tasks = stop.tasks.map(({ id }) => id);
  const since = now.toISOString();
  if (stop.decision === 'allow') return { tree: stop.tree ?? null, open: false, since, tasks, postponed: 0 };
  const [feedback = ''] = stop.reason.trim().slice(0, FEEDBACK_CHARACTERS).split('\n', 1);
  return {
    tree: turn?.tree ?? null,
    open: true,
    since,
    feedback,
    tasks,
    postponed: 0,
  };
}

/** The turn after a stop at which the agent waits for tasks. @param counts whether it may wait so only a few times */
export function waitingTurn(
  turn: Turn | undefined,
  tasks: readonly BackgroundTask[],
  counts: boolean,
  now: Date,
): Turn {
  const begun = begunTurn(turn, undefined, now);
  return {
    ...begun,
    tasks: tasks.map(({ id }) => id),
    // A blocked stop is not undone by a wait for an agent either.
    postponed: turn?.feedback !== undefined ? MAX_POSTPONED : begun.postponed + Number(counts),
  };
}

/**
 * Whether an agent waits for one of these tasks. A task that was there at an earlier stop is one that survives stops, such
 * as a server, and no task undoes that a stop was blocked.
 */
export function waitsForTasks(turn: Turn | undefined, tasks: readonly BackgroundTask[]): boolean {
  if (turn?.feedback !== undefined || (turn?.postponed ?? 0) >= MAX_POSTPONED) return false;
  return tasks.some(({ id }) => !turn?.tasks.includes(id));
}

/** Returns the turn of a session; undefined if none is recorded, or none that can be used. */
export async function readTurn(root: string, session: string | undefined): Promise<Turn | undefined> {
  const path = await turnPath(root, session);
  return path === undefined ? undefined : storeAt(path).read();
}

/**
 * Changes the turn of a session.
 *
 * @param change returns undefined to change nothing
 * @returns whether the turn is recorded
 */
export async function changeTurn(
  root: string,
  session: string | undefined,
  change: (turn: Turn | undefined) => Turn | undefined,
): Promise<boolean> {
  const path = await turnPath(root, session);
  if (path === undefined) return false;
  if (!existsSync(path)) removeTurns(root, Date.now() - MAX_AGE_MS);
  try {
    await storeAt(path).update((turn, write) => {
      const next = change(turn);
      if (next) write(next);
    });
    return true;
  } catch {
    return false;
  }
}

/** A session that is older is seldom continued; its next stop is verified then. */
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;

/** Removes the recorded turns of a project. @param before only those that were last written before this time, in ms */
export function removeTurns(root: string, before = Number.POSITIVE_INFINITY): void {
  const directory = stateDirectory(root);
  try {
    for (const name of readdirSync(directory).filter(isTurnFile)) {
      const path = join(directory, name);
      if (statSync(path).mtimeMs < before) rmSync(path, { force: true });
    }
  } catch {
    // The directory is missing, or cannot be changed.
  }
}

function storeAt(path: string): JsonStore<Turn> {
  return new JsonStore(path, { check: (value) => (isTurn(value) ? value : undefined) });
}

function isTurn(value: unknown): value is Turn {
  const { tree, open, since, feedback, tasks, postponed } = (value ?? {}) as Partial<Record<string, unknown>>;
  return (
    (tree === null || typeof tree === 'string') &&
    typeof open === 'boolean' &&
    typeof since === 'string' &&
    (feedback === undefined || typeof feedback === 'string') &&
    Array.isArray(tasks) &&
    tasks.every((id) => typeof id === 'string') &&
    Number.isSafeInteger(postponed)
  );
}
