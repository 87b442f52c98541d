import { execFileSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { ancestors } from './ancestors.ts';

/**
 * The terminal of the nearest process above this one that has one: its absolute path, undefined if there is none. Hosts start
 * hooks in a session of their own, which has no `/dev/tty`.
 */
export function terminalAbove(): string | undefined {
  return process.platform === 'linux' ? terminalInProc() : terminalFromPs();
}

function terminalInProc(): string | undefined {
  for (const { pid } of ancestors())
    for (const descriptor of [0, 1, 2])
      try {
        const path = readlinkSync(`/proc/${pid}/fd/${descriptor}`);
        if (/^\/dev\/(?:pts\/|tty)\d+$/.test(path)) return path;
      } catch {
        // The process has ended, is of another user, or has closed this one.
      }
  return undefined;
}

function terminalFromPs(): string | undefined {
  try {
    const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,tty='], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const processes = new Map(
      [...table.matchAll(/^ *(\d+) +(\d+) +(\S+)/gm)].map(([, pid, parent, terminal = '']) => [
        Number(pid),
        { parent: Number(parent), terminal },
      ]),
    );
    for (let above = processes.get(process.ppid); above !== undefined; above = processes.get(above.parent))
      if (/^tty\w+$/.test(above.terminal)) return `/dev/${above.terminal}`;
  } catch {
    // There is no ps.
  }
  return undefined;
}
