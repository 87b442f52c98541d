import type { ConfigProblem } from './config-problem.ts';

/** A top-level key of a worktree.yaml with the lines that belong to it. */
export interface Section {
  readonly key: string;
  /** Line of the key, from 1. */
  readonly line: number;
  /** Width of the key's line, in characters. */
  readonly width: number;
  /** What stands behind the key's colon, comment and all. */
  readonly inline: string;
  /** The lines below the key, up to the next key. */
  readonly body: readonly string[];
}

/** A line at the margin that holds a key, whatever its characters: it ends the section before it. */
const TOP_LEVEL_KEY = /^(?![-#\s])([\s\S]*?)[ \t]*:(?=[ \t]|$)([\s\S]*)$/;

/**
 * Cuts the file at its top-level keys. Only our own sections are read further: what stands in Trellis's is not ours
 * to judge, and an error there must not hide the gates.
 */
export function sliceSections(text: string): { sections: Section[]; problems: ConfigProblem[] } {
  const sections: (Section & { body: string[] })[] = [];
  const problems: ConfigProblem[] = [];
  for (const [index, lineText] of splitLines(text).entries()) {
    const [, key, inline = ''] = TOP_LEVEL_KEY.exec(lineText) ?? [];
    if (key !== undefined)
      sections.push({ key: unquoted(key), line: index + 1, width: lineText.length, inline, body: [] });
    else if (sections.length > 0) sections.at(-1)?.body.push(lineText);
    else if (hasContent(lineText) && problems.length === 0)
      problems.push({
        line: index + 1,
        column: lineText.search(/\S/) + 1,
        message: `found "${lineText.trim()}" before any key, expected "verify:" at the margin, with a list of commands below it`,
      });
  }
  return { sections, problems };
}

/** The first section of that key. */
export function sectionOf(sections: readonly Section[], key: string): Section | undefined {
  return sections.find((section) => section.key === key);
}

/** The lines of a file, whichever line ends it has, without its byte order mark. */
export function splitLines(text: string): string[] {
  return text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
}

/** Whether a line holds more than blanks, a comment, or YAML's own document marks. */
export function hasContent(line: string): boolean {
  return !/^\s*(#.*)?$|^(---|\.\.\.|%YAML)/s.test(line);
}

function unquoted(key: string): string {
  return /^(["']).*\1$/.test(key) ? key.slice(1, -1) : key;
}
