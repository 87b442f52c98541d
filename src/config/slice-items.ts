import { hasContent, type Section } from './slice-sections.ts';

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
