import { createHash, type Hash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isInside } from '../base/files.ts';
import { uptimeMs } from '../base/time.ts';
import { addContent } from './add-content.ts';
import { gitIn, isSystemError } from './git.ts';
import {
  HASH_BYTES,
  type HashedFiles,
  readHashedFiles,
  STATE_LENGTH,
  writeHashedFiles,
} from './hashed-files.ts';
import { decodePath, diskPath, isRalphState } from './paths.ts';

export interface FingerprintOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** For git and for reading the files. */
  readonly timeoutMs: number;
  /** Absolute path of a file that is left out. */
  readonly except?: string | undefined;
  /** Whether a commit is a change, even without one of a file. */
  readonly withCommit?: boolean;
}

/** The files that git tracks, also those that it is told not to watch, and those that it does not ignore. */
const LIST = [
  '-c',
  'core.untrackedCache=false',
  'ls-files',
  '-z',
  '--cached',
  '--others',
  '--exclude-standard',
];
/** The names of a million files. */
const MAX_LIST_BYTES = 64 * 1024 * 1024;
/** Repositories in repositories. */
const MAX_DEPTH = 5;
/** Reading more takes longer than most gates. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;
/**
 * A file that has changed so shortly ago may change again without a new time: file systems count in steps of up to two
 * seconds. Such a file is read again the next time.
 */
const NEW_MS = 2500;
/** How long signals may have to wait. */
const BUSY_MS = 50;
/** Files between two looks at the clock. */
const STEP = 64;

/** Ralph Gate's results files, which no gate reads. */
const RESULTS_FILE = /(?:^|\/)gate-results-\d+\.json$/;

/** A file with its path relative to the root, one character per byte. The path of a link's target ends with a slash. */
interface Entry {
  readonly path: string;
  /** Undefined where permissions hide the file from this user, and so from the gates. */
  readonly stats: Stats | undefined;
}

/** The fingerprint cannot be had: no git, no repository, no time, or too many files. */
class NoFingerprint extends Error {}

/**
 * A hash of the whole working tree around a directory, exact in contents and modes: of the files that git tracks or does
 * not ignore. It is the same whether a change is committed, staged or neither. Not only the files below the directory
 * count, because gates read the files of the packages beside theirs. A link counts with the file that it leads to, or with
 * the files of a repository outside of the tree.
 *
 * Only git's list of files is used, not its knowledge of what has changed: the times and the hashes that this relies on
 * are in the state directory, and no setting of the repository hides a change. No program runs that the repository names.
 *
 * @param root absolute directory of the project, without symbolic links
 * @returns undefined when there is no git or no repository, the time is up, or the repository ignores the project
 */
export async function fingerprintTree(
  root: string,
  options: FingerprintOptions,
): Promise<string | undefined> {
  const run = new Run(root, options);
  try {
    const [tree, commit] = await Promise.all([
      run.fingerprint(),
      options.withCommit ? commitOf(root, options) : '',
    ]);
    return commit === '' ? tree : createHash('sha256').update(`${tree} ${commit}`).digest('hex');
  } catch (error) {
    // The tree changes while it is read.
    if (error instanceof NoFingerprint || isSystemError(error)) return undefined;
    throw error;
  }
}

/** The commit that is checked out in the repository around a directory; empty before the first one, and without git. */
export async function commitOf(
  root: string,
  { env, signal, timeoutMs }: Pick<FingerprintOptions, 'env' | 'signal' | 'timeoutMs'>,
): Promise<string> {
  const git = gitIn(root, env);
  return git(['rev-parse', '--verify', '--quiet', 'HEAD'], { signal, timeoutMs }).catch(() => '');
}

class Run {
  readonly #root: string;
  /** One character per byte. */
  readonly #top: string;
  readonly #options: FingerprintOptions;
  readonly #except: string | undefined;
  readonly #endAt: number;
  /** Files with later times are new. */
  readonly #newSinceMs = Date.now() - NEW_MS;
  readonly #entries: Entry[] = [];
  #steps = 0;
  #pausedAt = uptimeMs();

  constructor(root: string, options: FingerprintOptions) {
    const { except, timeoutMs } = options;
    this.#root = root;
    this.#top = Buffer.from(root).toString('latin1');
    this.#options = options;
    this.#except = except === undefined ? undefined : Buffer.from(relative(root, except)).toString('latin1');
    this.#endAt = uptimeMs() + timeoutMs;
  }

