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

const DASH = /^([ \t]*)-(?:([ \t]+)(.*))?$/;
/** Text that goes on below, indented: a block scalar, or a mapping. */
const OPENS_BLOCK = /(^|:\s+)[|>][-+\d]*\s*(#.*)?$|^[A-Za-z_][\w-]*\s*:(\s|$)/;

/**
 * Cuts a section's body at its list items. Every line that begins with a dash is an item, as it was for the Python
 * hook, however it is indented, except inside an item that a block or a mapping has opened.
 *
 * @returns the items, and the first line that is part of none
 */
export function sliceItems(section: Section): {
  items: Item[];
  stray: { line: number; column: number; text: string } | undefined;
} {
  const items: (Item & { source: string[] })[] = [];
  let stray: { line: number; column: number; text: string } | undefined;
  let dashColumn = 0;
  for (const [index, lineText] of section.body.entries()) {
    const line = section.line + 1 + index;
    const [, indent = '', gap = '', rest = ''] = DASH.exec(lineText) ?? [];
    const isDash = DASH.test(lineText);
    const current = items.at(-1);
    const insideItem = current && indent.length > dashColumn && OPENS_BLOCK.test(current.text);
    if (isDash && !insideItem) {
      dashColumn = indent.length;
      const column = indent.length + 1 + gap.length + 1;
      items.push({ line, column, text: rest.trim(), source: [' '.repeat(column - 1) + rest] });
    } else if (current) current.source.push(lineText);
    else if (hasContent(lineText))
      stray ??= { line, column: lineText.search(/\S/) + 1, text: lineText.trim() };
  }
  return { items: items.map(withoutTrailingBlanks), stray };
}

/** Comments between two items belong to neither. */
function withoutTrailingBlanks(item: Item & { source: string[] }): Item {
  let length = item.source.length;
  if (!OPENS_BLOCK.test(item.text)) while (length > 1 && !hasContent(item.source[length - 1] ?? '')) length--;
  return { ...item, source: item.source.slice(0, length) };
}

/** Text that YAML cannot take for anything but a plain scalar: no indicator in front, no `: `, no ` #`. */
const PLAIN_COMMAND = /^[^\s[\]{}"'|>&*!%@`#,?:-](?!.*(?::(?:\s|$)|\s#))/;

/** Whether the item needs no YAML to be understood, as most commands do. */
export function isPlainCommand(item: Item): boolean {
  return item.source.length === 1 && PLAIN_COMMAND.test(item.text);
}
