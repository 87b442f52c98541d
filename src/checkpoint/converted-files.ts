import { lstatSync } from 'node:fs';
import type { TrackedFile } from './read-tracked.ts';
import type { Repository } from './repository.ts';
import { onDisk } from './tree-path.ts';

/** Attributes under which the bytes on disk may be others than those in git, and as many. */
const ANY_SIZE = new Set(['filter', 'working-tree-encoding']);

/**
 * Unmodified files whose bytes on disk are not those that git keeps. What git does to the ends of lines and to `$Id$` on
 * the way in only ever makes a file shorter, so that there sizes tell; a filter (as that of LFS) can do anything.
 *
 * @param files unmodified and regular
 */
export async function convertedFiles(
  { git, top }: Repository,
  files: readonly TrackedFile[],
): Promise<TrackedFile[]> {
  if (files.length === 0) return [];
  const [sizes, attributes] = await Promise.all([
    git(['cat-file', '--batch-check=%(objectsize)'], {
      input: files.map(({ blob }) => `${blob}\n`).join(''),
    }),
    git(['check-attr', '-z', '-a', '--stdin'], { input: files.map(({ path }) => `${path}\0`).join('') }),
  ]);
  const gitSizes = sizes.split('\n');
  const filtered = pathsWith(ANY_SIZE, attributes);
  return files.filter(
    ({ path }, index) => filtered.has(path) || String(lstatSync(onDisk(top, path)).size) !== gitSizes[index],
  );
}

/** @param attributes `<path>\0<name>\0<value>\0`, again and again */
function pathsWith(names: ReadonlySet<string>, attributes: string): Set<string> {
  const fields = attributes.split('\0');
  const paths = new Set<string>();
  for (let at = 0; at + 2 < fields.length; at += 3)
    if (names.has(fields[at + 1] ?? '') && fields[at + 2] !== 'unset') paths.add(fields[at] ?? '');
  return paths;
}
