import { stripVTControlCharacters } from 'node:util';

/** A line of what an agent says, as it would stand on a screen. */
export interface MessageLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** `fence`: in Markdown's fenced code, its marks included; `quotation`: it quotes, by `>`. */
  readonly place: 'prose' | 'fence' | 'quotation';
}

const LINE_END = /\r\n?|\n/;
const CONTROLS = /[^\P{Cc}\t\r\n]/gu;
/**
 * As in CommonMark: three backticks or tildes, and no backtick behind backticks, which are inline code then. At any
 * indentation, and behind the mark of a list: whoever indents a fence means one.
 */
const OPENING = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)*(?:(`{3,})[^`]*|(~{3,}).*)$/s;
const CLOSING = /^\s*(`{3,}|~{3,})\s*$/;
const QUOTATION = /^\s*>/;

/** @param message without regard to escape sequences, control characters, and how its lines end */
export function messageLines(message: string): MessageLine[] {
  let fence = '';
  return onScreen(message)
    .split(LINE_END)
    .map((text, index): MessageLine => {
      const number = index + 1;
      if (fence !== '') {
        // What closes a fence is at least as long as what opened it, and of the same sign.
        if (CLOSING.exec(text)?.[1]?.startsWith(fence)) fence = '';
        return { number, text, place: 'fence' };
      }
      const [, ticks, tildes] = OPENING.exec(text) ?? [];
      fence = ticks ?? tildes ?? '';
      if (fence !== '') return { number, text, place: 'fence' };
      return { number, text, place: QUOTATION.test(text) ? 'quotation' : 'prose' };
    });
}

/** A text without what a terminal would not show. */
export function onScreen(text: string): string {
  return stripVTControlCharacters(text).replace(CONTROLS, '');
}
