import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';

/** The directory and its parents up to, and without, the root of the file system. */
export function upwards(start: string): string[] {
  const directories: string[] = [];
  for (let directory = start; directory !== dirname(directory); directory = dirname(directory))
    directories.push(directory);
  return directories;
}

/** The path with symbolic links resolved in the part of it that exists. */
export function realPathOf(path: string): string {
  for (const directory of [...upwards(path), '/']) {
    try {
      return join(realpathSync(directory), path.slice(directory.length));
    } catch {
      // A parent exists, or the root does.
    }
  }
  return path;
}

/** Whether a path is the directory itself or is inside it. */
export function isInside(directory: string, path: string): boolean {
  const route = relative(directory, path);
  return route !== '..' && !route.startsWith('../') && !isAbsolute(route);
}

/** Flag for reading a file that may be a FIFO, which would block. Node accepts numbers; its types allow names only. */
export const READ_WITHOUT_WAITING = (constants.O_RDONLY | constants.O_NONBLOCK) as unknown as string;

/**
 * The text of a file; undefined if there is no such file. A directory of that name counts as no file, as in Trellis's
 * Python hook.
 *
 * @throws if the file exists and cannot be read
 */
export function readFileIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, { encoding: 'utf8', flag: READ_WITHOUT_WAITING });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined;
    throw error;
  }
}

/**
 * Creates a directory and its parents, one at a time: Node's recursive mkdir never ends where a parent refuses children, as
 * `/proc` does.
 *
 * @param mode of the directories that are created
 * @throws if it cannot be created
 */
export function makeDirectory(directory: string, mode?: number): void {
  if (existsSync(directory)) return;
  makeDirectory(dirname(directory), mode);
  try {
    mkdirSync(directory, mode);
  } catch (error) {
    // Another process may have created it.
    if (!existsSync(directory)) throw error;
  }
}

/**
 * Why the system refuses a file, in its words: without its code, and without the path, which may be that of a temporary file.
 *
 * @param error any; an error that is not of the system gives its message
 */
export function reasonOf(error: unknown): string {
  const { message } = error as Error;
  return /^E[A-Z\d]+: (.+?), [a-z]+(?: '|$)/.exec(message)?.[1] ?? message;
}

/** A path as a person reads it: relative to the project if it is inside. */
export function shownPath(root: string, path: string): string {
  return isInside(root, path) ? relative(root, path) : path;
}

/** More than any config, state, task or log file has. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * The text of a file in a place where a repository can put anything. It never blocks, and reads neither links nor
 * devices.
 *
 * @returns undefined if there is no such file
 * @throws NotRegularError if it is a link, a directory, a FIFO or a device, or has more than 16 MB
 * @throws if it cannot be read
 */
export function readRegularFile(path: string): string | undefined {
  return withRegularFile(path, (file, size) => {
    if (size > MAX_BYTES)
      throw new NotRegularError(`${path} has more than ${MAX_BYTES / 1024 / 1024} MB`, 'large');
    return readFileSync(file, 'utf8');
  });
}

/**
 * The last lines of such a file, whole, of at most so many bytes in all.
 *
 * @returns undefined if there is no such file
 * @throws NotRegularError if it is a link, a directory, a FIFO or a device
 * @throws if it cannot be read
 */
export function readLastLines(path: string, maxBytes: number): string[] | undefined {
  return withRegularFile(path, (file, size) => {
    const bytes = Buffer.alloc(Math.min(size, maxBytes));
    const length = readSync(file, bytes, 0, bytes.length, size - bytes.length);
    const lines = bytes.toString('utf8', 0, length).split('\n');
    return size > maxBytes ? lines.slice(1) : lines;
  });
}

function withRegularFile<T>(path: string, read: (file: number, size: number) => T): T | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw code === 'ELOOP' ? new NotRegularError(`${path} is a symbolic link`, 'link') : error;
  }
  try {
    const stats = fstatSync(file);
    if (stats.isDirectory()) throw new NotRegularError(`${path} is a directory`, 'directory');
    if (!stats.isFile()) throw new NotRegularError(`${path} is not a regular file`, 'device');
    return read(file, stats.size);
  } finally {
    closeSync(file);
  }
}

