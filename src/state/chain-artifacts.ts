import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CHAIN_EXPIRY_HOURS } from './chain.ts';
import { chainIds } from './chain-ids.ts';
import { failuresPath, outputDirectory, ralphDirectory } from './paths.ts';

/** Where the runs of a chain leave what they printed. */
export function chainOutputDirectory(root: string, id: string): string {
  return join(outputDirectory(root), `chain-${id}`);
}

/** Where it is kept what failed last in a chain. */
export function chainFailuresPath(root: string, id: string): string {
  return failuresPath(root, `chain-${id}`);
}

/** Removes what the runs of a chain have left; a disk that cannot be written keeps it. */
export function removeArtifacts(root: string, id: string): void {
  for (const path of [chainFailuresPath(root, id), chainOutputDirectory(root, id)]) remove(path);
}

/**
 * Removes, a day later, what is left of chains that are no more: of those that are run once it is kept for `why`.
 */
export function removeOldArtifacts(root: string, now: Date): void {
  const ids = new Set(chainIds(root));
  const isOld = (path: string) => now.getTime() - changedAt(path) > CHAIN_EXPIRY_HOURS * 3_600_000;
  for (const directory of [ralphDirectory(root), outputDirectory(root)])
    for (const name of namesIn(directory)) {
      const [, id] = /^(?:failed-)?chain-([\w-]+)(?:\.json)?$/.exec(name) ?? [];
      if (id !== undefined && !ids.has(id) && isOld(join(directory, name))) remove(join(directory, name));
    }
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
}

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // What cannot be removed does no harm.
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
