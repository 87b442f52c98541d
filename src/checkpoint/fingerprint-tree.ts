import type { Hash } from 'node:crypto';
import {
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isInside, readRegularFile } from '../base/files.ts';
import { sha256 } from '../base/sha256.ts';
import { uptimeMs } from '../base/time.ts';
import { repositoryAround } from '../config/discover.ts';
import { addContent } from './add-content.ts';
import { gitIn, isSystemError } from './git.ts';
import {
  HASH_BYTES,
  type HashedFiles,
  readHashedFiles,
  STATE_LENGTH,
  sizeOfHashedFiles,
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

const LIST = ['-c', 'core.untrackedCache=false', 'ls-files', '-z'];
/** The files that git tracks, also those that it is set not to watch. */
const TRACKED = ['--cached'];
/** Those that it neither tracks nor ignores. To find them takes several times as long. */
const UNTRACKED = ['--others', '--exclude-standard'];
const ALL_BELOW = [...TRACKED, ...UNTRACKED, '--', '.'];
/** The hashed files of about 10,000 files: from here on, a second process pays. */
const MANY_BYTES = 1_000_000;
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
  readonly state: State;
}

/**
 * What is known about a file without reading it. Who changes a file can set its time, but not that of the change. All are
 * 0 where permissions hide the file from this user, and so from the gates.
 */
type State = readonly [mode: number, size: number, mtimeMs: number, ctimeMs: number, inode: number];

const HIDDEN: State = [0, 0, 0, 0, 0];

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
    return commit === '' ? tree : sha256().update(`${tree} ${commit}`).digest('hex');
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
  const loose = looseCommit(root);
  if (loose !== undefined) return loose;
  const git = gitIn(root, env);
  return git(['rev-parse', '--verify', '--quiet', 'HEAD'], { signal, timeoutMs }).catch(() => '');
}

