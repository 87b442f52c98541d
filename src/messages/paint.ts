import { styleText } from 'node:util';

export type Style = 'green' | 'red' | 'yellow' | 'dim' | 'bold';
/** Gives a text its colour, or leaves it as it is. */
export type Paint = (style: Style, text: string) => string;

/** For pipes, files, and people who want no colour. */
export const plain: Paint = (_, text) => text;
/** Whether there shall be colour is for the caller to tell: Node 22 would ask stdout too. */
export const coloured: Paint = (style, text) => styleText(style, text, { validateStream: false });
