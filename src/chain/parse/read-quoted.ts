import { showTyped } from './show-typed.ts';
import type { Flaw } from './typed-gate.ts';

/** The plain quotes, and those that phones and word processors put in their place. */
const QUOTE = /["'“”„‘’‚«»＂]/;
const ESCAPE = /\\(["'\\])/g;
/** What may follow a closing quote: a blank, or the punctuation of a sentence, which Chinese puts no blank behind. */
const BEHIND = /[.,;!?)\]}]*(?:\s|$)|[。，；！？）]/y;

export interface Quoted {
  /** What stands between the quotes, unescaped; up to the end of the line, where nothing closes them. */
  readonly text: string;
  /** The index behind the closing quote. */
  readonly end: number;
  readonly flaws: readonly Flaw[];
}

/** Whether a character opens a quoted text, were it only by mistake. */
export function isQuote(character: string | undefined): boolean {
  return character !== undefined && QUOTE.test(character);
}

/**
 * Reads a text in quotes. It ends in its own line: a quote that somebody forgot would otherwise be closed by the next
 * one of the prompt, and all that stands between would be run as a command. A backslash is a backslash, as commands
 * are full of them, except before a quote or another backslash.
 *
 * @param at the index of the opening quote
 */
export function readQuoted(line: string, at: number): Quoted {
  const quote = line[at] ?? '';
  if (quote !== '"' && quote !== "'") return readTypographic(line, at);
  const close = indexOfMatch(line, at + 1, /\\["'\\]|["']/g, quote);
  const text = line.slice(at + 1, close).replace(ESCAPE, '$1');
  if (close === undefined) {
    const message = `found a quote that nothing closes, expected another ${quote} in the same line`;
    return { text, end: line.length, flaws: [{ at, message }] };
  }
  const end = close + 1;
  return { text, end, flaws: [...gluedFlaws(line, end, quote), ...nulFlaws(line, at, end)] };
}

/**
 * Typographic quotes are refused rather than understood, since what bends quotes also turns `--` into a dash: a
 * command that was typed so would not be the one that was meant.
 */
function readTypographic(line: string, at: number): Quoted {
  const close = indexOfMatch(line, at + 1, /[“”‘’«»＂]/g);
  const message = `found the typographic quote ${line[at]}, expected a plain one, " or '`;
  const end = close === undefined ? line.length : close + 1;
  return { text: line.slice(at + 1, close), end, flaws: [{ at, message }] };
}

/** The index of the first match from an index on; of one that is a certain text, where one is given. */
function indexOfMatch(line: string, from: number, signs: RegExp, wanted?: string): number | undefined {
  signs.lastIndex = from;
  for (let sign = signs.exec(line); sign; sign = signs.exec(line))
    if (wanted === undefined || sign[0] === wanted) return sign.index;
  return undefined;
}

/** Mostly a quote inside that was not escaped: a command that ended there would be half of what was meant. */
function gluedFlaws(line: string, end: number, quote: string): Flaw[] {
  BEHIND.lastIndex = end;
  if (BEHIND.test(line)) return [];
  const found = showTyped(String.fromCodePoint(line.codePointAt(end) ?? 0));
  const expected = `expected a blank, or \\${quote} for a quote inside`;
  return [{ at: end, message: `found ${found} directly behind the closing quote, ${expected}` }];
}

function nulFlaws(line: string, from: number, end: number): Flaw[] {
  const index = line.slice(from, end).indexOf('\0');
  return index === -1 ? [] : [{ at: from + index, message: 'found a NUL character, expected text' }];
}
