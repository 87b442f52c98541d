import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from '../base/time.ts';
import { Refusal } from './refusal.ts';
import type { Repository } from './repository.ts';

/** An editor that asks git for the status holds the lock for milliseconds. */
const WAIT_MS = 2000;
const RETRY_MS = 20;
/** What stands in a lock of ours. */
const SIGNATURE = /^ralph-loop (\d+)\n$/;

/**
 * Takes git's own lock of the index, so that no git changes what is being restored. One that we left behind when we were
 * killed is taken over.
 *
 * @returns what gives it back
 * @throws Refusal where another holds it for long
 */
export async function lockIndex({ gitDirectory }: Repository): Promise<() => void> {
  const lock = join(gitDirectory, 'index.lock');
  for (let left = WAIT_MS; !tryLock(lock); left -= RETRY_MS) {
    if (left <= 0)
      throw new Refusal(
        `another git command holds ${lock}: try again when it is done, or remove the file if none is running`,
      );
    if (isLeftBehind(lock)) rmSync(lock, { force: true });
    else await after(RETRY_MS).promise;
  }
  return () => rmSync(lock, { force: true });
}

function tryLock(lock: string): boolean {
  try {
    writeFileSync(lock, `ralph-loop ${process.pid}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isLeftBehind(lock: string): boolean {
  try {
    const [, pid] = SIGNATURE.exec(readFileSync(lock, 'utf8')) ?? [];
    if (pid === undefined) return false;
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
