import type { ChildProcessByStdio } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { failure, type Result, success } from '../base/result.ts';
import { onceAborted, uptimeMs } from '../base/time.ts';
import { signalGroup } from '../process/process-group.ts';
import { gitEnvironment, NO_PROGRAMS } from './git-environment.ts';
import { decodePath } from './paths.ts';

/**
 * An expected failure, worded for people. Every step of saving and restoring can fail, on git as on a full disk, so steps
 * throw; the exported functions of this folder return a `Result` by `asResult`.
 */
export class CheckpointError extends Error {}

/**
 * @returns what the work returns, or the message of the CheckpointError or the system error that it throws
 * @throws any other error: it is a defect
 */
export async function asResult<T>(work: () => Promise<T>): Promise<Result<T>> {
  try {
    return success(await work());
  } catch (error) {
    if (error instanceof CheckpointError || isSystemError(error)) return failure(error.message);
    throw error;
  }
}

export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

interface GitCall {
  /** The stdin of git, one character per byte. */
  readonly input?: string;
  /** Added to the environment. */
  readonly env?: NodeJS.ProcessEnv;
  /** Takes the output as it comes; the call then returns an empty string. */
  readonly onOutput?: (bytes: Buffer) => void;
  readonly timeoutMs?: number;
  /** Aborting ends git. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs git to its end.
 *
 * @returns its stdout, one character per byte: file names need not be UTF-8
 * @throws CheckpointError when git is missing, fails, or does not end in time
 */
export type Git = (args: readonly string[], call?: GitCall) => Promise<string>;

/** Far more than any call of a checkpoint needs: a bound for a file system that hangs. */
const TIMEOUT_MS = 120_000;

/** For so long, a command that did not end in time is not run again with less than twice the time. */
const SLOW_MS = 60_000;
/** The commands of this process that did not end in time, by their directory and name. */
const slowCommands = new Map<string, { readonly at: number; readonly timeoutMs: number }>();

/**
 * Git adds nothing of its own to the saved index. Modes and links are those on disk, even
 * where git is configured to ignore them.
 */
const CONFIG: Readonly<Record<string, string>> = {
  'core.splitIndex': 'false',
  'core.fileMode': 'true',
  'core.symlinks': 'true',
  'core.quotePath': 'false',
  'i18n.commitEncoding': 'UTF-8',
};
const CONFIG_ARGS = [
  ...NO_PROGRAMS,
  ...Object.entries(CONFIG).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
];

const IDENTITY = {
  GIT_AUTHOR_NAME: 'ralph-loop',
  GIT_AUTHOR_EMAIL: 'ralph-loop@localhost',
  GIT_COMMITTER_NAME: 'ralph-loop',
  GIT_COMMITTER_EMAIL: 'ralph-loop@localhost',
};

/**
 * Git calls that run in a directory.
 *
 * @param options of git before the command; those of checkpoints by default
 */
export function gitIn(directory: string, env: NodeJS.ProcessEnv, options = CONFIG_ARGS): Git {
  // A replacement object is not the object that was saved.
  const base = { ...gitEnvironment(env), ...IDENTITY, GIT_NO_REPLACE_OBJECTS: '1' };
  return async (args, { input, env: added = {}, timeoutMs = TIMEOUT_MS, ...call } = {}) => {
    const name = args[0] ?? '';
    const key = `${directory}\0${name}`;
    // A stop asks git several times. In a tree that is too large for one call, it would wait for each.
    const slow = slowCommands.get(key);
    if (slow && uptimeMs() - slow.at < SLOW_MS && timeoutMs < 2 * slow.timeoutMs)
      throw tooSlow(name, slow.timeoutMs);
    const onTimeout = () => {
      slowCommands.set(key, { at: uptimeMs(), timeoutMs });
      return tooSlow(name, timeoutMs);
    };
    // Loaded on demand: stops that run no command import this file.
    const { spawn } = await import('node:child_process');
    const child = spawn('git', [...options, ...args], {
      cwd: directory,
      env: { ...base, ...added },
      // A process group of its own, so that a filter that hangs ends with git.
      detached: true,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    }) as GitProcess;
    // Git may end before it has read all of its input.
    child.stdin?.on('error', () => {}).end(input, 'latin1');
    return outputOf(child, name, { ...call, timeoutMs, onTimeout });
  };
}

function tooSlow(name: string, timeoutMs: number): CheckpointError {
  return new CheckpointError(`git ${name} did not end within ${Math.round(timeoutMs / 100) / 10} s`);
}

interface RunningCall extends Pick<GitCall, 'onOutput' | 'signal'> {
  readonly timeoutMs: number;
  /** @returns the error of a call that did not end in time */
  readonly onTimeout: () => CheckpointError;
}

type GitProcess = ChildProcessByStdio<Writable | null, Readable, Readable>;

function outputOf(
  child: GitProcess,
  name: string,
  { onOutput, timeoutMs, onTimeout, signal }: RunningCall,
): Promise<string> {
  const aborted = onceAborted(signal);
  return new Promise<string>((resolve, reject) => {
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    const timer = setTimeout(() => abort(onTimeout()), timeoutMs);
    const interrupt = () => abort(new CheckpointError(`git ${name} was interrupted`));
    const abort = (error: unknown) => {
      clearTimeout(timer);
      if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
      reject(error);
    };
    if (signal?.aborted) interrupt();
    else aborted.promise.then(interrupt);
    child.stdout.on('data', (bytes: Buffer) => {
      try {
        if (onOutput) onOutput(bytes);
        else stdout.push(bytes);
      } catch (error) {
        abort(error);
      }
    });
    child.stderr.on('data', (bytes: Buffer) => stderr.push(bytes));
    child.once('error', (error: NodeJS.ErrnoException) =>
      abort(error.code === 'ENOENT' ? new CheckpointError('git was not found on PATH') : error),
    );
    child.once('close', (code, killedBy) => {
      clearTimeout(timer);
      if (code === 0) resolve(Buffer.concat(stdout).toString('latin1'));
      else {
        const reason = errorLine(Buffer.concat(stderr).toString()) || killedBy || code;
        reject(new CheckpointError(`git ${name}: ${reason}`));
      }
    });
  }).finally(aborted.cancel);
}

/** The first line that is not a warning, without git's `fatal: `. */
function errorLine(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => !line.startsWith('warning: '));
  return lines[0]?.replace(/^(?:fatal|error): /, '') ?? '';
}

