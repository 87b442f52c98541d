import type { Hash } from 'node:crypto';
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/** A new SHA-256. `node:crypto` is loaded by the first one: it takes as long as git takes to list a thousand files. */
export function sha256(): Hash {
  return load('node:crypto').createHash('sha256');
}
