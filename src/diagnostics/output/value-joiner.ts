import type { OutputStream } from '../../process/output.ts';
import { RawLine } from '../lines/raw-line.ts';
import { indentOf } from '../lines/structure.ts';

/** A value that is longer stays as it was printed. */
const MAX_CHARACTERS = 120;
/** So is a message. */
const MAX_MESSAGE = 400;
/** Checkers break messages at the width of a terminal; a shorter line was not broken. */
const MIN_BROKEN = 40;
const MAX_BROKEN = 100;

const TAB = 9;
const SPACE = 32;
const COLON = 58;
const LESS_THAN = 60;
const OPEN_BRACKET = 91;
const CLOSING_BRACKET = 93;
const LETTER_E = 101;
const LETTER_W = 119;
const MAX_PLACE = 60;

const TAG = /^\s*<[A-Za-z][\w.:-]*(>?)$/;
const ATTRIBUTE = /^\s*[\w:@.-]+(?:=(?:"[^"]*"|\{[^{}]*\}))?$/;
const ITEM =
  /^\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\d[\d.]*(?:e[+-]?\d+)?|true|false|null|undefined),?$/;
const END_OF_LIST = /^\s*\][,;)]*$/;
/** What a checker found at a place. */
const MESSAGE = /^[^\s:]\S*:\d+(?::\d+)?: (?:error|warning): \S/;
const PLACE = /^\S+:\d+:/;
/** The rule that is behind a message. */
const RULE = /\[[a-z][a-z-]*\]$/;

/** What was read: the attributes of an element, its text, the items of a list, or a message. */
type Part = 'attributes' | 'text' | 'items' | 'message';

interface Held {
  readonly stream: OutputStream;
  readonly indent: number;
  part: Part;
  /** What was read, as one line. */
  joined: string;
  /** The lines that are no part of what is certain. */
  lines: RawLine[];
  /** An opening tag without the text that follows. */
  tag?: string;
}

/**
 * Joins what a printer has broken into lines: an element of markup with its attributes and its text, and a list of strings
 * and numbers, if they fit in one; and the message of a type checker up to the name of its rule. Of a dump of a page or of
 * issues, an excerpt then shows several times as much.
 */
export class ValueJoiner {
  readonly #onLine: (stream: OutputStream, line: RawLine) => void;
  #held: Held | undefined;

  constructor(onLine: (stream: OutputStream, line: RawLine) => void) {
    this.#onLine = onLine;
  }

  take(stream: OutputStream, line: RawLine): void {
    if (this.#held) {
      if (this.#held.stream === stream && this.#goesOn(this.#held, line)) return;
      this.end();
    }
    if (mayBegin(line)) this.#held = beginning(stream, line);
    if (!this.#held) this.#onLine(stream, line);
  }

  /** Gives what is held as it was printed. */
  end(): void {
    const held = this.#held;
    this.#held = undefined;
    if (!held) return;
    if (held.tag !== undefined) this.#onLine(held.stream, RawLine.of(held.tag));
    for (const line of held.lines) this.#onLine(held.stream, line);
  }

  /** @returns whether the line is a part of what is held */
  #goesOn(held: Held, line: RawLine): boolean {
    const { text } = line;
    const indent = indentOf(text);
    const max = held.part === 'message' ? MAX_MESSAGE : MAX_CHARACTERS;
    if (indent < held.indent || held.joined.length + text.length - indent > max) return false;
    const isEnd = indent === held.indent;
    const said = text.trim();
    held.lines.push(line);
    switch (held.part) {
      case 'items':
        if (isEnd ? !END_OF_LIST.test(text) : !ITEM.test(text)) break;
        held.joined += isEnd || held.joined.endsWith('[') ? said : ` ${said}`;
        return !isEnd || this.#give(held);
      case 'attributes':
        if (!isEnd && ATTRIBUTE.test(text)) held.joined += ` ${said}`;
        else if (isEnd && said === '>') {
          held.joined += said;
          held.part = 'text';
          held.tag = held.joined;
          held.lines = [];
        } else if (isEnd && said === '/>') {
          held.joined += ` ${said}`;
          return this.#give(held);
        } else break;
        return true;
      case 'text':
        if (isEnd ? !said.startsWith('</') : said.startsWith('<')) break;
        held.joined += isEnd || held.joined === held.tag ? said : ` ${said}`;
        return !isEnd || this.#give(held);
      case 'message':
        if (!isEnd || said === '' || PLACE.test(text)) break;
        held.joined += ` ${said}`;
        return !RULE.test(text) || this.#give(held);
    }
    held.lines.pop();
    return false;
  }

  #give({ stream, joined }: Held): true {
    this.#held = undefined;
    this.#onLine(stream, RawLine.of(joined));
    return true;
  }
}

/** Whether a line may begin what is joined, by its bytes: most lines do not. */
function mayBegin(line: RawLine): boolean {
  const { bytes, start, end } = line;
  if (bytes[end - 1] === OPEN_BRACKET && end > start) return true;
  let first = start;
  while (first < end && (bytes[first] === SPACE || bytes[first] === TAB)) first++;
  if (first < end && bytes[first] === LESS_THAN) return true;
  const length = end - start;
  const mayBeBroken = first === start && length >= MIN_BROKEN && length <= MAX_BROKEN;
  return mayBeBroken && bytes[end - 1] !== CLOSING_BRACKET && mayBeMessage(line);
}

/** Whether a line has a place, and behind it what may be `error` or `warning`. */
function mayBeMessage({ bytes, start, end }: RawLine): boolean {
  const last = Math.min(start + MAX_PLACE, end);
  let space = start;
  while (space < last && bytes[space] !== SPACE) space++;
  const letter = bytes[space + 1];
  const isBehindPlace = bytes[space - 1] === COLON && isDigit(bytes[space - 2]);
  return isBehindPlace && (letter === LETTER_E || letter === LETTER_W);
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 48 && byte <= 57;
}

function beginning(stream: OutputStream, line: RawLine): Held | undefined {
  const { text } = line;
  if (text.length > MAX_CHARACTERS) return undefined;
  const held = { stream, indent: indentOf(text), joined: text };
  if (MESSAGE.test(text)) return { ...held, part: 'message', lines: [line] };
  if (text.endsWith('[')) return { ...held, part: 'items', lines: [line] };
  const [tag, end] = TAG.exec(text) ?? [];
  if (tag === undefined) return undefined;
  return end === '>'
    ? { ...held, part: 'text', tag, lines: [] }
    : { ...held, part: 'attributes', lines: [line] };
}
