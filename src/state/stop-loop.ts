import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { oneLine } from '../base/text.ts';
import type { StopEvent } from '../hosts/types.ts';
import { isProcessIdentity, mayRun, ownIdentity, type ProcessIdentity } from '../process/process-group.ts';
import { LOGGED_TASK_CHARACTERS, type LogRecord } from './execution-log.ts';
import { JsonStore, type LockWait } from './json-store.ts';
import { machineSigner } from './machine-key.ts';
import {
  fallbackCounterPath,
  isBlockCount,
  isSessionLoopFile,
  isTaskLoop,
  ralphDirectory,
  type StopLoopLocation,
  stateDirectory,
  taskLoopPath,
  treeOf,
} from './paths.ts';

/** A stop loop as its file holds it: the schema of the Python hook, and any other keys of the file. */
export interface StopLoop {
  readonly task: string;
  /** Stop attempts counted so far; 0 after a reset. */
  readonly iteration: number;
  /** Naive local ISO time, as Python's `datetime.now().isoformat()`; null where Python has no time. */
  readonly started_at: string | null;
  /** When the last attempt was counted, as `started_at`. Only the files that ralph-loop alone writes have it. */
  readonly last_stop_at?: string;
  /** Stop attempts since the last stop that was allowed, in the same files; the timeout does not end this count. */
  readonly blocks?: number;
  /** Stops in a row that had to wait for a gate, and the iteration that they did not use up. */
  readonly waits?: { readonly iteration: number; readonly stops: number };
  /** The hook whose attempt has no result yet, in the same files. */
  readonly open?: ProcessIdentity;
  readonly [unknownKey: string]: unknown;
}

export interface CountingRules {
  readonly maxIterations: number;
  readonly stateTimeoutMinutes: number;
}

/** A stop attempt that has been counted. */
export interface CountedAttempt {
  readonly iteration: number;
  readonly maxIterations: number;
  /** False at the limit, and where blocking could go on for ever because the count cannot be saved. */
  readonly mayBlock: boolean;
  /** Set if the loop was cancelled after its last stop: who did it, as in `Caller`. */
  readonly cancelled: { readonly by: string } | undefined;
  /** Whether the hook of the stop before this one was ended before it had a result. */
  readonly isAfterLost: boolean;
  /** Whether the state file had a cancellation that `ralph-loop cancel` has not written. */
  readonly isForged: boolean;
  /** What went wrong in counting, for the log. */
  readonly notes: readonly string[];
  /** How many stops in a row, before this one, were blocked because a gate was still running. */
  readonly waits: number;
  /** Undoes the count, because the agent has to wait for a gate. Absent where the count cannot be saved. */
  readonly wait?: () => Promise<void>;
  /** Ends the loop: the next stop is its first again. */
  reset(): Promise<void>;
  /** Restores the count if a gate has removed it. @param hasResult whether the attempt has one: it blocks the stop */
  keep(hasResult: boolean): Promise<void>;
}

/** However far apart its stops are, an agent is blocked at most this many times the limit. */
const MOST_BLOCKS = 4;

/**
 * Counts a stop attempt and saves it before any gate runs, so that a hook that is killed still counts.
 *
 * The Python hook's count of a task starts again half an hour after its first stop, and when another task is set. The
 * count of blocks in a row does not; the greater one decides.
 *
 * Where the project cannot be written, blocking needs the host's word that the agent does not continue already. Hosts
 * give that word wrongly, so the attempts are counted elsewhere too.
 */
