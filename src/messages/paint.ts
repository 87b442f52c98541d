import { styleText } from 'node:util';

const STYLES = ['green', 'red', 'yellow', 'dim', 'bold'] as const;
export type Style = (typeof STYLES)[number];
/** Adds a colour to a text, or returns it unchanged. */
export type Paint = (style: Style, text: string) => string;

/** For pipes, files and NO_COLOR. */
export const plain: Paint = (_, text) => text;
/** The caller decides whether to use colours: Node 22 would look at stdout as well. */
export const coloured: Paint = (style, text) => styleText(style, text, { validateStream: false });

const COLOURS = new Set(STYLES.flatMap((style) => coloured(style, '|').split('|')));

/** Whether `coloured` adds this escape sequence. */
export function isColour(sequence: string): boolean {
  return COLOURS.has(sequence);
}
