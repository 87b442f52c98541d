import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { realPathOf, upwards } from '../base/files.ts';
import { NOTICES_NAME, stateDirectory } from './paths.ts';

// The hook loads this file at every stop, to find out whether there are chains at all.

/** Absolute path of a chain's file. */
export function chainPath(root: string, id: string): string {
  return join(stateDirectory(root), `chain-${id}.json`);
}

/** Ids of a project's chains. */
export function chainIds(root: string): string[] {
  return namesIn(root).flatMap((name) => CHAIN_NAME.exec(name)?.[1] ?? []);
}

const CHAIN_NAME = /^chain-([\w-]+)\.json$/;

/**
 * The directories that hold chains, or notices about them for the person, from the project upwards: an agent may stop in
 * a directory or a repository inside the one in which the prompt was typed.
 *
 * @param root absolute directory of the project, without symbolic links
 * @param others absolute directories: where the agent works, and what the host reports as the project's
 */
export function chainRoots(root: string, others: readonly string[] = []): string[] {
  const starts = [
    root,
    ...others.filter((other) => other !== root).map((other) => realPathOf(resolve(other))),
  ];
  // upwards() leaves out the root of the file system, which may be the project itself in a container.
  const directories = starts.flatMap((start) => [start, ...upwards(start)]);
  return [...new Set(directories)].filter((directory) =>
    namesIn(directory).some((name) => CHAIN_NAME.test(name) || name === NOTICES_NAME),
  );
}

function namesIn(root: string): string[] {
  try {
    return readdirSync(stateDirectory(root));
  } catch {
    return [];
  }
}

/** A `::` between blanks, or one before the two words that need no blanks. */
const SIGN = /(?:^|\s)::\s|::\s*(?:verify|gate_action)/;

/**
 * Whether a prompt may contain a typed gate. It runs at every prompt of every session, so it imports nothing. A true has
 * to be confirmed by the parser, because `a :: Int` matches too; a false is final.
 */
export function mayHaveGates(text: string): boolean {
  return SIGN.test(text);
}
