import { execFileSync } from 'node:child_process';
import { execa } from 'execa';
import { BIN } from './bin.ts';
import { NO_HOME } from './no-home.ts';
import type { Project } from './project.ts';

/** A PID namespace of its own, and a mount namespace in which /proc has its processes alone. */
const UNSHARE = ['-Upf', '--mount-proc', '--map-root-user', '--kill-child'];

/** Why no namespace can be made here, as the reason of a skipped test; undefined if one can. */
export function namespaceProblem(): string | undefined {
  try {
    execFileSync('unshare', [...UNSHARE, 'true'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'unshare cannot make a PID namespace for this user';
  }
}

/**
 * Runs a shell script in which `ralph_loop` calls the built program, in a PID namespace of its own: whatever the program
 * signals by mistake, no process outside is reached, and nothing survives the script.
 *
 * @returns what the script prints
 */
export async function inOwnNamespace(project: Project, script: string): Promise<string> {
  // The first process of a namespace is not reached by kill(-1), so the script is not the first. A process group can reach
  // beyond a namespace, so it gets its own.
  const shell = `ralph_loop() { "${process.execPath}" "${BIN}" "$@"; }\nexport RALPH_LOOP_BIN="${BIN}"\n${script}`;
  const { all } = await execa(
    'unshare',
    [...UNSHARE, 'sh', '-c', 'setsid -w sh -c "$1"; exit', 'sh', shell],
    {
      cwd: project.root,
      // State in the tree, where a repository can bring it.
      env: { ...project.environment, XDG_STATE_HOME: NO_HOME },
      extendEnv: false,
      reject: false,
      all: true,
      stdin: 'ignore',
      // The script may lose the processes that it waits for.
      timeout: 30_000,
      killSignal: 'SIGKILL',
      cleanup: true,
    },
  );
  return all;
}