export async function countAttempt(
  loop: StopLoopLocation,
  event: StopEvent,
  rules: CountingRules,
  { now, env }: { readonly now: Date; readonly env: NodeJS.ProcessEnv },
  wait: LockWait,
): Promise<CountedAttempt> {
  const save = (path: string, blocksPath?: string) =>
    saveAttempt({ path, blocksPath }, loop.key, rules, now, wait);
  try {
    const saved = await save(loop.path, loop.blocksPath);
    const { state } = saved;
    const isForged = await removeForgedCancellation(loop.path, state);
    const known = isForged ? { ...saved, state: { ...state, cancelled: undefined }, isForged } : saved;
    return counted(known, rules, true, [], {
      reset: () => endLoop(loop, state),
      keep: async (hasResult) => {
        await restoreCount(loop, state);
        if (hasResult) await settleAttempt(loop);
      },
      wait: () => undoCount(loop, state),
    });
  } catch (error) {
    const notes = [`the loop state cannot be written: ${(error as Error).message}`];
    try {
      const path = await fallbackCounterPath(loop.path, env);
      const saved = await save(path);
      return counted(saved, rules, event.continuing === false, notes, {
        reset: () => resetStopLoop(path, saved.state),
      });
    } catch (fallbackError) {
      notes.push(`the fallback counter cannot be written either: ${(fallbackError as Error).message}`);
      return counted(undefined, rules, event.continuing === false, notes, {});
    }
  }
}

/** The state after an attempt, and how many stops before it had to wait. */
interface SavedAttempt {
  readonly state: StopLoop;
  readonly waits: number;
  readonly isAfterLost: boolean;
  readonly isForged?: boolean;
}

function counted(
  saved: SavedAttempt | undefined,
  { maxIterations }: CountingRules,
  mayBlock: boolean,
  notes: string[],
  { reset, keep, wait }: Partial<Pick<CountedAttempt, 'reset' | 'keep' | 'wait'>>,
): CountedAttempt {
  const state = saved?.state;
  const blocks = state?.blocks ?? 0;
  const iteration = blocks >= MOST_BLOCKS * maxIterations ? blocks : (state?.iteration ?? 1);
  return {
    iteration,
    maxIterations,
    mayBlock: mayBlock && iteration < maxIterations,
    cancelled: cancellationOf(state),
    notes,
    waits: saved?.waits ?? 0,
    isAfterLost: saved?.isAfterLost ?? false,
    isForged: saved?.isForged ?? false,
    ...(wait && { wait: () => wait().catch(() => {}) }),
    // A count that cannot be reset ends by its timeout; the answer does not change.
    reset: async () => reset?.().catch(() => {}),
    keep: async (hasResult) => keep?.(hasResult).catch(() => {}),
  };
}

function moreOf(state: StopLoop, blocks: StopLoop | undefined): StopLoop {
  if (!blocks) return state;
  const more = Math.max(state.iteration, blocks.iteration);
  return { ...state, iteration: more, ...(blocks.blocks !== undefined && { blocks: blocks.blocks }) };
}

/** The key of a count of blocks, which goes on from task to task. */
const BLOCKS_KEY = 'blocks';

/** The state file is in the tree: an agent can write there that a person has cancelled the loop. @returns whether it did */
async function removeForgedCancellation(path: string, state: StopLoop): Promise<boolean> {
  const { cancelled } = state;
  if (cancelled === undefined) return false;
  const signer = await machineSigner();
  const { by, signature } = (cancelled ?? {}) as Record<string, unknown>;
  if (!signer || signer.isSigned(cancelText(path, state.task, String(by)), String(signature))) return false;
  await storeAt(path).update((present, write) => {
    if (present) write({ ...present, cancelled: undefined });
  });
  return true;
}

function cancelText(path: string, task: string, by: string): string {
  return JSON.stringify(['cancel', path, task, by]);
}

/** An earlier version has written `true`. */
function cancellationOf(state: StopLoop | undefined): CountedAttempt['cancelled'] {
  const cancelled = state?.cancelled;
  if (cancelled === true) return { by: '' };
  const { by } = (cancelled ?? {}) as Record<string, unknown>;
  return typeof by === 'string' ? { by: oneLine(by) } : undefined;
}

function saveAttempt(
  { path, blocksPath }: { readonly path: string; readonly blocksPath: string | undefined },
  task: string,
  rules: CountingRules,
  now: Date,
  wait: LockWait,
): Promise<SavedAttempt> {
  return storeAt(path).update((present, write) => {
    const isOwn = !isTaskLoop(path);
    const next = (isOwn ? nextBlock : nextAttempt)(present, { ...rules, task }, now);
    write(isOwn ? { ...next, open: ownIdentity() } : next);
    if (blocksPath === undefined)
      return { state: next, waits: waitsBefore(next), isAfterLost: isOwn && isLost(present) };
    // Under the same lock, so that both counts go up in the same order.
    const { blocks, isAfterLost } = countBlock(blocksPath, rules, now);
    // What is not saved could be waited for without end.
    const waits = blocks ? waitsBefore(blocks) : Number.POSITIVE_INFINITY;
    return { state: moreOf(next, blocks), waits, isAfterLost };
  }, wait);
}

