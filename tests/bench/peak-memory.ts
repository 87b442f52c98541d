import { readFileSync } from 'node:fs';

/**
 * Linux keeps the peak of a process's resident memory; elsewhere 0.
 *
 * @returns that of the process, or of one that it has started, if that is more: a hook has its gates run by another
 */
export function peakMemoryKb(pid: number | undefined): number {
  try {
    const own = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    return Math.max(own, ...children.map((child) => peakMemoryKb(Number(child))));
  } catch {
    return 0;
  }
}
