import { withoutEscapes } from '../../diagnostics/without-escapes.ts';

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
  return visibleText(message)
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
  for (const line of visibleText(text).split(LINE_END)) fence = fenceBehind(line, fence);
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
export function visibleText(text: string): string {
  return withoutEscapes(text).replace(CONTROLS, '');
}

/** What is only quoted: between quotation marks, or struck out. An apostrophe in a word is no quotation mark. */
const QUOTED = /"[^"]*"|“[^“”]*”|«[^«»]*»|~~[^~]*~~|(?<!\w)'[^']{1,200}'(?!\w)/g;
const EMPHASIS = /\*+|__+/g;

/** A line of prose with its own words only: without inline code, quotations and emphasis. */
export function plainProse(line: string): string {
  return withoutCode(line).replace(/[‘’]/g, "'").replace(QUOTED, ' … ').replace(EMPHASIS, '');
}

/** Inline code ends at the next run of as many backticks; where there is none, the backticks stand for themselves. */
function withoutCode(line: string): string {
  const runs = Array.from(line.matchAll(/`+/g), ({ 0: { length }, index }) => ({ length, index }));
  const closings = closingsOf(runs.map(({ length }) => length));
  let prose = '';
  let from = 0;
  for (let at = 0; at < runs.length; at++) {
    const closing = closings[at];
    const [opened, closed] = [runs[at], closing === undefined ? undefined : runs[closing]];
    if (!opened || !closed || closing === undefined) continue;
    prose += `${line.slice(from, opened.index)} … `;
    from = closed.index + closed.length;
    at = closing;
  }
  return prose + line.slice(from);
}

/** For each run of backticks, the index of the next one that is as long. */
function closingsOf(lengths: readonly number[]): (number | undefined)[] {
  const next = new Map<number, number>();
  return lengths
    .map((_, back) => {
      const at = lengths.length - 1 - back;
      const length = lengths[at] ?? 0;
      const closing = next.get(length);
      next.set(length, at);
      return closing;
    })
    .toReversed();
}
