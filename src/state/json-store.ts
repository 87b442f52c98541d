import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { READ_WITHOUT_WAITING, writeFileAtomic } from '../base/files.ts';
import { isAlive } from '../process/process-group.ts';

export interface JsonStoreOptions<T> {
  /** Returns the value of a parsed file, or undefined for one that this version cannot use. */
  readonly check: (value: unknown) => T | undefined;
  /**
   * Whether other programs and people write the file too. A file that cannot be used is then renamed, so that nothing is
   * lost, and a symbolic link is followed instead of replaced.
   */
  readonly isShared?: boolean;
}

/** One JSON file that several processes read and change. */
export class JsonStore<T> {
  readonly path: string;
  readonly #options: JsonStoreOptions<T>;

  /** @param path absolute */
  constructor(path: string, options: JsonStoreOptions<T>) {
    this.path = path;
    this.#options = options;
  }

  /** Returns undefined for a file that is missing or cannot be used. Takes no lock: writes are atomic. */
  read(): T | undefined {
    try {
      return this.#check(this.#readText());
    } catch {
      return undefined;
    }
  }

  /**
   * Runs `work` under the lock of the file.
   *
   * @param work synchronous; gets the present value, and a function that writes the next one
   * @throws if the file cannot be read or written, or the lock is not free in time
   */
  update<R>(work: (present: T | undefined, write: (next: T) => void) => R, wait?: LockWait): Promise<R> {
    return withLock(this.path, () => work(this.#readForUpdate(), (next) => this.#write(next)), wait);
  }

  /**
   * Writes a value that a gate has removed, as `git clean -fdx` does. A file that is present stays as it is.
   *
   * @throws if the file cannot be written
   */
  async restore(value: T): Promise<void> {
    if (existsSync(this.path)) return;
    await withLock(this.path, () => {
      if (!existsSync(this.path)) this.#write(value);
    });
  }

  #readForUpdate(): T | undefined {
    let text = '';
    try {
      text = this.#readText();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return undefined;
      if (code !== 'EISDIR') throw error;
    }
    const value = this.#check(text);
    if (value === undefined && this.#options.isShared) setAside(linkTarget(this.path));
    return value;
  }

  #readText(): string {
    return readFileSync(this.path, { encoding: 'utf8', flag: READ_WITHOUT_WAITING });
  }

  #check(text: string): T | undefined {
    try {
      return this.#options.check(JSON.parse(text));
    } catch {
      return undefined;
    }
  }

  #write(value: T): void {
    const path = this.#options.isShared ? linkTarget(this.path) : this.path;
    writeFileAtomic(path, `${JSON.stringify(value, null, 2)}\n`);
  }
}

function setAside(path: string): void {
  renameSync(path, `${path}.broken-${new Date().toISOString().replace(/[-:.]/g, '')}`);
}

/** Returns the file that a symbolic link names, whether or not it exists; any other path as it is. */
function linkTarget(path: string): string {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path;
  return existsSync(path) ? realpathSync(path) : resolve(dirname(path), readlinkSync(path));
}

/** The lock is held for milliseconds: a lock of this age belongs to a process that is suspended or dead. */
const STALE_MS = 10_000;
/** The same for a lock without a pid: its process died before it wrote the pid, or could not write it. */
const STALE_UNSIGNED_MS = 1000;
/** How long a process waits for the lock. Fifty hooks at once need a fraction of it. */
const WAIT_MS = 5000;
/** Random, so that waiting processes do not retry at the same moment. */
const RETRY_MS = { least: 2, most: 12 };

/** How long the caller waits for the lock. */
export interface LockWait {
  /** Milliseconds; 5,000 at most. */
  readonly waitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `work` while this process alone holds the lock beside a file.
 *
 * The lock is a file that contains the holder's pid. A lock whose holder died is broken by the next process.
 *
 * @param path of the file that is protected; the lock is `<path>.lock`
 * @param work synchronous, so that nothing else runs while the lock is held
 * @throws if the directory cannot be written, or the lock is not free in time
 */
export async function withLock<T>(path: string, work: () => T, wait: LockWait = {}): Promise<T> {
  const lock = `${path}.lock`;
  await acquire(lock, wait);
  try {
    return work();
  } finally {
    // After a long suspension the lock may belong to another process.
    if (holderOf(lock) === process.pid) removeIfThere(lock);
  }
}

async function acquire(lock: string, { waitMs = WAIT_MS, signal }: LockWait): Promise<void> {
  const retries = { left: Math.min(waitMs, WAIT_MS) };
  while (!tryCreate(lock)) {
    if (retries.left <= 0 || signal?.aborted)
      throw new Error(`${lock} is held by process ${holderOf(lock) ?? 'unknown'}`);
    if (isStale(lock)) breakLock(lock);
    const pauseMs = RETRY_MS.least + Math.random() * (RETRY_MS.most - RETRY_MS.least);
    // Counted, not measured: clocks are set, and processes suspended.
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
    // A full disk creates the file and then refuses the write.
    if (code === 'ENOSPC' || code === 'EDQUOT') removeIfThere(lock);
    throw error;
  }
}

/** A clock that was set back gives a lock a time in the future, which is stale too. */
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

/** Only one process breaks a lock at a time: a second could remove the new holder's lock. */
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

/** A process that died while it broke the lock must not keep the others from it. */
function removeIfOld(breaking: string): void {
  try {
    if (Math.abs(Date.now() - statSync(breaking).mtimeMs) > STALE_MS) rmdirSync(breaking);
  } catch {
    // Another process was faster.
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

/** Uses unlink, because rm with force makes four more system calls. */
function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
