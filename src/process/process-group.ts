import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A process, distinguished from a later one with the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the system's own format; null if the system does not say. */
  readonly started: string | null;
}

/** A pid has 31 bits. */
const PID_END = 2 ** 31;

/**
 * Whether a value from a file can be the pid of a process that this program may signal. 1 is the system's first process;
 * -1, 0 and the other negative numbers name many processes at once.
 */
export function isPid(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 1 && value < PID_END;
}

/** Whether a value from a file has the form of an identity. It proves nothing about the process. */
export function isProcessIdentity(value: unknown): value is ProcessIdentity {
  const { pid, started } = (value ?? {}) as Record<string, unknown>;
  return isPid(pid) && (started === null || typeof started === 'string');
}

/** The pid and the start time of this process, for a file. */
export function ownIdentity(): ProcessIdentity {
  return identityOf(process.pid);
}

/** A process that runs. Without a file that says so, its start time is not looked for. */
export function identityOf(pid: number): ProcessIdentity {
  return { pid, started: startTimeOf(pid) ?? null };
}

/**
 * The PID namespace of this process: in another one, its pid is that of another process. Null where there are none.
 */
export function pidNamespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return null;
  }
}

/**
 * Whether a process that was identified earlier may still run. Without a start time, any process with its pid may be it.
 */
export function mayRun({ pid, started }: ProcessIdentity): boolean {
  if (started === null) return isAlive(pid);
  const now = statusFromProc(pid);
  return now !== undefined && !/^[ZX]/.test(now.state) && now.started === started;
}

/** The state of a process, as `ps` abbreviates it, and when it started. */
interface ProcessStatus {
  readonly state: string;
  readonly started: string;
}

/** Whether a process with this pid exists, of whichever user. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid < 1 || pid >= PID_END) return false;
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
 * Whether a process that was identified earlier still runs, which is the proof that is needed to signal it: its start time
 * is the same. Without a start time nothing is proven. A zombie does not run.
 */
export async function isSameProcess({ pid, started }: ProcessIdentity): Promise<boolean> {
  if (started === null || !isPid(pid) || !isAlive(pid)) return false;
  const now = await statusOf(pid);
  return now !== undefined && !/^[ZX]/.test(now.state) && started === now.started;
}

/** On Linux, `started` is in clock ticks since boot; elsewhere `ps` gives it to the second. */
async function statusOf(pid: number): Promise<ProcessStatus | undefined> {
  return process.platform === 'linux' ? statusFromProc(pid) : statusFromPs(pid);
}

function statusFromProc(pid: number): ProcessStatus | undefined {
  if (!hasOwnProc()) return undefined;
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

/**
 * Whether `/proc` has the pids of this process's own PID namespace. The one of another namespace, as in a sandbox that
 * did not mount its own, has the same numbers for other processes.
 */
function hasOwnProc(): boolean {
  try {
    ownProc ??= readlinkSync('/proc/self') === String(process.pid);
  } catch {
    ownProc = false;
  }
  return ownProc;
}

let ownProc: boolean | undefined;

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
  // The group of 1 would be every process of the user, and that of 0 the group of this process.
  if (!isPid(leader)) return false;
  try {
    process.kill(-leader, signal);
    return true;
  } catch {
    // ESRCH: no process is left. EPERM: macOS reports it for a group of zombies.
    return false;
  }
}

/**
 * The environment variable that marks the processes of a tree, including those that left its process group: the ids of the
 * tree and of the trees that it is part of, separated by colons.
 */
export const TREE_VARIABLE = 'RALPH_LOOP_TREE';

const TREE_ID = /^[A-Za-z0-9-]{8,64}$/;

/** Whether a value from a file can be the id of a tree. */
export function isTreeId(value: unknown): value is string {
  return typeof value === 'string' && TREE_ID.test(value);
}

/** The value of TREE_VARIABLE for a new tree. A tree that is started within another belongs to both. */
export function treeValue(id: string, env: NodeJS.ProcessEnv): string {
  const outer = env[TREE_VARIABLE];
  return outer ? `${outer}:${id}` : id;
}

/** The ids of the trees that this process belongs to, the outermost first. */
export function treeIdsIn(env: NodeJS.ProcessEnv): string[] {
  return env[TREE_VARIABLE]?.split(':') ?? [];
}

/** An id for a new tree; unique on this machine, also among containers. */
export function newTreeId(): string {
  const random = Math.trunc(Math.random() * 2 ** 40);
  return `${process.pid}-${Date.now().toString(36)}-${random.toString(36)}`;
}

/** While some processes are killed, others may be started. */
const ROUNDS = 5;

/**
 * Kills the processes of a tree that are still running, including those in another session or with another parent. A
 * process that cleared its environment is not found.
 *
 * @param id as given to `treeValue`; any other text names no tree
 * @param since pid of a process that is older than the whole tree: the search is shorter. The pids of the system must not
 * have been used up since it started.
 */
export async function killOrphans(id: string, since?: number): Promise<void> {
  if (!isTreeId(id)) return;
  for (let round = 0; round < ROUNDS; round += 1) {
    const orphans = process.platform === 'linux' ? orphansInProc(id, since) : await orphansFromPs(id);
    if (orphans.length === 0) return;
    for (const pid of orphans) kill(pid);
  }
}

function orphansInProc(id: string, since = 0): number[] {
  if (!hasOwnProc()) return [];
  return pidsSince(since).filter((pid) => {
    try {
      return isOrphan(pid, readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0'), id);
    } catch {
      // It has ended, or belongs to another user.
      return false;
    }
  });
}

/** Up to so many pids, looking for each is faster than reading the directory of all. */
const FEW_PIDS = 100;

/** The pids of the processes that are younger than one, and a few more. */
function pidsSince(since: number): number[] {
  const latest = latestPid();
  if (latest >= since && latest - since <= FEW_PIDS) {
    const pids = Array.from({ length: latest - since }, (_, index) => since + 1 + index);
    return pids.filter((pid) => existsSync(`/proc/${pid}`));
  }
  const pids = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []));
  // After the highest pid, the system continues with the lowest.
  return latest < since ? pids : pids.filter((pid) => pid > since);
}

/** The pid of the process that was started last; 0 if the system does not say. */
function latestPid(): number {
  try {
    return Number(readFileSync('/proc/loadavg', 'latin1').trim().split(' ').at(-1));
  } catch {
    return 0;
  }
}

/** @param variables of its environment, `NAME=value` each */
function isOrphan(pid: number, variables: readonly string[], id: string): boolean {
  if (!isPid(pid) || pid === process.pid) return false;
  const value = variables.find((variable) => variable.startsWith(`${TREE_VARIABLE}=`));
  return (
    value
      ?.slice(TREE_VARIABLE.length + 1)
      .split(':')
      .includes(id) ?? false
  );
}

/**
 * On macOS, `ps -E` shows the environment of the user's own processes after the command, separated by blanks. A command
 * may contain the same text: at most a process that names the random id in its arguments is killed with the tree.
 */
async function orphansFromPs(id: string): Promise<number[]> {
  // Loaded on demand: stops that run no command import this file.
  const { execFileSync } = await import('node:child_process');
  try {
    const lines = execFileSync('ps', ['-Eww', '-o', 'pid=,command='], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).split('\n');
    return lines.flatMap((line) => {
      const pid = Number.parseInt(line, 10);
      return isOrphan(pid, line.split(' '), id) ? pid : [];
    });
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
