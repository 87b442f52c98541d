import { readdirSync, readFileSync } from 'node:fs';

/**
 * Signals every process of a group.
 *
 * @param leader pid of the group's leader, as spawned with `detached: true`
 * @returns false if there was nothing left to signal
 */
export function signalGroup(leader: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-leader, signal);
    return true;
  } catch {
    // ESRCH: no process is left. EPERM: macOS reports it for a group of zombies.
    return false;
  }
}

/** The environment variable that marks the processes of a tree, including those that left its process group. */
export const TREE_VARIABLE = 'RALPH_LOOP_TREE';

/** While some processes are killed, others may be started. */
const ROUNDS = 5;

/** The value of TREE_VARIABLE for a new tree. A tree that is started within another belongs to both. */
export function treeValue(id: string, env: NodeJS.ProcessEnv): string {
  const outer = env[TREE_VARIABLE];
  return outer ? `${outer}:${id}` : id;
}

/**
 * Kills the processes of a tree that are still running, including those in another session or with another parent. A
 * process that cleared its environment is not found.
 *
 * @param id unique, as given to `treeValue`
 */
export async function killOrphans(id: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const orphans = process.platform === 'linux' ? orphansInProc(id) : await orphansFromPs(id);
    if (orphans.length === 0) return;
    for (const pid of orphans) kill(pid);
  }
}

function orphansInProc(id: string): number[] {
  const pids = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []));
  return pids.filter((pid) => {
    try {
      return pid !== process.pid && readFileSync(`/proc/${pid}/environ`).includes(id);
    } catch {
      // It has ended, or belongs to another user.
      return false;
    }
  });
}

/** On macOS, `ps -E` shows the environment of the user's own processes. */
async function orphansFromPs(id: string): Promise<number[]> {
  // Loaded on demand: stops that run no command import this file.
  const { execFileSync } = await import('node:child_process');
  try {
    const lines = execFileSync('ps', ['-Eww', '-o', 'pid=,command='], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).split('\n');
    return lines
      .filter((line) => line.includes(`${TREE_VARIABLE}=`) && line.includes(id))
      .map((line) => Number.parseInt(line, 10))
      .filter((pid) => pid > 0 && pid !== process.pid);
  } catch {
    return [];
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