/**
 * The bytes of a regular file, at most so many. Links are followed to files inside of a directory.
 *
 * @param directory absolute, without symbolic links
 * @returns undefined if there is no such file
 * @throws NotRegularError if it is a directory, a FIFO or a device, or has more bytes
 * @throws if a link leads out of the directory, or it cannot be read
 */
export function readInside(directory: string, path: string, maxBytes: number): Buffer | undefined {
  return withRegularFile(realPathInside(directory, path), (file, size) => {
    if (size > maxBytes) throw new NotRegularError(`${path} has more than ${maxBytes} bytes`, 'large');
    return readFileSync(file);
  });
}

/** There is something else than a regular file, or too large a file. */
export class NotRegularError extends Error {
  readonly kind: 'link' | 'directory' | 'device' | 'large';

  constructor(message: string, kind: NotRegularError['kind']) {
    super(message);
    this.kind = kind;
  }
}

/**
 * Like `readRegularFile`, but follows links to files inside of a directory. A directory in the place of the file counts
 * as no file, as in Trellis's Python hook.
 *
 * @param directory absolute, without symbolic links
 */
export function readFileInside(directory: string, path: string): string | undefined {
  try {
    return readRegularFile(path);
  } catch (error) {
    if (!(error instanceof NotRegularError)) throw error;
    if (error.kind === 'directory') return undefined;
    if (error.kind !== 'link') throw error;
    const real = targetOf(path);
    if (real !== undefined && !isInside(directory, real)) throw leadsOut(path, directory);
    return real && readFileInside(directory, real);
  }
}

/**
 * The real path of a file or directory that may not exist yet.
 *
 * @param directory absolute, without symbolic links
 * @throws if a symbolic link leads out of the directory
 */
export function realPathInside(directory: string, path: string): string {
  const real = realPathOf(path);
  if (!isInside(directory, real)) throw leadsOut(path, directory);
  return real;
}

function leadsOut(path: string, directory: string): Error {
  return new Error(`${path} leads out of ${directory} by a symbolic link`);
}

/** The real path of a file; undefined for a link to nothing. */
function targetOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Writes a temporary file beside `path` and renames it: readers see the old content or the new, and a failed write
 * leaves the old.
 *
 * @param path absolute; a symbolic link there is replaced
 * @throws if the file cannot be written, or is none: root could replace /dev/null
 */
export function writeFileAtomic(path: string, content: string | Buffer, options: NewFile = {}): void {
  stageFile(path, content, options).replace();
}

interface NewFile {
  readonly mode?: number | undefined;
  /** Is given the path of the temporary file before the rename, for instance to set its owner. */
  readonly prepare?: (temporary: string) => void;
}

/** A temporary file that is complete, beside the file that it is for. */
export interface StagedFile {
  /** @throws if the rename fails; then the temporary file is removed */
  replace(): void;
  /** Removes the temporary file. */
  drop(): void;
}

/** The first half of `writeFileAtomic`, for several files of which all are to be written, or none. */
export function stageFile(
  path: string,
  content: string | Buffer,
  { mode, prepare }: NewFile = {},
): StagedFile {
  const temporary = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`;
  const orDrop = (step: () => void) => {
    try {
      step();
    } catch (error) {
      removeIfPossible(temporary);
      throw error;
    }
  };
  const present = lstatSync(path, { throwIfNoEntry: false });
  if (present && !present.isFile() && !present.isSymbolicLink())
    throw new NotRegularError(`${path} is not a file`, present.isDirectory() ? 'directory' : 'device');
  orDrop(() => {
    // Exclusive: nobody else can have put a link there.
    writeFileSync(temporary, content, { mode, flag: 'wx' });
    prepare?.(temporary);
  });
  return {
    replace: () => orDrop(() => renameSync(temporary, path)),
    drop: () => removeIfPossible(temporary),
  };
}

/** A file that could not be created cannot always be removed, for instance if its name is too long. */
function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The caller throws the reason why the file could not be written.
  }
}
