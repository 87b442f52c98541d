import { unlinkSync } from 'node:fs';
import { makeDirectories, pruneDirectories } from './directories.ts';
import { openFile } from './open-file.ts';
import type { FileWrite, Restoration } from './plan-restoration.ts';
import { batchReader } from './read-batch.ts';
import type { Repository } from './repository.ts';
import { ancestorsOf, lookIn, onDisk } from './tree-path.ts';

/** Makes the working tree what it was. Ended halfway, it can be done again. */
export async function applyRestoration(
  { git, top }: Repository,
  { removals, writes, directories, prunable }: Restoration,
): Promise<void> {
  const look = lookIn(top);
  for (const path of removals) if (look(path)) unlinkSync(onDisk(top, path));
  const queue = writes.values();
  const nextFile = () => openFile(top, queue.next().value as FileWrite);
  await git(['cat-file', '--batch', '--buffer'], {
    input: writes.map(({ blob }) => `${blob}\n`).join(''),
    onOutput: batchReader(nextFile),
  });
  for (const path of directories) makeDirectories(top, [...ancestorsOf(path), path]);
  pruneDirectories(top, prunable, { kept: new Set(directories) });
}
