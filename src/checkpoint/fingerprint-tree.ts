import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { RunCommand } from '../process/run-command.ts';
import { gitEnvironment } from './git-environment.ts';

export interface FingerprintEffects {
  readonly runCommand: RunCommand;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Absolute path of a file that is not looked at. */
  readonly except?: string | undefined;
}

/** Files that are read; of larger or more ones, size and time have to do. */
const MAX_FILES = 500;
const MAX_FILE_BYTES = 1024 * 1024;
/** The top of the repository, the commit, then what differs from it; what ralph-loop and Trellis write themselves, each run's results too, is left out. */
const GIT =
  "git rev-parse --show-toplevel; git rev-parse --verify --quiet HEAD; printf '\\0'; git --no-optional-locks status --porcelain=v1 -z --no-renames --untracked-files=all -- . ':(exclude,glob)**/.trellis/.ralph*' ':(exclude,glob)**/.trellis/.ralph/**' ':(exclude,glob)**/.trellis/tasks/**/task.json' ':(exclude,glob)**/gate-results-*.json'";

/**
 * What the working tree holds, as git sees it: two fingerprints are alike when no file that git tracks, or does not
 * ignore, has changed in between.
 *
 * @param root absolute directory of the project
 * @returns undefined where there is no git, no repository, or no quick answer
 */
export async function fingerprintTree(
  root: string,
  { runCommand, env, signal, timeoutMs, except }: FingerprintEffects,
): Promise<string | undefined> {
  const { end, output } = await runCommand(
    { command: GIT, cwd: root, env: gitEnvironment(env), secrets: [], timeoutMs, graceMs: 0 },
    { signal },
  );
  if (end.how !== 'exited' || end.exitCode !== 0 || output.omittedBytes > 0) return undefined;
  const text = output.head.flatMap(({ stream, text }) => (stream === 'stdout' ? [text] : [])).join('');
  const [head = '', ...entries] = text.split('\0');
  const hash = createHash('sha1').update(head);
  // The paths in this form are given from the top.
  const top = head.split('\n')[0] ?? root;
  for (const [index, entry] of entries.filter(Boolean).entries()) {
    // Whether a change is staged is no change of the tree: the status before the path does not count.
    const path = entry.slice('XY '.length);
    if (join(top, path) === except) continue;
    hash.update(`\0${path}\0`).update(contentOf(join(top, path), index));
  }
  return hash.digest('hex');
}

function contentOf(path: string, index: number): Buffer | string {
  try {
    const stats = statSync(path);
    const isReadable = stats.isFile() && stats.size <= MAX_FILE_BYTES && index < MAX_FILES;
    return isReadable ? readFileSync(path) : `${stats.size} ${stats.mtimeMs}`;
  } catch {
    return 'none';
  }
}