/** The single line that a git call prints, which may contain line breaks itself. */
export async function lineOf(output: Promise<string>): Promise<string> {
  return (await output).slice(0, -1);
}

export interface Repository {
  /** Runs at the top of the working tree. */
  readonly git: Git;
  /** Absolute directory of the working tree, one character per byte. */
  readonly top: string;
  /** Absolute; each linked working tree has one of its own. */
  readonly gitDirectory: string;
  /** The working tree among those that share the refs: `main`, or `worktrees/<name>` as git names it. */
  readonly worktree: string;
}

/**
 * The repository around a directory. A checkpoint covers its whole working tree.
 *
 * @param directory absolute
 * @throws CheckpointError when there is no repository, or it has no working tree
 */
export async function openRepository(directory: string, env: NodeJS.ProcessEnv): Promise<Repository> {
  if (!existsSync(directory)) throw new CheckpointError(`${directory} does not exist`);
  const git = gitIn(directory, env);
  // Two calls: the output of one call for both could not be split when a path contains a line break.
  const [top, gitDirectory] = await Promise.all([
    lineOf(git(['rev-parse', '--show-toplevel'])),
    lineOf(git(['rev-parse', '--absolute-git-dir'])).then(decodePath),
  ]).catch((error) => {
    throw explained(error, directory);
  });
  const isLinked = existsSync(join(gitDirectory, 'commondir'));
  return {
    git: gitIn(decodePath(top), env),
    top,
    gitDirectory,
    worktree: isLinked ? `worktrees/${basename(gitDirectory)}` : 'main',
  };
}

/** Git's words for a directory without a repository, and for a repository without files, say nothing about what to do. */
function explained(error: unknown, directory: string): unknown {
  const text = error instanceof CheckpointError ? error.message : '';
  if (text.includes('not a git repository'))
    return new CheckpointError(`${directory} is not in a git repository; \`git init\` makes one`);
  if (text.includes('must be run in a work tree'))
    return new CheckpointError(`${directory} is in a git repository without a working tree`);
  return error;
}

/** Files and directories that git keeps during an operation, and the command that ends the operation. */
const OPERATIONS = [
  { file: 'MERGE_HEAD', name: 'a merge', end: 'git merge --abort' },
  { file: 'CHERRY_PICK_HEAD', name: 'a cherry-pick', end: 'git cherry-pick --abort' },
  { file: 'REVERT_HEAD', name: 'a revert', end: 'git revert --abort' },
  { file: 'rebase-merge', name: 'a rebase', end: 'git rebase --abort' },
  { file: 'rebase-apply', name: 'a rebase', end: 'git rebase --abort' },
];

/**
 * The state of a merge is more than files and an index: a restored half would look like a finished merge.
 *
 * @throws CheckpointError while a merge, rebase, cherry-pick or revert is in progress
 */
export function requireNoOperation({ gitDirectory }: Repository): void {
  const operation = OPERATIONS.find(({ file }) => existsSync(join(gitDirectory, file)));
  if (operation)
    throw new CheckpointError(
      `${operation.name} is in progress: finish it, or end it with \`${operation.end}\`, and try again`,
    );
}
