/** A line of a prompt that is not code. */
export interface ProseLine {
  /** From 1. */
  readonly number: number;
  /** The index in the prompt where the line begins. */
  readonly offset: number;
  readonly text: string;
  /** The index in the line where its prose begins: behind the fence, in a line that closes one. */
  readonly start: number;
}

/** What ends a line; terminals paste a lone carriage return too. */
const LINE = /([^\r\n]*)(?:\r\n?|\n|$)/g;
/** As in CommonMark: three backticks or tildes, and no backtick behind backticks, which are inline code then. */
const OPENING = /^\s*(?:(`{3,})[^`]*|(~{3,}).*)$/s;
/** More than in CommonMark: what is typed behind a blank there is prose again. */
const CLOSING = /^\s*(`{3,}|~{3,})(?=\s|$)/;
/** A line that quotes somebody else, as mails and Markdown do; `>>name` calls a template. */
const QUOTATION = /^\s*>+(?:\s|$)/;

/**
 * The lines of a prompt that somebody typed as prose: without Markdown's fences and what stands in them, and without
 * quoted lines.
 */
export function* proseLines(prompt: string): Generator<ProseLine> {
  let fence = '';
  let number = 0;
  for (const { 1: text = '', index: offset } of prompt.matchAll(LINE)) {
    number++;
    if (fence !== '') {
      const [closing = '', ticks = ''] = CLOSING.exec(text) ?? [];
      if (!ticks.startsWith(fence)) continue;
      fence = '';
      yield { number, offset, text, start: closing.length };
      continue;
    }
    const [, ticks, tildes] = OPENING.exec(text) ?? [];
    fence = ticks ?? tildes ?? '';
    if (fence === '' && !QUOTATION.test(text)) yield { number, offset, text, start: 0 };
  }
}
