import type { ConfigProblem } from './validate.ts';

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

/** One list item below `verify:`, as it stands in the file. */
export interface Item {
  /** Line of the dash, from 1. */
  readonly line: number;
  /** Column of the item's text, from 1. */
  readonly column: number;
  /** The text behind the dash. */
  readonly text: string;
  /** The item's lines as YAML of their own: the dash is a blank, so that every column stays what it was. */
  readonly source: readonly string[];
}

/** A line that is part of no item. */
export interface StrayLine {
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

/** The start of a mapping whose first key is a plain word: a gate with more than its command. */
export const MAPPING_START = /^[A-Za-z_][\w-]*\s*:(\s|$)/;
const BLOCK_SCALAR_START = /(^|:\s+)[|>][-+\d]*\s*(#.*)?$/s;
const DASH = /^([ \t]*)-(?:([ \t]+)([\s\S]*))?$/;

/**
 * Cuts a section's body at its list items. Every line that begins with a dash is an item, as it was for the Python
 * hook, however it is indented, except inside an item that a block or a mapping has opened.
 */
export function sliceItems(section: Section): { items: Item[]; strays: StrayLine[] } {
  const items: (Item & { source: string[] })[] = [];
  const strays: StrayLine[] = [];
  let dashIndent = 0;
  for (const [index, lineText] of section.body.entries()) {
    const line = section.line + 1 + index;
    const indent = lineText.search(/\S|$/);
    const current = items.at(-1);
    const isDeeper = indent > dashIndent;
    const dash = DASH.exec(lineText);
    if (dash && !(current && isDeeper && opensBlock(current))) {
      const [, , gap = '', rest = ''] = dash;
      dashIndent = indent;
      const column = indent + 1 + gap.length + 1;
      items.push({ line, column, text: rest.trim(), source: [' '.repeat(column - 1) + rest] });
    } else if (current && (isDeeper || !hasContent(lineText))) current.source.push(lineText);
    else if (hasContent(lineText)) strays.push({ line, column: indent + 1, text: lineText.trim() });
  }
  return { items: items.map(withoutTrailingBlanks), strays };
}

/** Text that YAML cannot take for anything but a plain scalar: no indicator in front, no `: `. */
const PLAIN_COMMAND = /^[^\s[\]{}"'|>&*!%@`#,?:-](?![\s\S]*:(?:\s|$))/;

/** Whether the item needs no YAML to be understood, as most commands do. */
export function isPlainCommand(item: Item): boolean {
  return item.source.length === 1 && PLAIN_COMMAND.test(item.text);
}

function opensBlock({ text }: Item): boolean {
  return MAPPING_START.test(text) || BLOCK_SCALAR_START.test(text);
}

/** Comments between two items belong to neither. */
function withoutTrailingBlanks(item: Item & { source: string[] }): Item {
  let length = item.source.length;
  if (!opensBlock(item) && !/^["']/.test(item.text))
    while (length > 1 && !hasContent(item.source[length - 1] ?? '')) length--;
  return { ...item, source: item.source.slice(0, length) };
}
