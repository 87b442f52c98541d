import { createHash } from 'node:crypto';

/** Returns 16 hexadecimal digits that distinguish any two texts, for file names. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
