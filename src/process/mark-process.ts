import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isAlive } from './is-alive.ts';
import type { ProcessMark } from './process-mark.ts';

/** The mark of a process that is alive now. */
export function markProcess(pid: number): ProcessMark {
  return { pid, started: startOf(pid) };
}

/** Whether a process that was marked is still there; where the system does not tell when it started, its number counts. */
export function isStillThere({ pid, started }: ProcessMark): boolean {
  if (!isAlive(pid)) return false;
  const now = startOf(pid);
  return started === null || now === null || now === started;
}

/** Linux tells it in a file, in ticks since the machine started; elsewhere `ps` does, to the second. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The 22nd field; the second, the program's name in brackets, may hold anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    if (process.platform === 'linux') return null;
  }
  try {
    const told = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return told.trim() || null;
  } catch {
    return null;
  }
}
