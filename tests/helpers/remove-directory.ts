import { rmSync } from 'node:fs';

/** Removes a directory that a process which is about to end may still write to, as the owner of a run. */
export function removeDirectory(path: string): void {
  for (let tries = 0; ; tries += 1) {
    try {
      rmSync(path, { recursive: true, force: true });
      return;
    } catch (error) {
      if (tries === 100 || (error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
  }
}
