import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { makeDirectory, readRegularFile } from '../base/files.ts';
import { onceAborted, uptimeMs, within } from '../base/time.ts';
import type { Findings } from '../diagnostics/output/condenser.ts';
import type { Gate, GateResult } from '../gates/types.ts';
import {
  isAlive,
  isProcessIdentity,
  mayRun,
  ownIdentity,
  type ProcessIdentity,
  pidNamespace,
  startTimeOf,
} from '../process/process-group.ts';
import { type LockWait, withLock } from '../state/json-store.ts';
import { machineSigner, type Signer, signedTextOf, withSignature } from '../state/machine-key.ts';
import { stateDirectory } from '../state/paths.ts';
import { endLeftoverTrees } from '../state/running-trees.ts';

// A run that other processes can follow has a directory, `runs/<id>/`, in the state directory of its project:
//   run        what it is: its owner, its gates
//   request    what a detached owner has to run
//   frames     what happens in it, written by its owner
//   finished   is there when every gate has its result
//   follower-* one for each process that waits for it
// All but the last two are signed, because agents can write these files too.

/** A run that a process owns. */
export interface LiveRun {
  readonly id: string;
  readonly owner: ProcessIdentity;
  /** The PID namespace of the owner. */
  readonly namespace: string | null;
  /** Fingerprint of the working tree when the run began. */
  readonly tree: string;
  /** The keys of its gates. */
  readonly keys: readonly string[];
  readonly failFast: boolean;
  /** Its owner does nothing else, and goes on when the hook that started it ends. */
  readonly isDetached: boolean;
}

/** What happens in a run. */
export type Frame =
  /** `time` is in milliseconds since 1970. */
  | { readonly type: 'started'; readonly key: string; readonly gate: Gate; readonly time: number }
  | {
      readonly type: 'ended';
      readonly key: string;
      readonly result: GateResult;
      readonly findings: Findings | undefined;
    }
  | { readonly type: 'finished' };

/** What a process wants to have run. */
export interface Wanted {
  readonly tree: string;
  readonly keys: readonly string[];
  readonly failFast: boolean;
  /** Whether a run that has finished without a follower counts, also a failed one: its result is new for everybody. */
  readonly takesFinished: boolean;
  /** Whether any run of this tree counts, whatever its gates. */
  readonly anyGates?: boolean;
  /** Whether gates have passed since they were found to be needed: another process has just run them. */
  readonly hasPassed: () => boolean;
}

/** A run that this process follows, or owns. */
export interface Claim {
  readonly run: LiveRun;
  readonly directory: string;
  /** Undefined for a run that this process owns itself. */
  readonly frames: FrameReader | undefined;
  readonly isJoined: boolean;
}

/** Starts the owner of a run. */
export type StartOwner = (directory: string) => ProcessIdentity;

/** A result that nobody has taken is as old as a loop can be between two stops. */
const MAX_AGE_MS = 30 * 60_000;

export function runsDirectory(root: string): string {
  return join(stateDirectory(root), 'runs');
}

/**
 * Finds the run to join, or claims a new one. Only one process at a time does so, so that no gate runs twice.
 *
 * @returns undefined if gates have passed meanwhile
 * @param prepare writes what a detached owner needs, and starts it; without it, this process is the owner
 * @throws if the state directory cannot be written, or the lock is not free in time
 */