/** The commit of a branch whose file git has written, as after each commit: reading two files is faster than starting git. */
function looseCommit(root: string): string | undefined {
  const repository = repositoryAround(root);
  if (repository === undefined) return undefined;
  try {
    const directory = join(repository, '.git');
    const [, ref] = /^ref: (refs\/[^\n]+)\n$/.exec(readRegularFile(join(directory, 'HEAD')) ?? '') ?? [];
    const commit = ref === undefined ? undefined : readRegularFile(join(directory, ref));
    return commit !== undefined && /^[0-9a-f]{40,64}\n$/.test(commit) ? commit : undefined;
  } catch {
    return undefined;
  }
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
    const isLarge = sizeOfHashedFiles(this.#root) > MANY_BYTES;
    const kinds = isLarge ? [TRACKED, UNTRACKED] : [[...TRACKED, ...UNTRACKED]];
    const lists = kinds.map((kind) => this.#list('', [...kind, '--', ':/']));
    // One may fail while the other is collected.
    for (const list of lists) list.catch(() => {});
    // Git runs while what is known is read.
    await new Promise((resolve) => setImmediate(resolve));
    const before = await readHashedFiles(this.#root);
    for (const list of lists) await this.#collect('', await list, 0);
    // The rest would say nothing about the project.
    if (this.#entries.every(({ path }) => path.startsWith('../'))) throw new NoFingerprint();
    const entries = sorted(this.#entries);
    const states = statesOf(entries);
    const state = sha256()
      .update(entries.map(({ path }) => path).join('\0'))
      .update(states)
      .digest('hex');
    if (before?.whole?.state === state) return before.whole.tree;
    return this.#read(entries, states, state, before);
  }

  /** @returns the files below a directory, relative to it */
  async #list(directory: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<string[]> {
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
      await git([...LIST, ...args], { onOutput, timeoutMs, signal, ...(env && { env }) });
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
      const stats = statsOf(() => lstatSync(this.#pathOf(path), { throwIfNoEntry: false }));
      // A tracked file that is removed is no file, as after a commit.
      if (stats === 'none') continue;
      if (stats?.isDirectory()) await this.#collectRepository(path, depth);
      else this.#entries.push({ path, state: stateOf(stats) });
      if (stats?.isSymbolicLink()) await this.#collectTarget(path, depth);
    }
  }

  /** A string where it can be one: it is a fifth faster. */
  #pathOf(path: string): string | Buffer {
    return /^[\0-\x7f]*$/.test(path) ? `${this.#root}/${path}` : diskPath(this.#top, path);
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
    await this.#collect(`${path}/`, await this.#list(path, ALL_BELOW, env), depth + 1);
  }

  async #collectTarget(path: string, depth: number): Promise<void> {
    const disk = diskPath(this.#top, path);
    const stats = statsOf(() => statSync(disk, { throwIfNoEntry: false }));
    if (stats === 'none' || stats === undefined) return;
    if (!stats.isDirectory()) {
      this.#entries.push({ path: `${path}/`, state: stateOf(stats) });
      return;
    }
    const real = realpathSync.native(disk, 'latin1');
    if (isInside(this.#top, real) || isInside(real, this.#top) || depth === MAX_DEPTH) return;
    const files = await this.#list(path, ALL_BELOW).catch(() => []);
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
    const tree = sha256();
    let isSettled = true;
    let failure: unknown;
    for (const [index, entry] of entries.entries()) {
      const own = states.subarray(index * STATE_LENGTH, (index + 1) * STATE_LENGTH);
      try {
        if (++this.#steps % STEP === 0 && failure === undefined) await this.#breathe();
        const hash = knownHash(entry) ?? (failure === undefined ? await this.#hashOf(entry) : undefined);
        hash?.copy(hashes, index * HASH_BYTES);
        if (hash) tree.update(`${entry.path}\0${entry.state[0].toString(8)}\0`, 'latin1').update(hash);
        if (hash && !this.#isNew(entry)) continue;
      } catch (error) {
        // What is known already stays known: the next time there is less to read.
        failure = error;
      }
      isSettled = false;
      // Equal to no state.
      own.fill(Number.NaN);
    }
    const fingerprint = tree.digest('hex');
    const whole = isSettled ? { state, tree: fingerprint } : null;
    await this.#remember(entries, { states, hashes, whole });
    if (failure !== undefined) throw failure;
    return fingerprint;
  }

  #remember(entries: readonly Entry[], known: Omit<HashedFiles, 'paths' | 'count'>): Promise<void> {
    return writeHashedFiles(this.#root, { paths: entries.map(({ path }) => path), ...known });
  }

  #isNew({ state: [, , mtimeMs, ctimeMs] }: Entry): boolean {
    return Math.max(mtimeMs, ctimeMs) > this.#newSinceMs;
  }

  async #hashOf(entry: Entry): Promise<Buffer> {
    const { path, state } = entry;
    const hash = sha256();
    const type = state[0] & constants.S_IFMT;
    if (type === constants.S_IFLNK)
      hash.update(readlinkSync(diskPath(this.#top, path), { encoding: 'buffer' }));
    else if (type === constants.S_IFREG) await this.#addContent(hash, entry);
    return hash.digest();
  }

  async #addContent(hash: Hash, entry: Entry): Promise<void> {
    const isTarget = entry.path.endsWith('/');
    const path = diskPath(this.#top, isTarget ? entry.path.slice(0, -1) : entry.path);
    const [, size] = entry.state;
    // The times of a file that nobody may read, or that takes too long, are those of its last change.
    const asState = () => {
      if (this.#isNew(entry)) throw new NoFingerprint();
      hash.update(entry.state.join(' '));
    };
    if (size > MAX_FILE_BYTES) return asState();
    try {
      await addContent(hash, path, size, isTarget, () => this.#breathe());
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
      asState();
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

function stateOf(stats: Stats | undefined): State {
  return stats ? [stats.mode, stats.size, stats.mtimeMs, stats.ctimeMs, stats.ino] : HIDDEN;
}

function statesOf(entries: readonly Entry[]): Float64Array<ArrayBuffer> {
  const states = new Float64Array(entries.length * STATE_LENGTH);
  for (const [index, { state }] of entries.entries()) states.set(state, index * STATE_LENGTH);
  return states;
}

/** @returns a function that returns the hash of a file, or undefined where it is not known */
function lookup(known: HashedFiles | undefined): (entry: Entry) => Buffer | undefined {
  if (!known) return () => undefined;
  const { paths, states, hashes } = known;
  const indexes = new Map(paths.map((path, index) => [path, index]));
  return ({ path, state }) => {
    const index = indexes.get(path);
    if (index === undefined) return undefined;
    const isSame = state.every((number, field) => number === states[index * STATE_LENGTH + field]);
    return isSame ? hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES) : undefined;
  };
}
