import { jsonText } from '../../base/text.ts';

/** A problem in a line, at an index of it. */
export interface Flaw {
  readonly at: number;
  readonly message: string;
}

const MAX_SHOWN_CHARACTERS = 40;

/** Typed text for a message: in quotes, control characters escaped, at most about 40 characters. */
export function showTyped(text: string): string {
  const isLong = text.length > MAX_SHOWN_CHARACTERS;
  return jsonText(isLong ? `${text.slice(0, MAX_SHOWN_CHARACTERS - 1)}…` : text);
}

/** Plain quotes, and those that phones and word processors replace them with. */
const QUOTE = /["'“”„‘’‚«»＂]/;
const ESCAPE = /\\(["'\\])/g;
/** What may follow a closing quote: a blank or punctuation; Chinese punctuation has no blank after it. */
const BEHIND = /[.,;!?)\]}]*(?:\s|$)|[。，；！？）]/y;

interface Quoted {
  /** The text between the quotes, unescaped; up to the end of the line if the quote is not closed. */
  readonly text: string;
  /** Index after the closing quote. */
  readonly end: number;
  readonly flaws: readonly Flaw[];
}

/** Whether a character opens a quoted text, typographic quotes included. */
export function isQuote(character: string | undefined): boolean {
  return character !== undefined && QUOTE.test(character);
}

/**
 * Reads a text in quotes. It must end in its own line: otherwise a missing quote would be closed by the next one of the
 * prompt, and everything in between would run as a command. A backslash escapes only a quote or another backslash,
 * because commands contain many of them.
 *
 * @param at index of the opening quote
 */
export function readQuoted(line: string, at: number): Quoted {
  const quote = line[at] ?? '';
  if (quote !== '"' && quote !== "'") return readTypographic(line, at);
  const close = indexOfMatch(line, at + 1, /\\["'\\]|["']/g, quote);
  const text = line.slice(at + 1, close).replace(ESCAPE, '$1');
  if (close === undefined) {
    const message = `found a quote that is not closed, expected another ${quote} in the same line`;
    return { text, end: line.length, flaws: [{ at, message }] };
  }
  const end = close + 1;
  return { text, end, flaws: [...gluedFlaws(line, end, quote), ...nulFlaws(line, at, end)] };
}

/**
 * Typographic quotes are an error: software that replaces quotes also replaces `--` with a dash, so the command would
 * not be the intended one.
 */
function readTypographic(line: string, at: number): Quoted {
  const close = indexOfMatch(line, at + 1, /[“”‘’«»＂]/g);
  const message = `found the typographic quote ${line[at]}, expected a plain one, " or '`;
  const end = close === undefined ? line.length : close + 1;
  return { text: line.slice(at + 1, close), end, flaws: [{ at, message }] };
}

/** Index of the first match from an index on; with `text`, of the first match that equals it. */
function indexOfMatch(line: string, from: number, pattern: RegExp, text?: string): number | undefined {
  pattern.lastIndex = from;
  for (let match = pattern.exec(line); match; match = pattern.exec(line))
    if (text === undefined || match[0] === text) return match.index;
  return undefined;
}

/** Text directly after a closing quote: mostly the quote is part of the command and is not escaped. */
function gluedFlaws(line: string, end: number, quote: string): Flaw[] {
  BEHIND.lastIndex = end;
  if (BEHIND.test(line)) return [];
  const found = showTyped(String.fromCodePoint(line.codePointAt(end) ?? 0));
  const expected = `expected a blank, or \\${quote} for a quote inside`;
  return [{ at: end, message: `found ${found} directly after the closing quote, ${expected}` }];
}

function nulFlaws(line: string, from: number, end: number): Flaw[] {
  const index = line.slice(from, end).indexOf('\0');
  return index === -1 ? [] : [{ at: from + index, message: 'found a NUL character, expected text' }];
}
