import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Ralph Gate's names for its config; in one directory, the first of them counts. */
const NAMES = ['gate.config.json', '.gaterc.json', '.gaterc'];

/**
 * @param directories absolute, the nearest first
 * @returns absolute path of the nearest gate config
 */
export function findGateConfig(directories: readonly string[]): string | undefined {
  return directories
    .flatMap((directory) => NAMES.map((name) => join(directory, name)))
    .find((path) => existsSync(path));
}
