import { existsSync, lstatSync, mkdirSync, renameSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  makeDirectory,
  NotRegularError,
  readRegularFile,
  realPathInside,
  writeFileAtomic,
} from '../base/files.ts';
import { uptimeMs } from '../base/time.ts';
import { isAlive, startTimeOf } from '../process/process-group.ts';

export interface JsonStoreOptions<T> {
  /** Returns the value of a parsed file, or undefined for one that this version cannot use. */
  readonly check: (value: unknown) => T | undefined;
  /**
   * For a file in a project's tree, which other programs and people write too: absolute directory of the project. A file
   * that cannot be used, a link or a device is then renamed, so that nothing is lost.
   */
  readonly tree?: string | undefined;
}

/** One JSON file that several processes of this user read and change. Nobody else can read it. */
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

  /** Writes a value. The caller holds the lock of another file, which all that write this one take. */
  overwrite(value: T): void {
    makeDirectory(dirname(this.path), 0o700);
    this.#write(value);
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
    const { tree } = this.#options;
    if (tree !== undefined) realPathInside(tree, dirname(this.path));
    let value: T | undefined;
    try {
      const text = readRegularFile(this.path);
      if (text === undefined) return undefined;
      value = this.#check(text);
    } catch (error) {
      if (!(error instanceof NotRegularError)) throw error;
    }
    if (value === undefined && tree !== undefined) setAside(this.path);
    return value;
  }

  #readText(): string {
    return readRegularFile(this.path) ?? '';
  }

  #check(text: string): T | undefined {
    try {
      return this.#options.check(JSON.parse(text));
    } catch {
      return undefined;
    }
  }

  #write(value: T): void {
    writeFileAtomic(this.path, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  }
}

function setAside(path: string): void {
  renameSync(path, `${path}.broken-${new Date().toISOString().replace(/[-:.]/g, '')}`);
}

/**
 * A lock whose holder is unknown is broken at this age: its process died before it wrote its name, or runs in another
 * PID namespace, such as a container that shares the directory. A lock is held for milliseconds.
 */
const STALE_MS = 1000;
/** How long a process waits for the lock if the caller sets no limit. */
const WAIT_MS = 5000;
/**
 * The mark of a process that breaks a lock is removed at this age, if the process was killed meanwhile: sooner than others
 * stop waiting. If its clock is wrong, the lock is checked again.
 */
const BREAKING_MS = 3000;
/** Random, so that waiting processes do not retry at the same moment. It grows, so that many of them leave the CPU free. */
const RETRY_MS = { least: 2, most: 12, growth: 1.2, limit: 100 };

/** How long the caller waits for the lock. */
export interface LockWait {
  /** Milliseconds. */
  readonly waitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `work` while this process alone holds the lock beside a file.
 *
 * The lock is a file that names its holder. A lock whose holder died is broken by the next process; that of a live
 * process never is.
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
    if (holderOf(lock)?.pid === process.pid) removeIfThere(lock);
  }
}

async function acquire(lock: string, { waitMs = WAIT_MS, signal }: LockWait): Promise<void> {
  const endAtMs = uptimeMs() + waitMs;
  let spreadMs = RETRY_MS.most;
  while (!tryCreate(lock)) {
    if (uptimeMs() > endAtMs || signal?.aborted)
      throw new Error(`${lock} is held by process ${holderOf(lock)?.pid ?? 'unknown'}`);
    breakIfStale(lock);
    const pauseMs = RETRY_MS.least + Math.random() * spreadMs;
    spreadMs = Math.min(spreadMs * RETRY_MS.growth, RETRY_MS.limit);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

function tryCreate(lock: string, mayMakeDirectory = true): boolean {
  try {
    writeFileSync(lock, `${process.pid} ${startTimeOf(process.pid) ?? ''}`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (code === 'ENOENT') {
      makeDirectory(dirname(lock), 0o700);
      return mayMakeDirectory && tryCreate(lock, false);
    }
    // A full disk creates the file and then refuses the write.
    if (code === 'ENOSPC' || code === 'EDQUOT') removeIfThere(lock);
    throw error;
  }
}

/** Only one process breaks a lock at a time: a second could remove the new holder's lock. */
function breakIfStale(lock: string): void {
  if (isHeldByLiveProcess(lock)) return;
  const breaking = `${lock}.breaking`;
  try {
    mkdirSync(breaking);
  } catch {
    removeIfOld(breaking);
    return;
  }
  try {
    // The directory's time is of the same clock as the lock's, which may be that of a server.
    if (!isHeldByLiveProcess(lock) && distanceMs(lock, breaking) > STALE_MS) removeIfThere(lock);
  } finally {
    rmdirSync(breaking);
  }
}

function isHeldByLiveProcess(lock: string): boolean {
  const holder = holderOf(lock);
  if (!holder || !isAlive(holder.pid)) return false;
  const started = startTimeOf(holder.pid);
  // A lock without a start time, on a system that knows it, is not from this version of ralph-loop.
  return started === undefined || started === holder.started;
}

/** Milliseconds between the times of two files, in either order: clocks are set back. */
function distanceMs(one: string, other: string): number {
  try {
    return Math.abs(lstatSync(one).mtimeMs - lstatSync(other).mtimeMs);
  } catch {
    // Another process was faster.
    return 0;
  }
}

/** A process that died while it broke the lock must not keep the others from it. */
function removeIfOld(breaking: string): void {
  try {
    if (Math.abs(Date.now() - lstatSync(breaking).mtimeMs) > BREAKING_MS) rmdirSync(breaking);
  } catch {
    // Another process was faster.
  }
}

interface LockHolder {
  readonly pid: number;
  /** When the process started; empty if the system does not say. */
  readonly started: string;
}

function holderOf(lock: string): LockHolder | undefined {
  try {
    const [, pid, started = ''] = /^(\d{1,10})(?: (\d*))?$/.exec(readRegularFile(lock) ?? '') ?? [];
    return Number(pid) > 0 ? { pid: Number(pid), started } : undefined;
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
