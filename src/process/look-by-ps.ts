import { execFileSync } from 'node:child_process';
import type { ProcessLook } from './process-mark.ts';

/** What `ps` tells of a process; undefined where it does not know it. */
export function lookByPs(pid: number): ProcessLook | undefined {
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
