import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Git } from './git.ts';

/** The absolute path of a file, a character a byte, or the bytes themselves. */
export type BlobSource = string | Buffer;

/**
 * Saves bytes as they are: no filter of git's, as for the ends of lines, gets to see them.
 *
 * @param temporary a directory for bytes that are in no file
 * @returns their object ids, in the order of the sources
 * @throws Refusal where one cannot be read; the file is named
 */
export async function writeBlobs(
  git: Git,
  sources: readonly BlobSource[],
  temporary: string,
): Promise<string[]> {
  const paths = sources.map((source, index) => {
    if (typeof source === 'string') return source;
    const path = join(temporary, `blob-${index}`);
    writeFileSync(path, source);
    return Buffer.from(path).toString('latin1');
  });
  const input = paths.map((path) => `${quoted(path)}\n`).join('');
  const output = await git(['hash-object', '-w', '--no-filters', '--stdin-paths'], { input });
  return output.split('\n').slice(0, -1);
}

/** As in C, which is how git reads a path that may hold a line break. */
function quoted(path: string): string {
  const octal = (character: string) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
  return `"${path.replace(/["\\\p{Cc}]/gu, octal)}"`;
}
