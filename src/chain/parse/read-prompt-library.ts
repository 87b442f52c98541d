import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readFileIfExists } from '../../base/files.ts';
import type { PromptLibrary } from './parse-prompt.ts';

/** Where templates are looked for, in this order. */
const TEMPLATES = ['.claude/commands', '.trellis/prompts'] as const;
/** No way out of the directory can be written with it. */
const NAME = /^\w[\w.-]*$/;
/** A prompt is pages, not books; and what is named by mistake shall not fill the memory. */
const MAX_BYTES = 256 * 1024;
/** What Claude Code reads of a command before its text: settings between two lines of dashes. */
const FRONT_MATTER = /^---[^\S\n]*\n(?:.*?\n)??---[^\S\n]*(?:\n|$)/s;

/**
 * The templates and criteria of a project, each read when it is asked for: templates in `.claude/commands`, then in
 * `.trellis/prompts`, criteria in `.trellis/gates`, as `<name>.md`. What cannot be read, or is longer than 256 kB, is
 * not there.
 *
 * @param root absolute directory of the project
 */
export function readPromptLibrary(root: string): PromptLibrary {
  return {
    template: (name) => readNamed(root, TEMPLATES[0], name) ?? readNamed(root, TEMPLATES[1], name),
    criterion: (name) => readNamed(root, '.trellis/gates', name),
  };
}

/** The names of the templates that a project has, in the order of the alphabet. */
export function templateNames(root: string): string[] {
  const names = TEMPLATES.flatMap((directory) => filesIn(join(root, directory)));
  const { template } = readPromptLibrary(root);
  return [...new Set(names.map((name) => name.slice(0, -'.md'.length)))]
    .filter((name) => template(name) !== undefined)
    .toSorted();
}

function filesIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith('.md'));
  } catch {
    return [];
  }
}

function readNamed(root: string, directory: string, name: string): string | undefined {
  if (!NAME.test(name)) return undefined;
  const path = join(root, directory, `${name}.md`);
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats?.isFile() || stats.size > MAX_BYTES) return undefined;
    return readFileIfExists(path)
      ?.replace(/^\uFEFF/, '')
      .replace(FRONT_MATTER, '');
  } catch {
    return undefined;
  }
}
