import { existsSync, lstatSync, readFileSync, readlinkSync, realpathSync, renameSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { READ_WITHOUT_WAITING, writeFileAtomic } from '../base/files.ts';
import { type LockWait, withLock } from './lock.ts';

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
