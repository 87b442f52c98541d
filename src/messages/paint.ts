import { styleText } from 'node:util';

export type Style = 'green' | 'red' | 'yellow' | 'dim' | 'bold';
/** Adds a colour to a text, or returns it unchanged. */
export type Paint = (style: Style, text: string) => string;

/** For pipes, files and NO_COLOR. */
export const plain: Paint = (_, text) => text;
/** The caller decides whether to use colours: Node 22 would look at stdout as well. */
export const coloured: Paint = (style, text) => styleText(style, text, { validateStream: false });
