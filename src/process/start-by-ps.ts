import { execFileSync } from 'node:child_process';

/** When a process started, as `ps` tells it; null where it does not. */
export function startByPs(pid: number): string | null {
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
