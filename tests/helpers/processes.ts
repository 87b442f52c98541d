import { execFileSync } from 'node:child_process';
import { eventually } from './eventually.ts';

/** Whether a process runs. A zombie does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z');
  } catch {
    // It ended between the two checks.
    return false;
  }
}

/** Waits until every one of the processes is gone. */
export async function expectGone(...pids: readonly number[]): Promise<void> {
  for (const pid of pids) await eventually(`process ${pid} is gone`, () => !isRunning(pid));
}

/** Returns the pids of all descendants of a process. */
export function descendantsOf(pid: number): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const parents = new Map(
    table
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/ +/).map(Number) as [own: number, parent: number]),
  );
  const below = (parent: number): number[] =>
    [...parents.keys()].filter((own) => parents.get(own) === parent).flatMap((own) => [own, ...below(own)]);
  return below(pid);
}

/** Kills a process that a test started, if it still runs. */
export function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** Returns the pid of a process that has ended. */
export function deadPid(): number {
  return Number(execFileSync('/bin/sh', ['-c', 'echo $$'], { encoding: 'utf8' }));
}
