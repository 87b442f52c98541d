import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { CommandGate } from '../../gates/types.ts';
import { DEFAULT_SHELL } from '../../process/run-command.ts';
import { isOnPath } from '../../setup/find-program.ts';
import { programOf } from '../../setup/hook-command.ts';

/** Whether a shell finds a program where a gate runs, or knows the word itself. */
export function isFound(program: string, { cwd, env, inUserShell }: CommandGate): boolean {
  // The person's own shell may know words that POSIX's does not.
  const shells = [DEFAULT_SHELL, ...(inUserShell && process.env.SHELL ? [process.env.SHELL] : [])];
  return shells.some((shell) => {
    const { status } = spawnSync(shell, ['-c', `type ${program}`], {
      // A path is one from the gate's directory.
      cwd: existsSync(cwd) ? cwd : undefined,
      env: { ...process.env, ...env },
      stdio: 'ignore',
    });
    return status === 0;
  });
}

/** Names of the scripts of the package.json in a gate's directory; undefined where there is none. */
export function scriptsOf({ cwd }: CommandGate): string[] | undefined {
  try {
    const { scripts = {} } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'));
    return Object.keys(scripts);
  } catch {
    return undefined;
  }
}

/**
 * Reads a file of the project or of the home directory; undefined where there is none.
 *
 * @param file relative to the project, below `~`, or absolute
 */
export function readText(file: string, root: string): string | undefined {
  const path = file.startsWith('~/')
    ? join(homedir(), file.slice(2))
    : isAbsolute(file)
      ? file
      : join(root, file);
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Whether the program that a hook's command starts is there. */
export function canStart(command: string, root: string): boolean {
  const program = programOf(command, root);
  return program === undefined || (isAbsolute(program) ? existsSync(program) : isOnPath(program));
}
