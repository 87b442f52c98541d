import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { after, onceAborted, uptimeMs, within } from '../base/time.ts';
import { CappedLog } from './capped-log.ts';
import { signalGroup } from './process-group.ts';
import { OutputRecorder, type OutputStream, type Recording } from './recording.ts';
import { secretsIn } from './secrets/environment.ts';
import { SecretMasker } from './secrets/masker.ts';

export interface CommandSpec extends ShellCommand {
  readonly timeoutMs: number;
  /** From SIGTERM to SIGKILL when the time is up. */
  readonly graceMs: number;
  /** Where the full output goes; without it, only head and tail are kept, in memory. */
  readonly logPath?: string;
}

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
   * Called with the pid of the shell, `/bin/sh`, which leads the process group. The command begins when it is done:
   * whoever notes the pid has noted it then, even if he is killed the next moment.
   */
  readonly onSpawned?: (pid: number) => Promise<void>;
}

export type RunCommand = (spec: CommandSpec, hooks: CommandHooks) => Promise<CommandResult>;

/** A hook that is told to go must be gone within 500 ms, so its commands get less. */
const ABORT_GRACE_MS = 150;
/**
 * What the leader's children may still print after it exited; then they are ended, so that none holds the answer up.
 * With LAST_WORDS_MS it is less than the second that is kept back from the hook's deadline.
 */
const DRAIN_MS = 700;
/** After SIGKILL only a process in another session can still hold the pipes: it is not waited for. */
const LAST_WORDS_MS = 200;

/**
 * Runs one command to its end, whatever it does: in a process group of its own, with stdin at its end, its output
 * bounded and without the secrets of its environment, and the whole group ended when the leader is done or the time is
 * up.
 */
export const runCommand: RunCommand = async (spec, hooks) => {
  const startedAt = uptimeMs();
  const recorder = new OutputRecorder();
  const log = spec.logPath === undefined ? undefined : new CappedLog(spec.logPath);
  const secrets = secretsIn(spec.env);
  const maskers = { stdout: new SecretMasker(secrets), stderr: new SecretMasker(secrets) };
  const keep = (stream: OutputStream, bytes: Buffer) => {
    if (bytes.length === 0) return;
    recorder.write(stream, bytes);
    log?.write(bytes);
    hooks.onOutput?.(stream, bytes);
  };
  const take = (stream: OutputStream) => (bytes: Buffer) => keep(stream, maskers[stream].write(bytes));
  const end = await spawnAndWait(spec, take, hooks);
  for (const stream of ['stdout', 'stderr'] as const) keep(stream, maskers[stream].end());
  return { end, durationMs: uptimeMs() - startedAt, output: recorder.recording(log?.close()) };
};

async function spawnAndWait(
  spec: CommandSpec,
  take: (stream: OutputStream) => (bytes: Buffer) => void,
  { signal: abort, onSpawned }: CommandHooks,
): Promise<CommandEnd> {
  if (abort?.aborted) return { how: 'aborted' };
  let child: ChildProcess;
  try {
    child = spawnShell(spec, onSpawned !== undefined);
  } catch (error) {
    // An argument that no process can be given, such as a NUL in the command.
    return notStarted(error as Error);
  }
  child.stdout?.on('data', take('stdout'));
  child.stderr?.on('data', take('stderr'));
  const closed = new Promise<'closed'>((resolve) => child.once('close', () => resolve('closed')));
  const ended = new Promise<CommandEnd>((resolve) => {
    child.once('exit', (code, signal) =>
      resolve(signal === null ? { how: 'exited', exitCode: code ?? 0 } : { how: 'killed', signal }),
    );
    child.once('error', (error) => resolve({ how: 'not-started', message: whyNotStarted(error, spec) }));
  });
  const held = onSpawned ? [releaseOnceNoted(child, onSpawned).then(notStarted)] : [];
  const aborted = onceAborted(abort);
  const timeUp = after(spec.timeoutMs);
  const end = await Promise.race<CommandEnd>([
    ended,
    timeUp.promise.then(() => ({ how: 'timed-out' })),
    aborted.promise.then(() => ({ how: 'aborted' })),
    ...held,
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
  await within(LAST_WORDS_MS, over);
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.unref();
  aborted.cancel();
  return end;
}

function notStarted({ message }: Error): CommandEnd {
  return { how: 'not-started', message };
}

/** Asks the group to end, and gives it time to. */
async function endGroup(leader: number, graceMs: number, over: Promise<unknown>): Promise<void> {
  signalGroup(leader, 'SIGTERM');
  await within(graceMs, over);
}

/** A command of a shell, and what it runs with. */
export interface ShellCommand {
  /** Run by `<shell> -c`. */
  readonly command: string;
  /** What the command finds in `$1`, `$2`, … */
  readonly args?: readonly string[];
  /** Absolute path of the file that it reads on stdin; without one, stdin is at its end. */
  readonly inputPath?: string;
  /** Path or name of the shell; `/bin/sh` without it. */
  readonly shell?: string;
  /** Absolute path. */
  readonly cwd: string;
  /** The whole environment of the command. */
  readonly env: NodeJS.ProcessEnv;
}

/** POSIX's shell, where Python's subprocess looks for it too. */
const SHELL = '/bin/sh';

/**
 * Starts a command as the leader of a process group of its own.
 *
 * @param isHeld whether it waits for its process to be noted
 * @throws where an argument is one that no process can be given, such as a NUL in the command
 */
export function spawnShell(
  { shell = SHELL, command, args, inputPath, cwd, env }: ShellCommand,
  isHeld: boolean,
): ChildProcess {
  const input = inputPath === undefined ? undefined : openSync(inputPath, 'r');
  try {
    return spawn(shell, ['-c', isHeld ? HOLD + command : command, ...(args ? [shell, ...args] : [])], {
      cwd,
      env,
      detached: true,
      stdio: [input ?? 'ignore', 'pipe', 'pipe', ...(isHeld ? ['pipe' as const] : [])],
    });
  } finally {
    if (input !== undefined) closeSync(input);
  }
}

export function whyNotStarted(error: NodeJS.ErrnoException, { cwd, shell }: ShellCommand): string {
  // Node blames the shell when it is the directory that is missing.
  if (error.code === 'ENOENT' && !existsSync(cwd)) return `its directory ${cwd} does not exist`;
  if (error.code === 'ENOENT' && shell !== undefined) return `there is no shell ${shell}, which $SHELL names`;
  return error.message;
}

/** The descriptor that a held command waits at. */
const HOLD_DESCRIPTOR = 3;

/** Put before a command: it waits for a line. Where there comes none, whoever held it is gone, and it never begins. */
export const HOLD = `read -r go <&${HOLD_DESCRIPTOR} || exit 125; exec ${HOLD_DESCRIPTOR}<&-\n`;

/**
 * Lets a held command begin once its process is noted.
 *
 * @returns never, unless it could not be noted: then why, and the command does not begin
 */
export async function releaseOnceNoted(
  child: ChildProcess,
  note: (pid: number) => Promise<void>,
): Promise<Error> {
  const line = child.stdio[HOLD_DESCRIPTOR] as Writable;
  // Its process may be gone by then.
  line.on('error', () => {});
  try {
    if (child.pid !== undefined) await note(child.pid);
  } catch (error) {
    line.destroy();
    return error as Error;
  }
  line.end('go\n');
  return new Promise(() => {});
}
