import { stripAnsi } from '../../diagnostics/line-text.ts';

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

/** @param message read without regard to escape sequences, control characters, and how its lines end */
export function messageLines(message: string): MessageLine[] {
  let fence = '';
  return onScreen(message)
    .split(LINE_END)
    .map((text, index): MessageLine => {
      const before = fence;
      fence = fenceBehind(text, fence);
      const isFenced = before !== '' || fence !== '';
      return {
        number: index + 1,
        text,
        place: isFenced ? 'fence' : QUOTATION.test(text) ? 'quotation' : 'prose',
      };
    });
}

/** @returns what closes the fence that a text leaves open; empty where it leaves none open */
export function openFence(text: string): string {
  let fence = '';
  for (const line of onScreen(text).split(LINE_END)) fence = fenceBehind(line, fence);
  return fence;
}

/** The fence that is open behind a line. */
function fenceBehind(text: string, fence: string): string {
  if (fence === '') {
    const [, ticks, tildes] = OPENING.exec(text) ?? [];
    return ticks ?? tildes ?? '';
  }
  // What closes a fence is at least as long as what opened it, and of the same sign.
  return CLOSING.exec(text)?.[1]?.startsWith(fence) ? '' : fence;
}

/** A text without what a terminal would not show. */
export function onScreen(text: string): string {
  return stripAnsi(text).replace(CONTROLS, '');
}
