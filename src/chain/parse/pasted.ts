// What a prompt contains besides what its author typed: quoted, copied and generated text. The rules are stricter than
// those of Markdown, because a command in pasted text must not run, and a gate that is not recognized does no harm: the
// person reads about it.

/** A line of a prompt. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Index of the line in the prompt. */
  readonly offset: number;
  readonly text: string;
}

/** Terminals paste a lone carriage return as a line end too. */
const LINE = /([^\r\n]*)(?:\r\n?|\n|$)/g;

export function* linesOf(prompt: string): Generator<Line> {
  let number = 0;
  for (const { 1: text = '', index: offset } of prompt.matchAll(LINE)) {
    number++;
    yield { number, offset, text };
  }
}

/** What the beginning of a line says about the whole line. */
export type LineKind =
  | { readonly what: 'pasted' }
  /** `start`: index in the line where typed text begins. */
  | { readonly what: 'typed'; readonly start: number }
  /** Perhaps pasted. */
  | { readonly what: 'doubtful' }
  /** A fence opens, after this index in the line. */
  | { readonly what: 'fence'; readonly fence: string }
  /** A region begins, which ends after the given text. */
  | { readonly what: 'region'; readonly close: string }
  /** The line below the header of a table. */
  | { readonly what: 'table' };

const PASTED: LineKind = { what: 'pasted' };
const TYPED: LineKind = { what: 'typed', start: 0 };

const BULLETS = String.raw`(?:(?:[-*+•]|\d{1,9}[.)])\s+)*`;
/** As in CommonMark, also in a list; and the quotes around a text of several lines, as in Python. */
const OPENING = new RegExp(
  String.raw`^\s*${BULLETS}(?:(\`{3,})[^\`]*|(~{3,}).*|("{3})[^"]*|('{3})[^']*)$`,
  's',
);
/** More than in CommonMark: text after a closing fence and a blank is typed. */
const CLOSING = /^\s*(`{3,}|~{3,})(?=\s|$)/;
/** A line of a quotation, a table, an excerpt with line numbers, or a comment. */
const PREFIXED = new RegExp(
  String.raw`^\s*${BULLETS}(?:[>|│┃║]|<\s|//|\*/|--\s|\d+\s*[|│→]|(?:#+|;+|%+)\s*::)`,
);
/** The call of a template; where no step begins, it is a quotation of a quotation. */
const CALL = /^\s*>>[^\s>:]/;
/** A line of a diff; a list has one blank after its sign, an arrow is `-->`, and `--watch` may be typed. */
const CHANGED = /^(?:\+|!\s|-(?:\s\s|\t|[^\s-])|diff --git |Index: |--- \S|\+\+\+ \S)/;
const HUNK = /^@@+ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
/** Four columns; web pages copy them as no-break spaces. */
const INDENTED = /^(?:[ \u00A0]{0,3}\t|[ \u00A0]{4})/;
const LIST_ITEM = /^\s*(?:[-*+•]|\d{1,9}[.)])\s/;
const COMMENT = /^\s*\/\*(?=[\s*]|$)/;
/** The line below the header of a table whose rows need no `|` at their ends. */
const TABLE = /^\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+$/;

/** Reads the lines of a prompt one after another, and says which of them are typed. */
export class LineReader {
  #fence = '';
  /** Lines of a diff that are left, before and after the change. */
  #hunk = { before: 0, after: 0 };
  #previous: 'blank' | 'code' | 'text' = 'blank';
  #isInList = false;
  #isInTable = false;

  /** Whether the lines after this one are inside a fence. */
  openFence(fence: string): void {
    this.#fence = fence;
  }

  get isInFence(): boolean {
    return this.#fence !== '';
  }

