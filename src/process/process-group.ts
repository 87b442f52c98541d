import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Signals every process of a group.
 *
 * @param leader pid of the group's leader, as spawned with `detached: true`
 * @returns false where there is nothing left to signal
 */
export function signalGroup(leader: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-leader, signal);
    return true;
  } catch {
    // ESRCH: all gone. EPERM: macOS says so of a group of zombies.
    return false;
  }
}

/** The variable that tells the processes of a tree, even those that have left its process group. */
export const TREE_VARIABLE = 'RALPH_LOOP_TREE';

/** While some are ended, others may be started. */
const ROUNDS = 5;

/** The value for a new tree; one that is started within another tree belongs to both. */
export function treeValue(id: string, env: NodeJS.ProcessEnv): string {
  const outer = env[TREE_VARIABLE];
  return outer ? `${outer}:${id}` : id;
}

/**
 * Ends what is left of a tree, wherever it has gone: in its own session, with another parent. A process that has cleared
 * its environment is not found.
 *
 * @param id unique, as of `treeValue`
 */
export function killOrphans(id: string): void {
  for (let round = 0; round < ROUNDS; round += 1) {
    const strays = process.platform === 'linux' ? straysInProc(id) : straysOfPs(id);
    if (strays.length === 0) return;
    for (const pid of strays) kill(pid);
  }
}

function straysInProc(id: string): number[] {
  const pids = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []));
  return pids.filter((pid) => {
    try {
      return pid !== process.pid && readFileSync(`/proc/${pid}/environ`).includes(id);
    } catch {
      // It has ended, or is somebody else's.
      return false;
    }
  });
}

/** macOS shows the environment of one's own processes. */
function straysOfPs(id: string): number[] {
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
