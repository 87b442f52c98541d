import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The bundle is as deep in the package as this file. */
const program = fileURLToPath(new URL('../../bin/ralph-loop.js', import.meta.url));

/** Whether a process of this program can be started: not where Yarn has it in an archive, which Node does not look into. */
export const isStartable = !program.includes('.zip/');

/**
 * Starts this program in a session of its own, so that it goes on when this process ends.
 *
 * @returns its pid; undefined if it cannot be started
 */
export function startOwnProcess(
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): number | undefined {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env,
    detached: true,
    stdio: 'ignore',
  });
  // Reported as a missing pid.
  child.on('error', () => {});
  child.unref();
  return child.pid;
}
