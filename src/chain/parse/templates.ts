import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isInside, readFileIfExists, realPathOf } from '../../base/files.ts';

/** The templates and criteria of a project. */
export interface PromptLibrary {
  /** The text that `>>name` is replaced with; undefined if there is no such template. */
  template(name: string): string | undefined;
  /** The criterion that `:: name` refers to; undefined if there is none. */
  criterion(name: string): string | undefined;
}

/** The call of a template, at the beginning of a text: `>>name`. */
export const TEMPLATE_CALL = /^\s*>>(\w[\w.-]*)(?!\S)/;
/** Not `$ARGUMENTS[0]`, which Claude Code replaces with one word of them. */
const ARGUMENTS = /\$ARGUMENTS(?![\w[])/g;

/**
 * Replaces the call of a template with its text. The rest of the text replaces each `$ARGUMENTS`; without any, it becomes
 * a paragraph of its own. `$1` stays, because versions of Claude Code count from 1 and from 0.
 *
 * Gates in a template stay text: only typed gates may run commands.
 *
 * @returns the text itself if it calls no template, or one that does not exist
 */
export function renderTemplate(text: string, template: PromptLibrary['template']): string {
  const [call = '', name = ''] = TEMPLATE_CALL.exec(text) ?? [];
  const found = call === '' ? undefined : template(name);
  if (found === undefined) return text;
  const rest = text.slice(call.length).trim();
  if (found.search(ARGUMENTS) !== -1) return found.replace(ARGUMENTS, () => rest).trim();
  return `${found.trim()}\n\n${rest}`.trim();
}

/** Directories of templates, in order of precedence. */
const TEMPLATES = ['.claude/commands', '.trellis/prompts'] as const;
/** Cannot form a path out of the directory. */
const NAME = /^\w[\w.-]*$/;
/** Prompts are shorter; a file named by mistake must not fill the memory. */
const MAX_BYTES = 256 * 1024;
/** Settings of Claude Code before the text of a command, between two lines of dashes. */
const FRONT_MATTER = /^---[^\S\n]*\n(?:.*?\n)??---[^\S\n]*(?:\n|$)/s;

/**
 * The library of a project, read on demand: templates are `<name>.md` in `.claude/commands`, then in `.trellis/prompts`;
 * criteria are `<name>.md` in `.trellis/gates`. A file that cannot be read, exceeds 256 kB, or is a link to a place outside of
 * the project, does not exist.
 *
 * @param root absolute directory of the project
 */
export function readPromptLibrary(root: string): PromptLibrary {
  return {
    template: (name) => readNamed(root, TEMPLATES[0], name) ?? readNamed(root, TEMPLATES[1], name),
    criterion: (name) => readNamed(root, '.trellis/gates', name),
  };
}

/** The names of a project's templates, sorted. */
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
    const file = realPathOf(path);
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats?.isFile() || stats.size > MAX_BYTES || !isInside(realPathOf(root), file)) return undefined;
    return readFileIfExists(file)
      ?.replace(/^\uFEFF/, '')
      .replace(FRONT_MATTER, '');
  } catch {
    return undefined;
  }
}
