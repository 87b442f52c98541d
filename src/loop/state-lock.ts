import { mkdirSync, readFileSync, rmdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The lock is held for milliseconds: a holder of this age has died or been stopped. */
const STALE_MS = 5000;
/** Longer than it takes for a dead holder's lock to be broken. */
const WAIT_MS = 8000;
/** Fifty hooks that wait together must not knock at the same moments. */
const RETRY_MS = { least: 2, most: 12 };

/**
 * Runs `work` while this process alone holds the lock beside a file.
 *
 * The lock is a file with the holder's pid in it. A holder that died leaves it behind; the next one breaks it.
 *
 * @param path of the file that is guarded; the lock is `<path>.lock`
 * @param work must be synchronous, so that nothing else runs while the lock is held
 * @throws where the directory cannot be written, or the lock is not to be had within 8 s
 */
export async function withLock<T>(path: string, work: () => T): Promise<T> {
  const lock = `${path}.lock`;
  await acquire(lock);
  try {
    return work();
  } finally {
    removeIfThere(lock);
  }
}

async function acquire(lock: string): Promise<void> {
  const giveUpAt = Date.now() + WAIT_MS;
  while (!tryCreate(lock)) {
    if (Date.now() > giveUpAt) throw new Error(`${lock} is held by process ${holderOf(lock) ?? 'unknown'}`);
    if (isStale(lock)) breakLock(lock);
    await sleep(RETRY_MS.least + Math.random() * (RETRY_MS.most - RETRY_MS.least));
  }
}

function tryCreate(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (code !== 'ENOENT') throw error;
    mkdirSync(dirname(lock), { recursive: true });
    return false;
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** unlink, and not rm with force, which asks the file system four things more. */
function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function isStale(lock: string): boolean {
  const pid = holderOf(lock);
  if (pid !== undefined && !isAlive(pid)) return true;
  try {
    return Date.now() - statSync(lock).mtimeMs > STALE_MS;
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
    if (Date.now() - statSync(breaking).mtimeMs > STALE_MS) rmdirSync(breaking);
  } catch {
    // Another was faster.
  }
}

function holderOf(lock: string): number | undefined {
  try {
    return Number(readFileSync(lock, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
