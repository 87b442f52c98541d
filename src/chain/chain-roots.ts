import { upwards } from '../base/files.ts';
import type { StopEvent } from '../hosts/types.ts';
import { chainIds } from '../state/chain-ids.ts';

/** Whether a stop could be one of a session that has a chain: subagents' never are. */
export function mayHaveChain({ isMain }: StopEvent, root: string): boolean {
  return isMain && chainRoots(root).length > 0;
}

/**
 * The directories that keep chains, of a project and above it: an agent may stop in a repository, or where there is
 * none, in a directory, inside of the one that it was asked in.
 *
 * @param root absolute directory of the project
 */
export function chainRoots(root: string): string[] {
  // The root of the file system has nothing above it, and may be a project in a container.
  return [...new Set([root, ...upwards(root)])].filter((directory) => chainIds(directory).length > 0);
}
