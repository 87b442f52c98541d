import { readdirSync } from 'node:fs';
import { ralphDirectory } from './paths.ts';

/** Ids of a project's chains: all that a stop which none of them concerns has to find out. */
export function chainIds(root: string): string[] {
  try {
    const names = readdirSync(ralphDirectory(root));
    return names.flatMap((name) => /^chain-([\w-]+)\.json$/.exec(name)?.[1] ?? []);
  } catch {
    return [];
  }
}
