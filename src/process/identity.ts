import { readFileSync } from 'node:fs';

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
  if (process.platform !== 'linux') return statusFromPs(pid);
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // From the third field on: the second, the program's name in parentheses, may contain blanks and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', started: fields[19] ?? '' };
  } catch {
    return undefined;
  }
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
