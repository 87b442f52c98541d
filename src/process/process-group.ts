import { readdirSync, readFileSync } from 'node:fs';

/** A process, distinguished from a later one with the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the system's own format; null if the system does not say. */
  readonly started: string | null;
}

/** The state of a process, as `ps` abbreviates it, and when it started. */
interface ProcessStatus {
  readonly state: string;
  readonly started: string;
}

/** Whether a process with this pid exists, of whichever user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

export async function identifyProcess(pid: number): Promise<ProcessIdentity> {
  return { pid, started: (await statusOf(pid))?.started ?? null };
}

/**
 * Whether a process that was identified earlier still runs. A zombie does not. If the system does not say when the
 * process started, its pid alone decides.
 */
export async function isSameProcess({ pid, started }: ProcessIdentity): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const now = await statusOf(pid);
  if (now === undefined) return true;
  return !/^[ZX]/.test(now.state) && (started === null || started === now.started);
}

/** On Linux, `started` is in clock ticks since boot; elsewhere `ps` gives it to the second. */
async function statusOf(pid: number): Promise<ProcessStatus | undefined> {
  return process.platform === 'linux' ? statusFromProc(pid) : statusFromPs(pid);
}

function statusFromProc(pid: number): ProcessStatus | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // From the third field on: the second, the program's name in parentheses, may contain blanks and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', started: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}

/** When a process started, in clock ticks since boot; undefined where the system does not say so in a file. */
export function startTimeOf(pid: number): string | undefined {
  return statusFromProc(pid)?.started;
}

/** @returns undefined if `ps` does not list the process */
export async function statusFromPs(pid: number): Promise<ProcessStatus | undefined> {
  // Loaded on demand: stops that run no command import this file.
  const { execFileSync } = await import('node:child_process');
  try {
    const output = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [, state = '', started = ''] = /^(\S+)\s+(.*\S)/.exec(output.trim()) ?? [];
    return state === '' ? undefined : { state, started };
  } catch {
    return undefined;
  }
}

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
