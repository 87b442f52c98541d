import type { OutputStream } from '../../process/output.ts';
import { RawLine } from '../lines/raw-line.ts';
import { indentOf } from '../lines/structure.ts';

/** A value that is longer stays as it was printed. */
const MAX_CHARACTERS = 120;

const TAB = 9;
const SPACE = 32;
const LESS_THAN = 60;
const OPEN_BRACKET = 91;

const TAG = /^\s*<[A-Za-z][\w.:-]*(>?)$/;
const ATTRIBUTE = /^\s*[\w:@.-]+(?:=(?:"[^"]*"|\{[^{}]*\}))?$/;
const ITEM =
  /^\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\d[\d.]*(?:e[+-]?\d+)?|true|false|null|undefined),?$/;
const END_OF_LIST = /^\s*\][,;)]*$/;

/** What was read of a value: the attributes of an element, its text, or the items of a list. */
type Part = 'attributes' | 'text' | 'items';

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
 * Joins what a printer of values has broken into lines, and fits in one: an element of markup with its attributes and its
 * text, and a list of strings and numbers. Of a dump of a page or of issues, an excerpt then shows several times as much.
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
    if (indent < held.indent || held.joined.length + text.length - indent > MAX_CHARACTERS) return false;
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

/** Whether a line may begin a value, by its bytes: most lines do not. */
function mayBegin({ bytes, start, end }: RawLine): boolean {
  if (bytes[end - 1] === OPEN_BRACKET && end > start) return true;
  let first = start;
  while (first < end && (bytes[first] === SPACE || bytes[first] === TAB)) first++;
  return first < end && bytes[first] === LESS_THAN;
}

function beginning(stream: OutputStream, line: RawLine): Held | undefined {
  const { text } = line;
  if (text.length > MAX_CHARACTERS) return undefined;
  const held = { stream, indent: indentOf(text), joined: text };
  if (text.endsWith('[')) return { ...held, part: 'items', lines: [line] };
  const [tag, end] = TAG.exec(text) ?? [];
  if (tag === undefined) return undefined;
  return end === '>'
    ? { ...held, part: 'text', tag, lines: [] }
    : { ...held, part: 'attributes', lines: [line] };
}
