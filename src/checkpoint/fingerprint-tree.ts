import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isInside, realPathOf } from '../base/files.ts';
import { uptimeMs } from '../base/time.ts';
import type { RunCommand } from '../process/run-command.ts';
import { gitEnvironment, NO_PROGRAMS, WITHOUT_OWN_FILES, withoutFilters } from './git-environment.ts';

interface FingerprintOptions {
  readonly runCommand: RunCommand;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** For git and for reading the files. */
  readonly timeoutMs: number;
  /** Absolute path of a file that is left out. */
  readonly except?: string | undefined;
}

/** Limits for reading files: of more or larger ones, only size and time enter the fingerprint. */
const MAX_FILES = 500;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_BYTES = 64 * MAX_FILE_BYTES;
/** Submodules of submodules; more of them are not looked at. */
const MAX_DEPTH = 5;

const GIT = ['git', ...NO_PROGRAMS].join(' ');
/** Prints the names of the settings of filters, and after a blank record the paths of submodules. */
const CONFIG_COMMAND = `${GIT} config -z --name-only --get-regexp '^filter[.]'; printf '\\0'; top=$(git rev-parse --show-toplevel) && [ -f "$top/.gitmodules" ] && ${GIT} config -z -f "$top/.gitmodules" --get-regexp '^submodule[.].*[.]path$'; true`;
/**
 * Prints the top of the repository, the commit, and the changed files, except the files that ralph-loop and Trellis write.
 * Git would run itself in changed submodules, where other settings apply.
 */
const STATUS_COMMAND = `${GIT} rev-parse --show-toplevel; ${GIT} rev-parse --verify --quiet HEAD; printf '\\0'; ${GIT} --no-optional-locks status --porcelain=v1 -z --no-renames --untracked-files=all --ignore-submodules=dirty -- ${WITHOUT_OWN_FILES.map((pathspec) => `'${pathspec}'`).join(' ')}`;

/**
 * A hash of the working tree below a directory: two fingerprints are equal when no file has changed that git tracks or does
 * not ignore. No program runs that the repository names: neither a file system monitor nor a filter.
 *
 * @param root absolute directory of the project
 * @returns undefined when there is no git or no repository, or the time is up
 */
export function fingerprintTree(root: string, options: FingerprintOptions): Promise<string | undefined> {
  return fingerprintWithin(root, options, { endAt: uptimeMs() + options.timeoutMs, depth: 0 });
}

/** @param limits `endAt` on the clock of `uptimeMs()`; the number of repositories around this one */
async function fingerprintWithin(
  root: string,
  options: FingerprintOptions,
  { endAt, depth }: { readonly endAt: number; readonly depth: number },
): Promise<string | undefined> {
  const base = gitEnvironment(options.env);
  const config = await run(root, CONFIG_COMMAND, base, options, endAt);
  if (config === undefined) return undefined;
  const { filters, submodules } = readConfig(config);
  const status = await run(root, STATUS_COMMAND, { ...base, ...withoutFilters(filters) }, options, endAt);
  if (status === undefined) return undefined;
  const [head = '', ...entries] = status.split('\0');
  const hash = createHash('sha1').update(head);
  // Paths in this format are relative to the top.
  const top = head.split('\n')[0] ?? root;
  const reader = new BoundedReader();
  for (const entry of entries.filter(Boolean)) {
    if (uptimeMs() > endAt) return undefined;
    // The status before the path is left out: staging a change does not change the tree.
    const path = entry.slice('XY '.length);
    if (join(top, path) === options.except) continue;
    hash.update(`\0${path}\0`).update(reader.contentOf(join(top, path)));
  }
  const real = realPathOf(root);
  for (const path of depth < MAX_DEPTH ? submodules : []) {
    const directory = realPathOf(join(top, path));
    if (directory === real || !isInside(real, directory) || !existsSync(join(directory, '.git'))) continue;
    const inner = await fingerprintWithin(directory, options, { endAt, depth: depth + 1 });
    if (inner === undefined && uptimeMs() > endAt) return undefined;
    hash.update(`\0${path}\0${inner ?? 'none'}`);
  }
  return hash.digest('hex');
}

/** @returns what a command prints to stdout; undefined when it fails, prints too much or has no time left */
async function run(
  cwd: string,
  command: string,
  env: NodeJS.ProcessEnv,
  { runCommand, signal }: FingerprintOptions,
  endAt: number,
): Promise<string | undefined> {
  const timeoutMs = endAt - uptimeMs();
  if (timeoutMs <= 0) return undefined;
  const { end, output } = await runCommand(
    { command, cwd, env, secrets: [], timeoutMs, graceMs: 0 },
    { signal },
  );
  if (end.how !== 'exited' || end.exitCode !== 0 || output.omittedBytes > 0) return undefined;
  return output.head.flatMap(({ stream, text }) => (stream === 'stdout' ? [text] : [])).join('');
}

function readConfig(output: string): { readonly filters: string[]; readonly submodules: string[] } {
  const records = output.split('\0');
  const blank = records.indexOf('');
  return {
    filters: records.slice(0, blank),
    // Name and value are on two lines.
    submodules: records.slice(blank + 1).flatMap((record) => /\n(.+)$/s.exec(record)?.[1] ?? []),
  };
}

/** Reads files until the limits are reached, the same ones each time. */
class BoundedReader {
  #files = 0;
  #bytes = 0;

  contentOf(path: string): Buffer | string {
    try {
      const stats = statSync(path);
      const isReadable = stats.isFile() && stats.size <= MAX_FILE_BYTES && this.#files < MAX_FILES;
      if (!isReadable || this.#bytes + stats.size > MAX_BYTES) return `${stats.size} ${stats.mtimeMs}`;
      this.#files += 1;
      this.#bytes += stats.size;
      return readFileSync(path);
    } catch {
      return 'none';
    }
  }
}
