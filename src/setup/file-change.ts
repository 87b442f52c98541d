import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a file is to become. Plain data: shown as a diff, written, or undone. */
export interface FileChange {
  /** Relative to the project's root. */
  readonly path: string;
  /** Undefined where there is none yet. */
  readonly before: string | undefined;
  /** Undefined where it is to go. */
  readonly after: string | undefined;
  /** Of a file that is made; absent where it is as for any other. */
  readonly mode?: number;
}

/** A file as it is now. */
export type PresentFile = { readonly text: string | undefined } | { readonly why: string };

/**
 * Reads a file that may be changed.
 *
 * @returns its text, undefined where there is none; or why it cannot be changed without a loss
 */
export function readPresentFile(root: string, path: string): PresentFile {
  const file = join(root, path);
  try {
    const bytes = readFileSync(file);
    const text = bytes.toString('utf8');
    return Buffer.from(text).equals(bytes) ? { text } : { why: `${path} is not UTF-8` };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') return { why: `${path} cannot be read: ${message}` };
    const isLink = lstatSync(file, { throwIfNoEntry: false }) !== undefined;
    return isLink ? { why: `${path} is a link to nothing` } : { text: undefined };
  }
}
