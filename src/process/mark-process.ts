import { readFileSync } from 'node:fs';
import { isAlive } from './is-alive.ts';
import type { ProcessLook, ProcessMark } from './process-mark.ts';

/** The mark of a process that is alive now. */
export async function markProcess(pid: number): Promise<ProcessMark> {
  return { pid, started: (await lookAt(pid))?.started ?? null };
}

/**
 * Whether a process that was marked still runs. One that has ended, and waits for its parent to notice, does not; where
 * the system does not tell when it started, its number counts.
 */
export async function isStillThere({ pid, started }: ProcessMark): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const now = await lookAt(pid);
  if (now === undefined) return true;
  return !/^[ZX]/.test(now.state) && (started === null || started === now.started);
}

/** Linux tells it in a file, the start in ticks since the machine's; elsewhere `ps` does, to the second. */
async function lookAt(pid: number): Promise<ProcessLook | undefined> {
  if (process.platform !== 'linux') return (await import('./look-by-ps.ts')).lookByPs(pid);
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // From the third field on; the second, the program's name in brackets, may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', started: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}
