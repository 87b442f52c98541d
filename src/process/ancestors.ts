import { readFileSync } from 'node:fs';
import type { ProcessIdentity } from './process-group.ts';

/** A process that has started this one, itself or by way of others. */
export interface Ancestor extends ProcessIdentity {
  readonly name: string;
}

const MAX_DEPTH = 64;

/** The processes that have started this one, the nearest first; empty where the system does not say, as outside of Linux. */
export function ancestors(): Ancestor[] {
  const found: Ancestor[] = [];
  let pid = process.ppid;
  // 1 is the system's first process, which adopts those whose parent has ended.
  while (pid > 1 && found.length < MAX_DEPTH) {
    let stat: string;
    try {
      stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    } catch {
      return [];
    }
    const end = stat.lastIndexOf(')');
    const fields = stat.slice(end + 2).split(' ');
    found.push({ pid, started: fields[19] ?? null, name: stat.slice(stat.indexOf('(') + 1, end) });
    pid = Number(fields[1]);
  }
  return found;
}