/** @returns no count if it cannot be saved: the task's count decides then */
function countBlock(
  path: string,
  rules: CountingRules,
  now: Date,
): { readonly blocks: StopLoop | undefined; readonly isAfterLost: boolean } {
  const store = storeAt(path);
  const present = store.read();
  const next = nextBlock(present, { ...rules, task: BLOCKS_KEY }, now);
  try {
    store.overwrite({ ...next, open: ownIdentity() });
    return { blocks: next, isAfterLost: isLost(present) };
  } catch {
    return { blocks: undefined, isAfterLost: false };
  }
}

/** Whether the hook of an attempt was killed before the attempt had a result. */
function isLost(state: StopLoop | undefined): boolean {
  return isProcessIdentity(state?.open) && !mayRun(state.open);
}

/** Records that the attempt of this process has a result. */
async function settleAttempt({ path, blocksPath }: StopLoopLocation): Promise<void> {
  const own = blocksPath ?? path;
  await storeAt(own).update((present, write) => {
    if (present?.open?.pid === process.pid) write(settled(present));
  });
}

function settled({ open: _, ...state }: StopLoop): StopLoop {
  return state as StopLoop;
}

async function endLoop(loop: StopLoopLocation, state: StopLoop): Promise<void> {
  if (loop.blocksPath !== undefined) removeStopLoop(loop.blocksPath);
  if (loop.keepAfterReset) await resetStopLoop(loop.path, state);
  else removeStopLoop(loop.path);
}

/** The stops in a row before this one that did not use up an iteration. */
function waitsBefore({ iteration, waits }: StopLoop): number {
  const { iteration: counted, stops } = (waits ?? {}) as Record<string, unknown>;
  return counted === iteration - 1 && Number.isSafeInteger(stops) ? Number(stops) : 0;
}

/** Undoes the count of a stop. Several agents share the count of a task; how often each has waited is its own count. */
async function undoCount({ path, blocksPath }: StopLoopLocation, attempt: StopLoop): Promise<void> {
  const own = blocksPath ?? path;
  await storeAt(path).update((present = attempt, write) => {
    if (present.task === attempt.task && present.iteration > 0)
      write(own === path ? withWait(present) : { ...present, iteration: present.iteration - 1 });
  });
  if (own !== path)
    await storeAt(own).update((present, write) => {
      if (present && present.iteration > 0) write(withWait(present));
    });
}

function withWait(state: StopLoop): StopLoop {
  const iteration = state.iteration - 1;
  const { blocks } = state;
  return {
    ...settled(state),
    iteration,
    waits: { iteration, stops: waitsBefore(state) + 1 },
    ...(blocks !== undefined && { blocks: Math.max(0, blocks - 1) }),
  };
}

/** Where the directory of Trellis is removed, its task is removed too, and the next stop is not guarded. */
async function restoreCount(loop: StopLoopLocation, state: StopLoop): Promise<void> {
  if (!loop.keepAfterReset || existsSync(dirname(loop.path))) await storeAt(loop.path).restore(state);
}

/** Sets the count to 0, unless another task has taken the file over. */
function resetStopLoop(path: string, attempt: StopLoop): Promise<void> {
  return storeAt(path).update((present = attempt, write) => {
    if (present.task === attempt.task) write(resetState(present));
  });
}

/**
 * Returns the state after one more stop attempt. Another task, or a loop older than the timeout, starts again at 1.
 *
 * @param previous undefined if there is no state, or none that can be used
 */
export function nextAttempt(
  previous: StopLoop | undefined,
  { task, stateTimeoutMinutes }: { readonly task: string; readonly stateTimeoutMinutes: number },
  now: Date,
): StopLoop {
  if (previous?.task === task && !hasTimedOut(previous.started_at, stateTimeoutMinutes, now))
    return { ...previous, iteration: previous.iteration + 1 };
  return { ...(previous && resetState(previous)), task, iteration: 1, started_at: naiveLocalTime(now) };
}

