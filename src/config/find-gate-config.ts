import { lstatSync } from 'node:fs';
import { join } from 'node:path';

/** Ralph Gate's names for its config; in one directory, the first of them counts. */
const NAMES = ['gate.config.json', '.gaterc.json', '.gaterc'];

/**
 * @param directories absolute, the nearest first
 * @returns absolute path of the nearest gate config
 */
export function findGateConfig(directories: readonly string[]): string | undefined {
  return directories.flatMap((directory) => NAMES.map((name) => join(directory, name))).find(isThere);
}

/** A link that leads nowhere is there, and to be complained of. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