  async fingerprint(): Promise<string> {
    const known = readHashedFiles(this.#root);
    const paths = await this.#list('', ':/');
    // The rest would say nothing about the project.
    if (paths.every((path) => path.startsWith('../'))) throw new NoFingerprint();
    await this.#collect('', paths, 0);
    const entries = sorted(this.#entries);
    const states = statesOf(entries);
    const state = createHash('sha256')
      .update(entries.map(({ path }) => path).join('\0'))
      .update(states)
      .digest('hex');
    const before = await known;
    if (before?.whole?.state === state) return before.whole.tree;
    return this.#read(entries, states, state, before);
  }

  /** @returns the files below a directory, relative to it */
  async #list(directory: string, pathspec: string, env?: NodeJS.ProcessEnv): Promise<string[]> {
    const { signal } = this.#options;
    const timeoutMs = this.#endAt - uptimeMs();
    if (signal.aborted || timeoutMs <= 0) throw new NoFingerprint();
    const git = gitIn(decodePath(`${this.#top}/${directory}`), this.#options.env);
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onOutput = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_LIST_BYTES) throw new NoFingerprint();
      chunks.push(chunk);
    };
    try {
      await git([...LIST, '--', pathspec], { onOutput, timeoutMs, signal, ...(env && { env }) });
    } catch {
      throw new NoFingerprint();
    }
    return Buffer.concat(chunks).toString('latin1').split('\0').filter(Boolean);
  }

