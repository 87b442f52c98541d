import { readFileSync } from 'node:fs';
import { isAlive } from './is-alive.ts';
import type { ProcessMark } from './process-mark.ts';

/** The mark of a process that is alive now. */
export async function markProcess(pid: number): Promise<ProcessMark> {
  return { pid, started: await startOf(pid) };
}

/** Whether a process that was marked is still there; where the system does not tell when it started, its number counts. */
export async function isStillThere({ pid, started }: ProcessMark): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const now = await startOf(pid);
  return started === null || now === null || now === started;
}

/** Linux tells it in a file, in ticks since the machine started; elsewhere `ps` does, to the second. */
async function startOf(pid: number): Promise<string | null> {
  if (process.platform !== 'linux') return (await import('./start-by-ps.ts')).startByPs(pid);
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The 22nd field; the second, the program's name in brackets, may hold anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
