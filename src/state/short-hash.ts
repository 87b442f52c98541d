import { createHash } from 'node:crypto';

/** 16 hexadecimal digits that tell any two texts apart, for file names. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