/**
 * Returns the state after one more stop attempt, where ralph-loop alone counts: the timeout is measured from the last
 * stop, so that an agent that takes its time reaches the limit too.
 */
export function nextBlock(
  previous: StopLoop | undefined,
  { task, stateTimeoutMinutes }: { readonly task: string; readonly stateTimeoutMinutes: number },
  now: Date,
): StopLoop {
  const last_stop_at = naiveLocalTime(now);
  const known = previous?.task === task ? previous : undefined;
  const { iteration = 0, blocks: before } = known ?? {};
  const blocks = (Number.isSafeInteger(before) ? Math.max(Number(before), iteration) : iteration) + 1;
  if (known && !isExpired(known, stateTimeoutMinutes, now))
    return { ...settled(known), iteration: known.iteration + 1, last_stop_at, blocks };
  return { task, iteration: 1, started_at: last_stop_at, last_stop_at, blocks };
}

/** Whether the next stop of a loop starts again at 1. */
export function isExpired(state: StopLoop, timeoutMinutes: number, now: Date): boolean {
  return hasTimedOut(timedFrom(state), timeoutMinutes, now);
}

/** The time that the timeout is measured from. */
function timedFrom({ last_stop_at, started_at }: StopLoop): string | null {
  return last_stop_at ?? started_at;
}

/** Returns the state after a pass or at the limit: the next stop attempt is the first again. */
export function resetState({
  cancelled: _,
  blocks: __,
  waits: ___,
  open: ____,
  ...state
}: StopLoop): StopLoop {
  const { task, started_at } = state;
  return { ...state, task, started_at, iteration: 0 };
}

/**
 * Whether a loop is too old to continue. As in Python, a missing time never expires; a time that cannot be parsed, or
 * that has a zone, which Python cannot subtract, always has.
 */
export function hasTimedOut(startedAt: string | null, timeoutMinutes: number, now: Date): boolean {
  if (!startedAt) return false;
  const started = parseNaiveLocalTime(startedAt);
  return started === undefined || now.getTime() - started.getTime() > timeoutMinutes * 60_000;
}

/** Returns the state that a file's JSON value holds, or undefined if it cannot be used. */
export function stopLoopOf(value: unknown): StopLoop | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { task, iteration = 0, started_at: startedAt = null } = value as Record<string, unknown>;
  if (!Number.isSafeInteger(iteration) || Number(iteration) < 0) return undefined;
  return {
    ...value,
    task: typeof task === 'string' ? task : '',
    iteration: Number(iteration),
    // Any other value becomes a time that cannot be parsed, which has always expired.
    started_at: typeof startedAt === 'string' ? startedAt : startedAt ? JSON.stringify(startedAt) : null,
  };
}

/** Returns a loop's present state, without a lock. */
export function readStopLoop(path: string): StopLoop | undefined {
  return storeAt(path).read();
}

/**
 * Cancels a loop: its next stop is allowed. Returns the loop, or undefined if there is none that can be used.
 *
 * @param by who cancels it, as in `Caller`
 */
export async function cancelStopLoop(path: string, by: string): Promise<StopLoop | undefined> {
  const signer = await machineSigner();
  return storeAt(path).update((present, write) => {
    const signature = present && signer?.sign(cancelText(path, present.task, by));
    if (present) write({ ...present, cancelled: { by, ...(signature !== undefined && { signature }) } });
    return present;
  });
}

/** Removes a loop's file without its lock, which a full disk would refuse. Returns whether there was a file. */
export function removeStopLoop(path: string): boolean {
  if (!existsSync(path)) return false;
  rmSync(path, { recursive: true, force: true });
  return true;
}

/** Returns the state files of a project's loops: the task's first, then the sessions'. */
export function stopLoopFiles(root: string): string[] {
  const task = taskLoopPath(root);
  const directory = stateDirectory(root);
  const sessions = namesIn(directory).filter(isSessionLoopFile);
  return [...(existsSync(task) ? [task] : []), ...sessions.map((name) => join(directory, name))];
}

