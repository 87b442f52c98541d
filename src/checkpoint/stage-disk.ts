import { withIndex } from './copy-index.ts';
import type { DiskChanges } from './find-files.ts';
import type { Repository } from './repository.ts';

/**
 * Makes a copy of the index hold what is on disk.
 *
 * @param blobs object ids of the files that differ, in their order
 */
export async function stageDisk(
  { git }: Repository,
  index: string,
  { files, gone, submodules }: DiskChanges,
  blobs: readonly string[],
): Promise<void> {
  const update = async (lines: readonly string[], ...args: readonly string[]) => {
    if (lines.length === 0) return;
    const input = lines.map((line) => `${line}\0`).join('');
    await git(['update-index', '-z', ...args], { input, ...withIndex(index) });
  };
  // What is gone comes first: a directory may stand where a file was, or a file where a directory was.
  await update(gone, '--force-remove', '--stdin');
  await update(
    files.map(({ path, mode }, at) => `${mode} ${blobs[at]}\t${path}`),
    '--index-info',
  );
  await update(submodules, '--stdin');
}
