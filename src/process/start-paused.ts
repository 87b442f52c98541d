import type { ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';

/** The descriptor that a held command waits at. */
const HOLD_DESCRIPTOR = 3;

/** Put before a command: it waits for a line. Where there comes none, whoever held it is gone, and it never begins. */
export const HOLD = `read -r go <&${HOLD_DESCRIPTOR} || exit 125; exec ${HOLD_DESCRIPTOR}<&-\n`;

/**
 * Lets a held command begin once its process is noted.
 *
 * @returns never, unless it could not be noted: then why, and the command does not begin
 */
export async function releaseOnceNoted(
  child: ChildProcess,
  note: (pid: number) => Promise<void>,
): Promise<Error> {
  const line = child.stdio[HOLD_DESCRIPTOR] as Writable;
  // Its process may be gone by then.
  line.on('error', () => {});
  try {
    if (child.pid !== undefined) await note(child.pid);
  } catch (error) {
    line.destroy();
    return error as Error;
  }
  line.end('go\n');
  return new Promise(() => {});
}
