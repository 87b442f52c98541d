import { fstatSync } from 'node:fs';
import { write } from '../../hook/stdio.ts';
import { coloured, plain } from '../../messages/paint.ts';
import { readStatus } from '../../report/read-status.ts';
import { statusText } from '../../report/status-text.ts';

/**
 * `ralph-loop status`: the loops and the chains of this project.
 *
 * @returns the exit code
 */
export async function status({ json }: { readonly json: boolean }): Promise<number> {
  const now = new Date();
  const told = await readStatus(process.cwd(), now);
  const paint = isTerminal(1) && process.stdout.hasColors?.() ? coloured : plain;
  const text = json ? JSON.stringify(told, null, 2) : statusText(told, process.cwd(), now, paint);
  write(1, `${text}\n`);
  return 0;
}

/** Node's own streams cost a quarter of Node's start; where nobody looks, they are not needed. */
function isTerminal(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}