export async function claimRun(
  root: string,
  wanted: Wanted,
  signer: Signer,
  prepare: StartOwner | undefined,
  wait: LockWait,
): Promise<Claim | undefined> {
  const directory = runsDirectory(root);
  makeDirectory(directory, 0o700);
  const outdated: string[] = [];
  const claim = await withLock(
    directory,
    () => {
      const live = liveRuns(directory, signer, wanted, outdated);
      for (const { run, directory: path } of live) {
        const joined = covers(run, wanted) ? joinRun(path, run, signer) : undefined;
        if (joined) return joined;
      }
      if (wanted.hasPassed()) return undefined;
      const id = newRunId();
      const own = join(directory, id);
      mkdirSync(own, { mode: 0o700 });
      // Followers open it now: they can read it to its end, also after it was removed.
      writeFileSync(join(own, FRAMES), '', { mode: 0o600 });
      const owner = prepare?.(own) ?? ownIdentity();
      const { tree, keys, failFast } = wanted;
      const isDetached = prepare !== undefined;
      const run: LiveRun = { id, owner, namespace: pidNamespace(), tree, keys, failFast, isDetached };
      writeSigned(join(own, RUN), JSON.stringify(run), signer);
      return isDetached
        ? follow(own, run, signer, false)
        : { run, directory: own, frames: undefined, isJoined: false };
    },
    wait,
  );
  for (const old of outdated) await endRun(root, old, signer);
  return claim;
}

function covers(run: LiveRun, { keys, failFast, anyGates }: Wanted): boolean {
  if (anyGates) return run.isDetached;
  return (!run.failFast || failFast) && keys.every((key) => run.keys.includes(key));
}

/**
 * The runs of this tree that can be followed. Removes what is left of others.
 *
 * @param outdated gets the directories of detached runs of another tree that nobody waits for
 */
function liveRuns(
  directory: string,
  signer: Signer,
  { tree, takesFinished }: Wanted,
  outdated: string[],
): { readonly run: LiveRun; readonly directory: string }[] {
  return namesIn(directory).flatMap((name) => {
    const path = join(directory, name);
    const run = readRun(path, signer);
    if (run === undefined) {
      removeRun(path);
      return [];
    }
    if (run.namespace !== pidNamespace()) return [];
    const isFinished = existsSync(join(path, FINISHED));
    if (!isFinished && !mayRun(run.owner)) removeRun(path);
    else if (run.tree === tree) {
      if (!isFinished || (takesFinished && run.isDetached && !isOld(path))) return [{ run, directory: path }];
      if (isOld(path)) removeRun(path);
    } else if (isFinished) removeRun(path);
    else if (run.isDetached && !hasFollower(path)) outdated.push(path);
    return [];
  });
}

/** Ends a detached run, with its gates. */
export async function endRun(root: string, directory: string, signer: Signer): Promise<void> {
  const run = readRun(directory, signer);
  if (run?.isDetached && run.namespace === pidNamespace() && mayRun(run.owner) && run.owner.started !== null)
    await endOwner(run.owner);
  removeRun(directory);
  await endLeftoverTrees(root);
}

/** An owner ends its gates in less. */
const END_MS = 1000;

