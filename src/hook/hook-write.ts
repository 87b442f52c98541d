import { writeSync } from 'node:fs';

/** Writes past Node's streams, which cost time to set up; the descriptor may be a pipe that is full for a moment. */
export function write(descriptor: 1 | 2, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      // EPIPE: the host is gone.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
    }
  }
}
