import type { ChildProcess, spawn as Spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { after, onceAborted, uptimeMs, within } from '../base/time.ts';
import { CappedLog, OutputRecorder, type OutputStream, type Recording } from './output.ts';
import { killOrphans, newTreeId, signalGroup, TREE_VARIABLE, treeValue } from './process-group.ts';
import { SecretMasker } from './secrets/masker.ts';

/** A shell command, and the conditions that it runs under. */
export interface CommandSpec {
  /** Run by `<shell> -c`. */
  readonly command: string;
  /** Further commands, run one after another while each exits with 0. The first that does not is the end of all. */
  readonly next?: readonly string[];
  /** The command's `$1`, `$2`, … */
  readonly args?: readonly string[];
  /** Absolute path of the file that becomes its stdin; without one, stdin is at its end. */
  readonly inputPath?: string;
  /** Path or name of the shell; DEFAULT_SHELL without it. */
  readonly shell?: string;
  /** Absolute path. */
  readonly cwd: string;
  /** The whole environment of the command; TREE_VARIABLE is added. */
  readonly env: NodeJS.ProcessEnv;
  /** Values to mask in its output besides well-known tokens, as from `secretsIn`. */
  readonly secrets: readonly string[];
  /** For all commands together. */
  readonly timeoutMs: number;
  /** From SIGTERM to SIGKILL after the timeout. */
  readonly graceMs: number;
  /** Absolute path of the file for the full output; without it, only head and tail are kept, in memory. */
  readonly logPath?: string;
  /** Adds to the log of an earlier attempt, below this heading. */
  readonly logHeading?: string;
}

/** POSIX's shell. Python's subprocess module, which runs the gates in Trellis, uses the same path. */
export const DEFAULT_SHELL = '/bin/sh';

export type CommandEnd =
  | { readonly how: 'exited'; readonly exitCode: number }
  | { readonly how: 'killed'; readonly signal: string }
  | { readonly how: 'timed-out' }
  | { readonly how: 'aborted' }
  | { readonly how: 'not-started'; readonly message: string };

export interface CommandResult {
  readonly end: CommandEnd;
  readonly durationMs: number;
  readonly output: Recording;
}

export interface CommandHooks {
  /** Aborting ends the process tree within `ABORT_GRACE_MS`. */
  readonly signal?: AbortSignal;
  /** Called with each piece of output as it arrives, secrets masked. */
  readonly onOutput?: (stream: OutputStream, bytes: Buffer) => void;
  /**
   * Called with the pid of the shell, which leads the process group. The command starts when the promise resolves, so
   * that no command runs whose pid was not saved. Needs a POSIX shell.
   */
  readonly onSpawned?: (pid: number) => Promise<void>;
}

export type RunCommand = (spec: CommandSpec, hooks: CommandHooks) => Promise<CommandResult>;

/** A hook that receives SIGTERM must have exited within 500 ms, so its commands get less. */
const ABORT_GRACE_MS = 150;
/**
 * How long the leader's children may still print after it exited; then they are killed, so that they do not delay the
 * answer. With LAST_OUTPUT_MS it is less than the second that runGates reserves before the hook's deadline.
 */
const DRAIN_MS = 700;
/** After SIGKILL only a process that cleared its environment can still hold the pipes, and it is not waited for. */
const LAST_OUTPUT_MS = 200;
/** In this time no system uses up its pids, and a search of all its processes would be felt. */
const SHORT_MS = 1000;

/**
 * Runs one command in a process group of its own, and the next ones like it. The output is bounded and masked. When the leader exits, or at the
 * timeout, every process that it has started is killed. A failure is a value of `CommandEnd`; the promise does not reject.
 */
export const runCommand: RunCommand = async (spec, hooks) => {
  const startedAt = uptimeMs();
  const recorder = new OutputRecorder();
  const log = spec.logPath === undefined ? undefined : new CappedLog(spec.logPath, spec.logHeading);
  const maskers = { stdout: new SecretMasker(spec.secrets), stderr: new SecretMasker(spec.secrets) };
  const keep = (stream: OutputStream, bytes: Buffer) => {
    if (bytes.length === 0) return;
    recorder.write(stream, bytes);
    log?.write(bytes);
    hooks.onOutput?.(stream, bytes);
  };
  const take = (stream: OutputStream) => (bytes: Buffer) => keep(stream, maskers[stream].write(bytes));
  let end = await spawnAndWait(spec, take, hooks);
  for (const command of spec.next ?? []) {
    if (end.how !== 'exited' || end.exitCode !== 0) break;
    const timeoutMs = Math.max(0, startedAt + spec.timeoutMs - uptimeMs());
    end = await spawnAndWait({ ...spec, command, timeoutMs }, take, hooks);
  }
  for (const stream of ['stdout', 'stderr'] as const) keep(stream, maskers[stream].end());
  return {
    end,
    durationMs: uptimeMs() - startedAt,
    output: recorder.recording(log?.close(), log?.omittedBytes),
  };
};

async function spawnAndWait(
  spec: CommandSpec,
  take: (stream: OutputStream) => (bytes: Buffer) => void,
  { signal: abort, onSpawned }: CommandHooks,
): Promise<CommandEnd> {
  // Loaded on demand: stops that run no command import this file.
  const { spawn } = await import('node:child_process');
  if (abort?.aborted) return { how: 'aborted' };
  const startedAt = uptimeMs();
  const treeId = newTreeId();
  const env = { ...spec.env, [TREE_VARIABLE]: treeValue(treeId, spec.env) };
  let child: ChildProcess;
  try {
    child = spawnShell(spawn, { ...spec, env }, onSpawned !== undefined);
  } catch (error) {
    // For instance a NUL in the command.
    return notStarted(error as Error);
  }
  child.stdout?.on('data', take('stdout'));
  child.stderr?.on('data', take('stderr'));
  const closed = new Promise<'closed'>((resolve) => child.once('close', () => resolve('closed')));
  const ended = new Promise<CommandEnd>((resolve) => {
    child.once('exit', (code, signal) =>
      resolve(signal === null ? { how: 'exited', exitCode: code ?? 0 } : { how: 'killed', signal }),
    );
    child.once('error', (error) => resolve({ how: 'not-started', message: spawnErrorMessage(error, spec) }));
  });
  const paused = onSpawned ? [resumeOnceSaved(child, onSpawned).then(notStarted)] : [];
  const aborted = onceAborted(abort);
  const timeUp = after(spec.timeoutMs);
  const end = await Promise.race<CommandEnd>([
    ended,
    timeUp.promise.then(() => ({ how: 'timed-out' })),
    aborted.promise.then(() => ({ how: 'aborted' })),
    ...paused,
  ]);
  timeUp.cancel();
  if (child.pid === undefined) {
    aborted.cancel();
    return end;
  }
  const over = Promise.race([closed, aborted.promise]);
  if (end.how === 'aborted') await endGroup(child.pid, ABORT_GRACE_MS, closed);
  else if (end.how === 'timed-out') await endGroup(child.pid, spec.graceMs, over);
  else await within(DRAIN_MS, over);
  signalGroup(child.pid, 'SIGKILL');
  const isShort = (end.how === 'exited' || end.how === 'killed') && uptimeMs() - startedAt < SHORT_MS;
  // Without /proc the search takes as long as a short command.
  if (!isShort || process.platform === 'linux') await killOrphans(treeId, isShort ? child.pid : undefined);
  await within(LAST_OUTPUT_MS, end.how === 'aborted' ? closed : over);
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.unref();
  aborted.cancel();
  return end;
}

function notStarted({ message }: Error): CommandEnd {
  return { how: 'not-started', message };
}

/** Sends SIGTERM to the group, and waits until it has ended or `graceMs` have passed. */
async function endGroup(leader: number, graceMs: number, over: Promise<unknown>): Promise<void> {
  signalGroup(leader, 'SIGTERM');
  await within(graceMs, over);
}

/** The descriptor that a paused command reads from before it starts. */
const PAUSE_DESCRIPTOR = 3;

/** Prepended to a command: it waits for a line. If none comes, the parent has died, and the command does not start. */
const PAUSE = `read -r go <&${PAUSE_DESCRIPTOR} || exit 125; exec ${PAUSE_DESCRIPTOR}<&-\n`;

/**
 * Starts a command as the leader of a process group of its own.
 *
 * @throws if an argument cannot be passed to a process, such as a NUL in the command
 */
function spawnShell(
  spawn: typeof Spawn,
  { shell = DEFAULT_SHELL, command, args, inputPath, cwd, env }: CommandSpec,
  isPaused: boolean,
): ChildProcess {
  const input = inputPath === undefined ? undefined : openSync(inputPath, 'r');
  try {
    return spawn(shell, ['-c', isPaused ? PAUSE + command : command, ...(args ? [shell, ...args] : [])], {
      cwd,
      env,
      detached: true,
      stdio: [input ?? 'ignore', 'pipe', 'pipe', ...(isPaused ? ['pipe' as const] : [])],
    });
  } finally {
    if (input !== undefined) closeSync(input);
  }
}

/**
 * Starts a paused command once its pid is saved.
 *
 * @returns a promise that resolves only if the pid could not be saved; the command does not start then
 */
async function resumeOnceSaved(child: ChildProcess, save: (pid: number) => Promise<void>): Promise<Error> {
  const line = child.stdio[PAUSE_DESCRIPTOR] as Writable;
  // The process may have ended already.
  line.on('error', () => {});
  try {
    if (child.pid !== undefined) await save(child.pid);
  } catch (error) {
    line.destroy();
    return error as Error;
  }
  line.end('go\n');
  return new Promise(() => {});
}

function spawnErrorMessage(error: NodeJS.ErrnoException, { cwd, shell }: CommandSpec): string {
  // Node reports ENOENT for the shell even if the directory is missing.
  if (error.code === 'ENOENT' && !existsSync(cwd)) return `its directory ${cwd} does not exist`;
  if (error.code === 'ENOENT' && shell !== undefined) return `there is no shell ${shell}, which $SHELL names`;
  return error.message;
}