/** Removes the counts of blocks in a row, when the loops of a project are reset. */
export function removeBlockCounts(root: string): void {
  const directory = stateDirectory(root);
  for (const name of namesIn(directory).filter(isBlockCount)) removeStopLoop(join(directory, name));
}

/** Returns what else ralph-loop has written for a project: its directories, state files set aside, unfinished writes. */
export function leftoverFiles(root: string): string[] {
  const task = taskLoopPath(root);
  const besideTask = namesIn(dirname(task)).filter((name) => name.startsWith(`${basename(task)}.`));
  const directories = [...new Set([ralphDirectory(root), stateDirectory(root)])];
  return [...besideTask.map((name) => join(dirname(task), name)), ...directories.filter(existsSync)];
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).toSorted();
  } catch {
    return [];
  }
}

/** The Python hook and people write the file too. */
function storeAt(path: string): JsonStore<StopLoop> {
  return new JsonStore(path, { check: stopLoopOf, tree: treeOf(path) });
}

/** One loop as `status --json` prints it. */
export interface StopLoopStatus {
  /** The loop's key: a task, or `session:<id>/<agent>`. */
  readonly loop: string;
  /** 0: no stop attempt since the last pass or the last stop at the limit. */
  readonly iteration: number;
  readonly max: number;
  readonly started_at: string | null;
  readonly age_seconds: number | null;
  /** Null if the loop never expires; negative if it has expired. */
  readonly expires_in_seconds: number | null;
  readonly expired: boolean;
  /** The present iteration has no result: its gates run now, or its hook was killed. */
  readonly verifying: boolean;
  /** The last stop attempt that has a result. */
  readonly last: LogRecord | null;
}

/** Whether a loop goes on at its next stop: it has not passed, reached its limit or expired. */
export function isLive({ iteration, expired }: StopLoopStatus): boolean {
  return iteration > 0 && !expired;
}

/** Combines a loop's state with its latest line of the log. */
export function stopLoopStatus(
  state: StopLoop,
  log: readonly LogRecord[],
  rules: CountingRules,
  now: Date,
): StopLoopStatus {
  const loggedTask = state.task.slice(0, LOGGED_TASK_CHARACTERS);
  const last = log.findLast(({ task }) => task === loggedTask) ?? null;
  const started = state.started_at === null ? undefined : parseNaiveLocalTime(state.started_at);
  const secondsSince = (time: Date) => Math.round((now.getTime() - time.getTime()) / 1000);
  const ageSeconds = started ? secondsSince(started) : null;
  const from = parseNaiveLocalTime(timedFrom(state) ?? '');
  const isOfThisLoop = last !== null && (!started || Date.parse(last.time) >= started.getTime());
  return {
    loop: state.task,
    iteration: state.iteration,
    max: rules.maxIterations,
    started_at: state.started_at,
    age_seconds: ageSeconds,
    expires_in_seconds: from ? Math.round(rules.stateTimeoutMinutes * 60 - secondsSince(from)) : null,
    expired: isExpired(state, rules.stateTimeoutMinutes, now),
    verifying: state.iteration > 0 && !(isOfThisLoop && last.iteration === state.iteration),
    last,
  };
}

const NAIVE_ISO = /^(\d{4})-(\d\d)-(\d\d)(?:.(\d\d)(?::(\d\d)(?::(\d\d)(?:[.,](\d{1,6})\d*)?)?)?)?$/su;

/**
 * Parses a local time without a zone, as Python's `datetime.fromisoformat` does.
 *
 * @returns undefined for every other text
 */
export function parseNaiveLocalTime(text: string): Date | undefined {
  const parts = NAIVE_ISO.exec(text);
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const milliseconds = Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3));
  const date = new Date(year, month - 1, day, hour, minute, second, milliseconds);
  // Date turns 31 February into a day of March; Python refuses it.
  const isReal = date.getMonth() === month - 1 && hour < 24 && minute < 60 && second < 60;
  return isReal ? date : undefined;
}

/** Formats a local time without a zone, in microseconds as Python does: `2026-01-31T10:30:00.123000`. */
export function naiveLocalTime(date: Date): string {
  const two = (n: number) => String(n).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return `${day}T${time}.${String(date.getMilliseconds()).padStart(3, '0')}000`;
}