async function endOwner(owner: ProcessIdentity): Promise<void> {
  const endAtMs = uptimeMs() + END_MS;
  kill(owner, 'SIGTERM');
  while (mayRun(owner)) {
    if (uptimeMs() > endAtMs) kill(owner, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function kill({ pid }: ProcessIdentity, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

/** @returns undefined if its owner has just removed it: owners do not wait for the lock */
function joinRun(directory: string, run: LiveRun, signer: Signer): Claim | undefined {
  try {
    return follow(directory, run, signer, true);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function follow(directory: string, run: LiveRun, signer: Signer, isJoined: boolean): Claim {
  writeFileSync(join(directory, followerName()), startTimeOf(process.pid) ?? '', { mode: 0o600 });
  return { run, directory, frames: new FrameReader(join(directory, FRAMES), run.id, signer), isJoined };
}

function followerName(): string {
  return `${FOLLOWER}${process.pid}`;
}

/** Whether another process waits for a run. */
export function hasFollower(directory: string): boolean {
  return countFollowers(directory) > 0;
}

/** How many other processes wait for a run. */
function countFollowers(directory: string): number {
  const followers = namesIn(directory).filter((name) => {
    if (!name.startsWith(FOLLOWER) || name === followerName()) return false;
    const pid = Number(name.slice(FOLLOWER.length));
    const started = readOrEmpty(join(directory, name));
    return started === '' ? isAlive(pid) : mayRun({ pid, started });
  });
  return followers.length;
}

/** A run that goes on, as it is now. */
export interface RunInProgress {
  readonly frames: readonly Frame[];
  /** How many processes wait for it, besides its owner. */
  readonly followers: number;
}

/** The runs of a project that go on. Leaves everything as it is. */
export async function runsInProgress(root: string): Promise<RunInProgress[]> {
  const paths = unfinishedRuns(root);
  const signer = paths.length > 0 ? await machineSigner() : undefined;
  if (signer === undefined) return [];
  return paths.flatMap((path) => {
    const run = readRun(path, signer);
    if (run === undefined || run.namespace !== pidNamespace() || !mayRun(run.owner)) return [];
    const reader = new FrameReader(join(path, FRAMES), run.id, signer);
    const frames = reader.read();
    reader.close();
    return [{ frames, followers: countFollowers(path) }];
  });
}

/** Absolute paths of the directories of runs that have not finished, the oldest first. */
export function unfinishedRuns(root: string): string[] {
  return namesIn(runsDirectory(root))
    .toSorted()
    .map((name) => join(runsDirectory(root), name))
    .filter((path) => !existsSync(join(path, FINISHED)));
}

/** Stops following a run. */
export function leaveRun({ directory, frames }: Claim): void {
  frames?.close();
  try {
    unlinkSync(join(directory, followerName()));
  } catch {
    // The run was removed.
  }
}

export function removeRun(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch {
    // The next run tries again.
  }
}

/** Short: an owner's death, and its results, are noticed at once. */
const POLL_MS = 20;

/** How following a run ended. */
export type FollowEnd = 'finished' | 'owner-gone' | 'time-up' | 'aborted';

/**
 * Follows a run to its end.
 *
 * @param untilMs on the clock of `uptimeMs()`
 */
export async function followRun(
  { run, directory, frames }: Claim,
  {
    signal,
    untilMs,
    onFrame,
  }: {
    readonly signal: AbortSignal;
    readonly untilMs: number;
    readonly onFrame: (frame: Exclude<Frame, { type: 'finished' }>) => void;
  },
): Promise<FollowEnd> {
  const aborted = onceAborted(signal);
  try {
    for (;;) {
      // Asked before the frames are read: what the owner wrote before its end, or before it removed the run, counts.
      const isOwnerGone = !mayRun(run.owner) || !existsSync(join(directory, RUN));
      for (const frame of frames?.read() ?? []) {
        if (frame.type === 'finished') return 'finished';
        onFrame(frame);
      }
      if (signal.aborted) return 'aborted';
      if (isOwnerGone) return 'owner-gone';
      if (uptimeMs() > untilMs) return 'time-up';
      await within(POLL_MS, aborted.promise);
    }
  } finally {
    aborted.cancel();
  }
}

const RUN = 'run';
const REQUEST = 'request';
const FRAMES = 'frames';
const FINISHED = 'finished';
const FOLLOWER = 'follower-';

/** Each frame is preceded by its length and its signature. */
const LENGTH_BYTES = 4;
const SIGNATURE_BYTES = 64;
/** Results hold at most 320 kB of output, and what was found in it. */
const MAX_FRAME_BYTES = 64 * 1024 * 1024;

/** Writes what happens in a run. On a full disk it writes nothing more, and the followers run the gates themselves. */
export class FrameWriter {
  readonly #directory: string;
  readonly #id: string;
  readonly #signer: Signer;
  #file: number | undefined;
  #count = 0;

  constructor(directory: string, id: string, signer: Signer) {
    this.#directory = directory;
    this.#id = id;
    this.#signer = signer;
    this.#attempt(() => {
      this.#file = openSync(join(directory, FRAMES), 'a', 0o600);
    });
  }

  write(frame: Frame): void {
    const payload = serialize(frame);
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(payload.length);
    const signature = this.#signer.sign(signedPart(this.#id, this.#count++, payload));
    this.#attempt((file) => {
      if (file !== undefined) writeWhole(file, Buffer.concat([length, Buffer.from(signature), payload]));
      if (frame.type === 'finished') writeFileSync(join(this.#directory, FINISHED), '', { mode: 0o600 });
    });
  }

  #attempt(write: (file: number | undefined) => void): void {
    try {
      write(this.#file);
    } catch {
      this.#file = undefined;
    }
  }
}

function writeWhole(file: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}

function signedPart(id: string, index: number, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${id} ${index} `), payload]);
}

/** Reads the frames of a run as they come. */
export class FrameReader {
  readonly #id: string;
  readonly #signer: Signer;
  #file: number | undefined;
  #position = 0;
  #count = 0;
  #isBroken = false;

  constructor(path: string, id: string, signer: Signer) {
    this.#id = id;
    this.#signer = signer;
    try {
      this.#file = openSync(path, 'r');
    } catch {
      // The run was removed.
    }
  }

  /** The frames that were written since the last call. After one that the owner did not sign there are no more. */
  read(): Frame[] {
    const frames: Frame[] = [];
    for (let frame = this.#next(); frame !== undefined; frame = this.#next()) frames.push(frame);
    return frames;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #next(): Frame | undefined {
    if (this.#file === undefined || this.#isBroken) return undefined;
    const size = fstatSync(this.#file).size - this.#position;
    if (size < LENGTH_BYTES + SIGNATURE_BYTES) return undefined;
    const head = this.#bytes(this.#position, LENGTH_BYTES + SIGNATURE_BYTES);
    const length = head.readUInt32LE();
    if (length > MAX_FRAME_BYTES) this.#isBroken = true;
    if (this.#isBroken || size < head.length + length) return undefined;
    const payload = this.#bytes(this.#position + head.length, length);
    const signature = head.toString('latin1', LENGTH_BYTES);
    if (!this.#signer.isSigned(signedPart(this.#id, this.#count, payload), signature)) {
      this.#isBroken = true;
      return undefined;
    }
    this.#position += head.length + length;
    this.#count += 1;
    return deserialize(payload);
  }

  #bytes(position: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    if (this.#file !== undefined) readSync(this.#file, bytes, 0, length, position);
    return bytes;
  }
}

/** Writes what a detached owner has to run, as plain data. */
export function writeRequest(directory: string, request: unknown, signer: Signer): void {
  writeSigned(join(directory, REQUEST), serialize(request).toString('base64'), signer);
}

/** @returns undefined if this program has not written it */
export function readRequest(directory: string, signer: Signer): unknown {
  const text = readSigned(join(directory, REQUEST), signer);
  return text === undefined ? undefined : deserialize(Buffer.from(text, 'base64'));
}

/**
 * Calls the listener when the directory of a run is removed: nobody can follow it any more.
 *
 * @returns a function that stops watching
 */
export function onceRemoved(directory: string, listener: () => void): () => void {
  const timer = setInterval(() => {
    if (!existsSync(join(directory, REQUEST))) listener();
  }, REMOVED_POLL_MS);
  return () => clearInterval(timer);
}

const REMOVED_POLL_MS = 500;

/** @returns undefined if this program has not written it, or not yet */
export function readRun(directory: string, signer: Signer): LiveRun | undefined {
  const text = readSigned(join(directory, RUN), signer);
  if (text === undefined) return undefined;
  const run = JSON.parse(text);
  return isProcessIdentity(run.owner) ? run : undefined;
}

function writeSigned(path: string, text: string, signer: Signer): void {
  writeFileSync(path, withSignature(text, signer), { mode: 0o600, flag: 'wx' });
}

function readSigned(path: string, signer: Signer): string | undefined {
  return signedTextOf(readOrEmpty(path), signer);
}

function readOrEmpty(path: string): string {
  try {
    return readRegularFile(path) ?? '';
  } catch {
    return '';
  }
}

function isOld(directory: string): boolean {
  try {
    return Math.abs(Date.now() - statSync(join(directory, FINISHED)).mtimeMs) > MAX_AGE_MS;
  } catch {
    return false;
  }
}

function newRunId(): string {
  return `${Date.now().toString(36)}-${process.pid}-${Math.trunc(Math.random() * 2 ** 40).toString(36)}`;
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
