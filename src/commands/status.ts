import { coloured, plain } from '../feedback/paint.ts';
import { readStatus } from '../read-status.ts';
import { statusText } from '../status-text.ts';

/**
 * `ralph-loop status`: the loops and the chains of this project.
 *
 * @returns the exit code
 */
export async function status({ json }: { readonly json: boolean }): Promise<number> {
  const now = new Date();
  const told = await readStatus(process.cwd(), now);
  const paint = process.stdout.hasColors?.() ? coloured : plain;
  const text = json ? JSON.stringify(told, null, 2) : statusText(told, process.cwd(), now, paint);
  process.stdout.write(`${text}\n`);
  return 0;
}