  /** @param prefix of the paths: empty, or a directory with a slash */
  async #collect(prefix: string, paths: readonly string[], depth: number): Promise<void> {
    for (const name of paths) {
      const path = prefix + (name.endsWith('/') ? name.slice(0, -1) : name);
      if (path === this.#except || isRalphState(path) || RESULTS_FILE.test(path)) continue;
      if (++this.#steps % STEP === 0) await this.#breathe();
      const stats = statsOf(() => lstatSync(diskPath(this.#top, path), { throwIfNoEntry: false }));
      // A tracked file that is removed is no file, as after a commit.
      if (stats === 'none') continue;
      if (stats?.isDirectory()) await this.#collectRepository(path, depth);
      else this.#entries.push({ path, stats });
      if (stats?.isSymbolicLink()) await this.#collectTarget(path, depth);
    }
  }

  /** Git lists a directory where a repository is in the repository, or where a tracked file was. */
  async #collectRepository(path: string, depth: number): Promise<void> {
    const directory = diskPath(this.#top, path);
    if (!existsSync(diskPath(this.#top, `${path}/.git`))) {
      if (isEmpty(directory)) return;
      throw new NoFingerprint();
    }
    if (depth === MAX_DEPTH) throw new NoFingerprint();
    // A damaged repository must not be taken for a directory of the one around it.
    const env = { GIT_CEILING_DIRECTORIES: dirname(join(this.#root, decodePath(path))) };
    await this.#collect(`${path}/`, await this.#list(path, '.', env), depth + 1);
  }

  async #collectTarget(path: string, depth: number): Promise<void> {
    const disk = diskPath(this.#top, path);
    const stats = statsOf(() => statSync(disk, { throwIfNoEntry: false }));
    if (stats === 'none' || stats === undefined) return;
    if (!stats.isDirectory()) {
      this.#entries.push({ path: `${path}/`, stats });
      return;
    }
    const real = realpathSync.native(disk, 'latin1');
    if (isInside(this.#top, real) || isInside(real, this.#top) || depth === MAX_DEPTH) return;
    const files = await this.#list(path, '.').catch(() => []);
    await this.#collect(`${path}/`, files, depth + 1);
  }

  /** Hashes the files whose content is not known. */
  async #read(
    entries: readonly Entry[],
    states: Float64Array,
    state: string,
    before: HashedFiles | undefined,
  ): Promise<string> {
    const knownHash = lookup(before);
    const hashes = Buffer.alloc(entries.length * HASH_BYTES);
    const tree = createHash('sha256');
    let isSettled = true;
    let done = 0;
    try {
      for (const [index, entry] of entries.entries()) {
        if (++this.#steps % STEP === 0) await this.#breathe();
        const own = states.subarray(index * STATE_LENGTH, (index + 1) * STATE_LENGTH);
        const hash = knownHash(entry.path, own) ?? (await this.#hashOf(this.#top, entry));
        hash.copy(hashes, index * HASH_BYTES);
        tree.update(`${entry.path}\0${entry.stats?.mode.toString(8) ?? ''}\0`, 'latin1').update(hash);
        done = index + 1;
        if (!this.#isNew(entry)) continue;
        isSettled = false;
        // Equal to no state.
        own.fill(Number.NaN);
      }
    } catch (error) {
      // The next time there is less to read.
      states.fill(Number.NaN, done * STATE_LENGTH);
      await this.#remember(entries, { states, hashes, whole: null });
      throw error;
    }
    const fingerprint = tree.digest('hex');
    const whole = isSettled ? { state, tree: fingerprint } : null;
    await this.#remember(entries, { states, hashes, whole });
    return fingerprint;
  }

  #remember(entries: readonly Entry[], known: Omit<HashedFiles, 'paths'>): Promise<void> {
    return writeHashedFiles(this.#root, { paths: entries.map(({ path }) => path), ...known });
  }

  #isNew({ stats }: Entry): boolean {
    return stats === undefined || Math.max(stats.mtimeMs, stats.ctimeMs) > this.#newSinceMs;
  }

  async #hashOf(top: string, entry: Entry): Promise<Buffer> {
    const { path, stats } = entry;
    const hash = createHash('sha256');
    if (stats?.isSymbolicLink()) hash.update(readlinkSync(diskPath(top, path), { encoding: 'buffer' }));
    else if (stats?.isFile()) await this.#addContent(hash, entry, stats);
    else hash.update(`${stats?.rdev}`);
    return hash.digest();
  }

  async #addContent(hash: Hash, entry: Entry, stats: Stats): Promise<void> {
    const isTarget = entry.path.endsWith('/');
    const path = diskPath(this.#top, isTarget ? entry.path.slice(0, -1) : entry.path);
    // The times of a file that nobody may read, or that takes too long, are those of its last change.
    const asTimes = () => {
      if (this.#isNew(entry)) throw new NoFingerprint();
      hash.update(`${stats.size} ${stats.mtimeMs} ${stats.ctimeMs} ${stats.ino}`);
    };
    if (stats.size > MAX_FILE_BYTES) return asTimes();
    try {
      await addContent(hash, path, stats.size, isTarget, () => this.#breathe());
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
      asTimes();
    }
  }

  /** Signals are handled, and the time is checked. */
  async #breathe(): Promise<void> {
    const now = uptimeMs();
    if (now > this.#endAt) throw new NoFingerprint();
    if (now - this.#pausedAt < BUSY_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#pausedAt = uptimeMs();
    if (this.#options.signal.aborted) throw new NoFingerprint();
  }
}

/** @returns `none` where nothing is there, undefined where it cannot be known */
function statsOf(read: () => Stats | undefined): Stats | 'none' | undefined {
  try {
    return read() ?? 'none';
  } catch {
    return undefined;
  }
}

function isEmpty(directory: Buffer): boolean {
  try {
    return readdirSync(directory).length === 0;
  } catch {
    return false;
  }
}

/** A file that is not merged is listed several times. */
function sorted(entries: Entry[]): Entry[] {
  entries.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return entries.filter(({ path }, index) => path !== entries[index - 1]?.path);
}

/** Whoever changes a file can set its time, but not that of the change. */
function statesOf(entries: readonly Entry[]): Float64Array<ArrayBuffer> {
  const states = new Float64Array(entries.length * STATE_LENGTH);
  for (const [index, { stats }] of entries.entries())
    if (stats)
      states.set([stats.mode, stats.size, stats.mtimeMs, stats.ctimeMs, stats.ino], index * STATE_LENGTH);
  return states;
}

/** @returns a function that returns the hash of a file, or undefined where it is not known */
function lookup(known: HashedFiles | undefined): (path: string, state: Float64Array) => Buffer | undefined {
  if (!known) return () => undefined;
  const { paths, states, hashes } = known;
  const indexes = new Map(paths.map((path, index) => [path, index]));
  return (path, state) => {
    const index = indexes.get(path);
    if (index === undefined) return undefined;
    const isSame = state.every((number, field) => number === states[index * STATE_LENGTH + field]);
    return isSame ? hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES) : undefined;
  };
}
