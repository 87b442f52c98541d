import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { RunCommand } from '../process/run-command.ts';
import { gitEnvironment } from './git-environment.ts';

interface FingerprintOptions {
  readonly runCommand: RunCommand;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Absolute path of a file that is left out. */
  readonly except?: string | undefined;
}

/** Limits for reading files: of more or larger ones, only size and time enter the fingerprint. */
const MAX_FILES = 500;
const MAX_FILE_BYTES = 1024 * 1024;
/** Prints the top of the repository, the commit, and the changed files, except the files that ralph-loop and Trellis write. */
const GIT_COMMAND =
  "git rev-parse --show-toplevel; git rev-parse --verify --quiet HEAD; printf '\\0'; git --no-optional-locks status --porcelain=v1 -z --no-renames --untracked-files=all -- . ':(exclude,glob)**/.trellis/.ralph*' ':(exclude,glob)**/.trellis/.ralph/**' ':(exclude,glob)**/.trellis/tasks/**/task.json' ':(exclude,glob)**/gate-results-*.json'";

/**
 * A hash of the working tree below a directory: two fingerprints are equal when no file has changed that git tracks or does
 * not ignore.
 *
 * @param root absolute directory of the project
 * @returns undefined when there is no git or no repository, or git does not answer in time
 */
export async function fingerprintTree(
  root: string,
  { runCommand, env, signal, timeoutMs, except }: FingerprintOptions,
): Promise<string | undefined> {
  const { end, output } = await runCommand(
    { command: GIT_COMMAND, cwd: root, env: gitEnvironment(env), secrets: [], timeoutMs, graceMs: 0 },
    { signal },
  );
  if (end.how !== 'exited' || end.exitCode !== 0 || output.omittedBytes > 0) return undefined;
  const text = output.head.flatMap(({ stream, text }) => (stream === 'stdout' ? [text] : [])).join('');
  const [head = '', ...entries] = text.split('\0');
  const hash = createHash('sha1').update(head);
  // Paths in this format are relative to the top.
  const top = head.split('\n')[0] ?? root;
  for (const [index, entry] of entries.filter(Boolean).entries()) {
    // The status before the path is left out: staging a change does not change the tree.
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
