import type { ChildProcess } from 'node:child_process';
import { CappedLog } from './capped-log.ts';
import { OutputRecorder } from './output-recorder.ts';
import { signalGroup } from './process-group.ts';
import type { OutputStream, Recording } from './recording.ts';
import { SecretMasker } from './secret-masker.ts';
import { secretsIn } from './secrets.ts';
import { type ShellCommand, spawnShell, whyNotStarted } from './spawn-shell.ts';
import { releaseOnceNoted } from './start-paused.ts';
import { uptimeMs } from './uptime.ts';
import { after, onceAborted, within } from './waits.ts';

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
