import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { signalGroup } from '../process/process-group.ts';
import { gitEnvironment } from './git-environment.ts';
import { Refusal } from './refusal.ts';

export interface GitCall {
  /** What git reads from stdin, a character a byte. */
  readonly input?: string;
  /** Added to the environment. */
  readonly env?: NodeJS.ProcessEnv;
  /** Takes the output as it comes; then none is returned. */
  readonly onOutput?: (bytes: Buffer) => void;
}

/**
 * Runs git to its end.
 *
 * @returns what it prints, a character a byte: names of files need not be UTF-8
 * @throws Refusal where there is no git, or where it fails
 */
export type Git = (args: readonly string[], call?: GitCall) => Promise<string>;

/** Far more than git needs for any of what it is asked here: a bound against a file system that hangs. */
const TIMEOUT_MS = 120_000;

/**
 * Nothing of a person's is run, and what git keeps in an index for its own speed stays out of what we save. Modes and
 * links are those on disk, even where git is told not to look at them.
 */
const CONFIG: Readonly<Record<string, string>> = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.splitIndex': 'false',
  'core.fileMode': 'true',
  'core.symlinks': 'true',
  'core.quotePath': 'false',
  'i18n.commitEncoding': 'UTF-8',
};
const CONFIG_ARGS = Object.entries(CONFIG).flatMap(([key, value]) => ['-c', `${key}=${value}`]);

const IDENTITY = {
  GIT_AUTHOR_NAME: 'ralph-loop',
  GIT_AUTHOR_EMAIL: 'ralph-loop@localhost',
  GIT_COMMITTER_NAME: 'ralph-loop',
  GIT_COMMITTER_EMAIL: 'ralph-loop@localhost',
};

/** Git, as it is run in a directory. */
export function gitIn(directory: string, env: NodeJS.ProcessEnv): Git {
  // What replaces an object, or is fetched for it, is not what was saved.
  const always = { ...gitEnvironment(env), ...IDENTITY, GIT_NO_REPLACE_OBJECTS: '1', GIT_NO_LAZY_FETCH: '1' };
  return (args, { input = '', env: more = {}, onOutput } = {}) => {
    const child = spawn('git', [...CONFIG_ARGS, ...args], {
      cwd: directory,
      env: { ...always, ...more },
      // A group of its own, so that a filter that hangs ends with it.
      detached: true,
      stdio: 'pipe',
    });
    // Git may end without having read all.
    child.stdin.on('error', () => {}).end(input, 'latin1');
    return outputOf(child, args[0] ?? '', onOutput);
  };
}

function outputOf(
  child: ChildProcessWithoutNullStreams,
  name: string,
  onOutput: GitCall['onOutput'],
): Promise<string> {
  return new Promise((resolve, reject) => {
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    const timer = setTimeout(
      () => giveUp(new Refusal(`git ${name} did not end within ${TIMEOUT_MS / 1000} s`)),
      TIMEOUT_MS,
    );
    const giveUp = (error: unknown) => {
      clearTimeout(timer);
      if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      reject(error);
    };
    child.stdout.on('data', (bytes: Buffer) => {
      try {
        if (onOutput) onOutput(bytes);
        else stdout.push(bytes);
      } catch (error) {
        giveUp(error);
      }
    });
    child.stderr.on('data', (bytes: Buffer) => stderr.push(bytes));
    child.once('error', (error: NodeJS.ErrnoException) =>
      giveUp(error.code === 'ENOENT' ? new Refusal('there is no git in the PATH') : error),
    );
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve(Buffer.concat(stdout).toString('latin1'));
      else
        reject(new Refusal(`git ${name}: ${whatFailed(Buffer.concat(stderr).toString()) || signal || code}`));
    });
  });
}

/** The first line that says what is wrong, without git's `fatal: `. */
function whatFailed(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => !line.startsWith('warning: '));
  return lines[0]?.replace(/^(?:fatal|error): /, '') ?? '';
}
