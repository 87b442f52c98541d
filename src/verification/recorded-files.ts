import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { isInside, readRegularFile, realPathOf } from '../base/files.ts';

// The files that say what the commands of gates do. Their texts are recorded as they are: nothing is parsed at a prompt.

/** Beside a gate: where runners look for scripts, targets and settings. The first Makefile and justfile are used. */
const RUNNER_FILES = [
  'package.json',
  'composer.json',
  '.npmrc',
  '.yarnrc.yml',
  'bunfig.toml',
  'GNUmakefile',
  'makefile',
  'Makefile',
  'justfile',
  'Justfile',
  '.justfile',
  'Taskfile.yml',
  'Taskfile.yaml',
];

/** Bounds, whatever a config contains. A larger file is recorded as one that is not there. */
const MAX_DIRECTORIES = 24;
const MAX_SCRIPTS = 48;
const MAX_CHARACTERS = 256 * 1024;

/** `cwd: web`, `cd web`, `npm --prefix web`, `make -C web`. */
const DIRECTORY = /(?:\bcwd["']?\s*:\s*|\bcd\s+|--(?:prefix|cwd|dir|directory)[ =]|-C\s*)["']?([\w@./-]+)/g;
/** `ci/test.sh`, `./check`, and what a Makefile or a justfile includes. */
const SCRIPT =
  /(?<=^|[\s"'=(;&|])(?:((?:\.\/)?[\w@.-]+(?:\/[\w@.-]+)*\.(?:sh|bash|zsh|mk))|(\.\/[\w@-]+(?:\/[\w@-]+)*)|[-s]?include\s+([\w@./-]+)|import\s+["']([\w@./-]+)["'])(?=$|[\s"');&|\\])/gm;

/** Texts by path, relative to the project or beginning with `~/`; null for a file that is not there. */
export type RecordedFiles = Readonly<Record<string, string | null>>;

/**
 * Reads the files that the commands in these texts depend on, and those that they depend on in turn.
 *
 * @param root absolute directory of the project
 * @param configs the texts of the config files
 */
export function readScriptFiles(root: string, configs: readonly string[]): RecordedFiles {
  const files: Record<string, string | null> = {};
  const directories = new Set([root]);
  const scripts = new Set<string>();
  const search = (text: string, from: string) => {
    for (const [, path = ''] of text.matchAll(DIRECTORY))
      for (const directory of [resolve(root, path), resolve(from, path)])
        if (directories.size < MAX_DIRECTORIES && isInside(root, realPathOf(directory)))
          directories.add(directory);
    for (const [, ...paths] of text.matchAll(SCRIPT))
      for (const path of paths.filter((each) => each !== undefined))
        for (const base of new Set([root, from]))
          if (scripts.size < MAX_SCRIPTS && isInside(root, resolve(base, path)))
            scripts.add(resolve(base, path));
  };
  for (const config of configs) search(config, root);
  // Both sets grow while they are read.
  for (const directory of directories)
    for (const name of RUNNER_FILES) {
      const path = relative(root, join(directory, name));
      const text = readRecorded(root, path);
      files[path] = text;
      if (text !== null) search(text, directory);
    }
  for (const script of scripts) files[relative(root, script)] ??= readRecorded(root, relative(root, script));
  return files;
}

/** Settings of npm by which a script does something else. Tokens are in the same file: only these lines are recorded. */
const NPM_SETTING = /^\s*(?:script-shell|node-options|ignore-scripts|shell-emulator)\s*=.*$/gm;

/**
 * Reads a file as a record has it.
 *
 * @param path relative to the project, or beginning with `~/`
 */
export function readRecorded(root: string, path: string): string | null {
  const absolute = path.startsWith('~/') ? join(process.env.HOME ?? '/', path.slice(2)) : join(root, path);
  // Most of them are not there, and an exception takes longer than all else.
  if (!existsSync(absolute)) return null;
  try {
    const text = readRegularFile(absolute);
    if (text === undefined || text.length > MAX_CHARACTERS) return null;
    return /(?:^|\/)\.npmrc$/.test(path) ? (text.match(NPM_SETTING) ?? []).join('\n') : text;
  } catch {
    return null;
  }
}