  /** @param isStep whether a step of the prompt begins in this line */
  read(text: string, isStep: boolean): LineKind {
    if (this.#fence !== '') return this.#closingFence(text);
    if (this.#isInHunk(text)) return PASTED;
    const [, ...fences] = OPENING.exec(text) ?? [];
    const fence = fences.find((each) => each !== undefined);
    if (fence !== undefined) {
      this.#fence = fence;
      this.#previous = 'text';
      return { what: 'fence', fence };
    }
    const kind = this.#kindOf(text, isStep);
    if (!/\S/.test(text)) {
      this.#previous = 'blank';
      this.#isInTable = false;
    } else {
      const isIndented = INDENTED.test(text);
      this.#previous = isIndented && kind.what === 'pasted' ? 'code' : 'text';
      if (!isIndented) this.#isInList = LIST_ITEM.test(text);
    }
    return kind;
  }

  #closingFence(text: string): LineKind {
    // A text in quotes ends at the next ones, a code block at a line that begins with a fence as long as the first.
    const isQuotes = /^["']/.test(this.#fence);
    const [closing = '', ticks = ''] = CLOSING.exec(text) ?? [];
    const at = isQuotes ? text.indexOf(this.#fence) : -1;
    if (isQuotes ? at === -1 : !ticks.startsWith(this.#fence)) return PASTED;
    const start = isQuotes ? at + this.#fence.length : closing.length;
    this.#fence = '';
    return { what: 'typed', start };
  }

  #isInHunk(text: string): boolean {
    const [hunk, before = '1', after = '1'] = HUNK.exec(text) ?? [];
    if (hunk !== undefined) {
      this.#hunk = { before: Number(before), after: Number(after) };
      return true;
    }
    const left = this.#hunk;
    if (left.before <= 0 && left.after <= 0) return false;
    if (!text.startsWith('+')) left.before--;
    if (!text.startsWith('-')) left.after--;
    return true;
  }

  #kindOf(text: string, isStep: boolean): LineKind {
    if (TABLE.test(text)) {
      this.#isInTable = true;
      return { what: 'table' };
    }
    if (this.#isInTable && text.includes('|')) return PASTED;
    if (COMMENT.test(text)) return { what: 'region', close: '*/' };
    if (isStep && CALL.test(text)) return TYPED;
    if (PREFIXED.test(text) || CHANGED.test(text)) return PASTED;
    if (!INDENTED.test(text) || (this.#isInList && LIST_ITEM.test(text))) return TYPED;
    if (this.#previous !== 'text') return PASTED;
    return this.#isInList ? TYPED : { what: 'doubtful' };
  }
}

/** An opening tag, and the element that it begins. */
export interface Tag {
  /** Index after the tag itself. */
  readonly end: number;
  /** Index after the closing tag; undefined if the tag is a part of the text. */
  readonly elementEnd: number | undefined;
  /** Index after the last closing tag of this name: an element may contain one that closes it early. */
  readonly lastEnd: number;
  readonly name: string;
}

/** `<document>`, `</div>`, `<img src="x"/>`, `[quote=me]` */
const TAG =
  /<(\/?)([\p{L}_][\p{L}\p{N}_:.-]*)(?:\s[^<>]*|\/)?>|\[(\/?)([A-Za-z]\w*)(?:[=\s][^[\]\r\n]*)?\]/gu;
const LINE_BEFORE = /(?:^|[\r\n])[^\S\r\n]*$/;
const LINE_BEHIND = /[^\S\r\n]*(?:[\r\n]|$)/y;

/** The opening tags of a prompt, by their index. */
export function findTags(prompt: string): ReadonlyMap<number, Tag> {
  const tags = new Map<number, Tag>();
  const open = new Map<string, number[]>();
  const lastEnds = new Map<string, number>();
  for (const { 0: text, index, 1: slash, 2: name, 3: bracketSlash, 4: bracketName } of prompt.matchAll(TAG)) {
    const key = name === undefined ? `[${bracketName?.toLowerCase()}` : name.toLowerCase();
    const end = index + text.length;
    if ((slash ?? bracketSlash) === '/') {
      lastEnds.set(key, end);
      const start = open.get(key)?.pop();
      const tag = start === undefined ? undefined : tags.get(start);
      if (start !== undefined && tag) tags.set(start, { ...tag, elementEnd: end });
      continue;
    }
    tags.set(index, { end, elementEnd: undefined, lastEnd: end, name: key });
    if (text.endsWith('/>')) continue;
    const starts = open.get(key);
    if (starts) starts.push(index);
    else open.set(key, [index]);
  }
  for (const [index, tag] of tags) {
    const { end, elementEnd, name } = tag;
    const lastEnd = Math.max(end, lastEnds.get(name) ?? 0);
    const isUnclosed = elementEnd === undefined && isAlone(prompt, index, end);
    tags.set(index, { ...tag, lastEnd, elementEnd: isUnclosed ? prompt.length : elementEnd });
  }
  return tags;
}

/** Whether nothing else is in the line of an opening tag that is never closed: what follows was cut off. */
function isAlone(prompt: string, index: number, end: number): boolean {
  if (prompt[index] === '[' || prompt[end - 2] === '/') return false;
  LINE_BEHIND.lastIndex = end;
  return LINE_BEHIND.test(prompt) && LINE_BEFORE.test(prompt.slice(Math.max(0, index - 200), index));
}

/** A run of backticks, or the end of a paragraph. */
const BACKTICKS = /`+|(?:\r\n?|\n)[^\S\r\n]*(?=[\r\n])/g;

export interface InlineCode {
  /** Index after the backticks that close it. */
  readonly end: number;
  /** The same for inline code with as many backticks in the same paragraph. */
  readonly kind: string;
}

/** The inline code of a prompt, by the index of its first backtick: up to the next run of as many in its paragraph. */
export function findInlineCode(prompt: string): ReadonlyMap<number, InlineCode> {
  const found = new Map<number, InlineCode>();
  const last = new Map<number, number>();
  let paragraph = 0;
  for (const { 0: run, index } of prompt.matchAll(BACKTICKS)) {
    if (run[0] !== '`') {
      last.clear();
      paragraph++;
    } else {
      const start = last.get(run.length);
      if (start !== undefined)
        found.set(start, { end: index + run.length, kind: `\`${run.length} ${paragraph}` });
      last.set(run.length, index);
    }
  }
  return found;
}
