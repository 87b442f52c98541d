import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The text of a host's plugin, without hooks. */
export function pageText(name: string): string {
  // The bundle is as deep in the package as this file.
  return readFileSync(fileURLToPath(new URL(`../../bin/plugins/${name}`, import.meta.url)), 'utf8');
}
