import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// A process that is killed cannot remove its files. Its cleaner, a shell, reads stdin, which ends with the process.

/** A git process that the killed process has started may still write into the directory. */
const REMOVE_DIRECTORY = 'for i in 1 2 3 4 5; do rm -rf -- "$1" && break; sleep 1; done';
/** The lock may belong to another process by now. */
const REMOVE_LOCK = '[ "$(head -c 64 -- "$1")" = "$2" ] && rm -f -- "$1" "$3" "$3.lock"';

/**
 * Starts a cleaner, which runs a script when this process is killed. It has a session of its own, and does not inherit the
 * variable by which the processes of a tree are found.
 *
 * @returns ends the cleaner
 */
function startCleaner(script: string, ...args: readonly string[]): () => void {
  const child = spawn('/bin/sh', ['-c', `cat > /dev/null; exec 2> /dev/null; ${script}`, 'sh', ...args], {
    cwd: '/',
    env: { PATH: process.env.PATH },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without a cleaner, the next restore removes the lock.
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  return () => {
    child.kill('SIGKILL');
    child.stdin.destroy();
  };
}

/** Runs `work` with a temporary directory, which is removed also when this process is killed. */
export async function withTemporaryDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = join(tmpdir(), `ralph-checkpoint-${randomBytes(12).toString('hex')}`);
  const endCleaner = startCleaner(REMOVE_DIRECTORY, directory);
  try {
    mkdirSync(directory, { mode: 0o700 });
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
    endCleaner();
  }
}

/**
 * Removes a lock of the index when this process is killed.
 *
 * @param content of the lock
 * @param index the index that is being written
 * @returns ends that
 */
export function cleanLock(lock: string, content: string, index: string): () => void {
  return startCleaner(REMOVE_LOCK, lock, content.trimEnd(), index);
}
