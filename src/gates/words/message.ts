import { stripAnsi } from '../../base/text.ts';

/** A line of an agent's message, as a terminal would show it. */
export interface MessageLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** `fence`: in a fenced code block of Markdown, with its fences; `quotation`: begins with `>`. */
  readonly place: 'prose' | 'fence' | 'quotation';
}

const LINE_END = /\r\n?|\n/;
const CONTROLS = /[^\P{Cc}\t\r\n]/gu;
/**
 * As in CommonMark: three backticks or tildes; a backtick after backticks makes them inline code. Unlike CommonMark, at
 * any indentation and after any list marker, since agents indent their code blocks.
 */
const OPENING = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)*(?:(`{3,})[^`]*|(~{3,}).*)$/s;
const CLOSING = /^\s*(`{3,}|~{3,})\s*$/;
const QUOTATION = /^\s*>/;

/** Splits a message into lines. Escape sequences and control characters are removed; lines may end with LF, CRLF or CR. */
export function messageLines(message: string): MessageLine[] {
  let fence = '';
  return visibleText(message)
    .split(LINE_END)
    .map((text, index): MessageLine => {
      const before = fence;
      fence = fenceAfter(text, fence);
      const isFenced = before !== '' || fence !== '';
      return {
        number: index + 1,
        text,
        place: isFenced ? 'fence' : QUOTATION.test(text) ? 'quotation' : 'prose',
      };
    });
}

/** Returns the fence that closes the last code block of a text; empty when none is open. */
export function openFence(text: string): string {
  let fence = '';
  for (const line of visibleText(text).split(LINE_END)) fence = fenceAfter(line, fence);
  return fence;
}

/** Returns the fence that is open after a line; empty when none is. */
function fenceAfter(text: string, fence: string): string {
  if (fence === '') {
    const [, ticks, tildes] = OPENING.exec(text) ?? [];
    return ticks ?? tildes ?? '';
  }
  // A closing fence has the same character as the opening one, and is at least as long.
  return CLOSING.exec(text)?.[1]?.startsWith(fence) ? '' : fence;
}

/** Removes escape sequences and control characters. */
export function visibleText(text: string): string {
  return stripAnsi(text).replace(CONTROLS, '');
}

/** Text between quotation marks, or struck through. An apostrophe in a word is not a quotation mark. */
const QUOTED = /"[^"]*"|“[^“”]*”|«[^«»]*»|~~[^~]*~~|(?<!\w)'[^']{1,200}'(?!\w)/g;
const EMPHASIS = /\*+|__+/g;

/** Removes inline code, quotations and emphasis from a line, so that only the agent's own words are left. */
export function plainProse(line: string): string {
  return withoutCode(line).replace(/[‘’]/g, "'").replace(QUOTED, ' … ').replace(EMPHASIS, '');
}

/** Inline code ends at the next run of as many backticks. Without such a run, the backticks are plain text. */
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

/** For each run of backticks, the index of the next run of the same length. */
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
