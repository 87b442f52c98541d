import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { HOLD } from './start-paused.ts';

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
