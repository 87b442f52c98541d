import { readFileSync } from 'node:fs';

/** A process, told from another one that has got its number since. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, as the system tells it; null where it does not. */
  readonly started: string | null;
}

/** What the system tells of a process: its state, as `ps` abbreviates it, and when it started. */
export interface ProcessStatus {
  readonly state: string;
  readonly started: string;
}

/** Whether a process of this number is there, whoever's it is. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** What `ps` tells of a process; undefined where it does not know it. */
export async function lookByPs(pid: number): Promise<ProcessStatus | undefined> {
  // Loaded where it is needed: the hook imports this file for stops that run no command.
  const { execFileSync } = await import('node:child_process');
  try {
    const told = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [, state = '', started = ''] = /^(\S+)\s+(.*\S)/.exec(told.trim()) ?? [];
    return state === '' ? undefined : { state, started };
  } catch {
    return undefined;
  }
}

/** The mark of a process that is alive now. */
export async function identifyProcess(pid: number): Promise<ProcessIdentity> {
  return { pid, started: (await lookAt(pid))?.started ?? null };
}

/**
 * Whether a process that was marked still runs. One that has ended, and waits for its parent to notice, does not; where
 * the system does not tell when it started, its number counts.
 */
export async function isSameProcess({ pid, started }: ProcessIdentity): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const now = await lookAt(pid);
  if (now === undefined) return true;
  return !/^[ZX]/.test(now.state) && (started === null || started === now.started);
}

/** Linux tells it in a file, the start in ticks since the machine's; elsewhere `ps` does, to the second. */
async function lookAt(pid: number): Promise<ProcessStatus | undefined> {
  if (process.platform !== 'linux') return lookByPs(pid);
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // From the third field on; the second, the program's name in brackets, may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', started: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}
