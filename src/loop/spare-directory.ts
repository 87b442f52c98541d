import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where stop attempts are counted when the project cannot be written. */
export function spareDirectory(): string {
  return join(tmpdir(), `ralph-loop-${process.getuid?.() ?? 'user'}`);
}
