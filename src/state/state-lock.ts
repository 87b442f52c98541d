import { mkdirSync, readFileSync, rmdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isAlive } from '../process/identity.ts';

/** The lock is held for milliseconds: a holder of this age has been stopped, if it is alive at all. */
const STALE_MS = 10_000;
/** The same for a lock without a pid in it: its holder died between making and writing it, or could not write. */
const STALE_UNSIGNED_MS = 1000;
/** How long a hook waits its turn. Fifty together wait a fraction of it. */
const WAIT_MS = 5000;
/** Hooks that wait together must not knock at the same moments. */
const RETRY_MS = { least: 2, most: 12 };

/** How much patience the caller has. */
export interface Patience {
  /** Milliseconds that may be waited at the most; 5 s are never exceeded. */
  readonly waitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `work` while this process alone holds the lock beside a file.
 *
 * The lock is a file with the holder's pid in it. A holder that died leaves it behind; the next one breaks it.
 *
 * @param path of the file that is guarded; the lock is `<path>.lock`
 * @param work must be synchronous, so that nothing else runs while the lock is held
 * @throws where the directory cannot be written, or the lock is not to be had in time
 */
export async function withLock<T>(path: string, work: () => T, patience: Patience = {}): Promise<T> {
  const lock = `${path}.lock`;
  await acquire(lock, patience);
  try {
    return work();
  } finally {
    // Whoever was stopped for long may find that the lock is another's by now.
    if (holderOf(lock) === process.pid) removeIfThere(lock);
  }
}

async function acquire(lock: string, { waitMs = WAIT_MS, signal }: Patience): Promise<void> {
  const retries = { left: Math.min(waitMs, WAIT_MS) };
  while (!tryCreate(lock)) {
    if (retries.left <= 0 || signal?.aborted)
      throw new Error(`${lock} is held by process ${holderOf(lock) ?? 'unknown'}`);
    if (isStale(lock)) breakLock(lock);
    const pauseMs = RETRY_MS.least + Math.random() * (RETRY_MS.most - RETRY_MS.least);
    // Counted, not read off a clock: clocks are set, and processes stopped.
    retries.left -= pauseMs;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

function tryCreate(lock: string, mayMakeDirectory = true): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (code === 'ENOENT') {
      mkdirSync(dirname(lock), { recursive: true });
      return mayMakeDirectory && tryCreate(lock, false);
    }
    // On a full disk the file is made, and then cannot be written.
    if (code === 'ENOSPC' || code === 'EDQUOT') removeIfThere(lock);
    throw error;
  }
}

/** A clock that was set back makes a lock look as if it came from the future: that too is too far from now. */
function isStale(lock: string): boolean {
  const pid = holderOf(lock);
  if (pid !== undefined && !isAlive(pid)) return true;
  try {
    const ageMs = Math.abs(Date.now() - statSync(lock).mtimeMs);
    return ageMs > (pid === undefined ? STALE_UNSIGNED_MS : STALE_MS);
  } catch {
    return false;
  }
}

/** Only one process breaks a lock at a time: otherwise a second could remove the new holder's. */
function breakLock(lock: string): void {
  const breaking = `${lock}.breaking`;
  try {
    mkdirSync(breaking);
  } catch {
    removeIfOld(breaking);
    return;
  }
  try {
    if (isStale(lock)) removeIfThere(lock);
  } finally {
    rmdirSync(breaking);
  }
}

/** A breaker that died while breaking must not keep the others from it. */
function removeIfOld(breaking: string): void {
  try {
    if (Math.abs(Date.now() - statSync(breaking).mtimeMs) > STALE_MS) rmdirSync(breaking);
  } catch {
    // Another was faster.
  }
}

function holderOf(lock: string): number | undefined {
  try {
    const pid = Number(readFileSync(lock, 'utf8'));
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** unlink, and not rm with force, which asks the file system four things more. */
function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
