import { readFileSync } from 'node:fs';

/** Linux keeps the peak of a process's resident memory; elsewhere 0. */
export function peakMemoryKb(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
