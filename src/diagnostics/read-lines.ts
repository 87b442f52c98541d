import { StringDecoder } from 'node:string_decoder';
import type { OutputStream } from '../process/output.ts';
import { classify } from './classify.ts';
import { cleanLine, cropLine, cropPair, hasControls, isLongValue, MAX_VALUE } from './line-text.ts';

/** An unfinished line is cropped when it has so many characters: it is never kept whole. */
const MAX_PENDING = 64 * 1024;

/** Decoded at once: a line that is kept for a while keeps alive the piece that it was cut from. */
const PIECE_BYTES = 16 * 1024;

/** Makes readable lines of what two streams bring in pieces. */
export class LineReader {
  readonly #onLine: (stream: OutputStream, text: string) => void;
  readonly #mayDrop: (text: string) => boolean;
  readonly #decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  readonly #pending = { stdout: '', stderr: '' };
  /** A long value, until the next line: that may be the one it is compared with. */
  #held: { readonly stream: OutputStream; readonly line: string } | undefined;

  /** @param mayDrop whether a state of a redrawn line may be dropped when the next one is drawn over it */
  constructor(onLine: (stream: OutputStream, text: string) => void, mayDrop: (text: string) => boolean) {
    this.#onLine = onLine;
    this.#mayDrop = mayDrop;
  }

  write(stream: OutputStream, bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES)
      this.#readText(stream, this.#decoders[stream].write(bytes.subarray(at, at + PIECE_BYTES)));
  }

  end(): void {
    for (const stream of ['stdout', 'stderr'] as const) {
      this.#readText(stream, this.#decoders[stream].end());
      if (this.#pending[stream] !== '') this.#readLine(stream, this.#pending[stream]);
      this.#pending[stream] = '';
    }
    this.#release();
  }

  #readText(stream: OutputStream, text: string): void {
    let start = 0;
    let end = text.indexOf('\n');
    if (end === -1) {
      this.#pending[stream] = this.#shortened(stream, this.#pending[stream] + text);
      return;
    }
    this.#readLine(stream, this.#pending[stream] + text.slice(0, end));
    // Searched once, instead of line by line.
    const isPlain = !hasControls(text);
    for (start = end + 1, end = text.indexOf('\n', start); end !== -1; end = text.indexOf('\n', start)) {
      const line = text.slice(start, end);
      const isShort = end - start <= MAX_VALUE && !this.#held;
      if (isPlain && isShort && !startsJson(line)) this.#onLine(stream, line.trimEnd());
      else this.#readLine(stream, line);
      start = end + 1;
    }
    this.#pending[stream] = text.slice(start);
  }

  /** Shortens an unfinished line. If it is a list in JSON, its first part is read. */
  #shortened(stream: OutputStream, pending: string): string {
    if (pending.length <= MAX_PENDING) return pending;
    const [part, rest] = splitJson(pending) ?? ['', pending];
    if (part !== '') this.#readLine(stream, part);
    return rest.length > MAX_PENDING ? cropLine(rest) : rest;
  }

  /** Of a line that was redrawn, the last state is read. */
  #readLine(stream: OutputStream, raw: string): void {
    let end = raw.length;
    while (raw[end - 1] === '\r') end--;
    const line = raw.slice(0, end);
    if ((this.#held || isLongValue(line)) && this.#pairs(stream, line)) return;
    if (isDenseJson(line)) {
      for (const part of expandJson(line)) this.#onLine(stream, cleanLine(part));
      return;
    }
    if (!line.includes('\r')) {
      this.#onLine(stream, cleanLine(line));
      return;
    }
    const states = line.split('\r').map(cleanLine);
    const last = states.pop() ?? '';
    for (const state of states) if (!this.#mayDrop(state)) this.#onLine(stream, state);
    this.#onLine(stream, last);
  }

  /** @returns whether the line is read, with the one before it, or is held */
  #pairs(stream: OutputStream, line: string): boolean {
    const held = this.#held;
    const isLong = isLongValue(line);
    if (held?.stream === stream && isLong) {
      this.#held = undefined;
      for (const cropped of cropPair(held.line, line)) this.#onLine(stream, cropped);
      return true;
    }
    this.#release();
    if (isLong) this.#held = { stream, line };
    return isLong;
  }

  #release(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held) this.#onLine(held.stream, cleanLine(held.line));
  }
}

/** A line of JSON that is longer than this is expanded: nobody could read it. */
const MAX_JSON_CHARACTERS = 800;
/** What separates two objects of a list. */
const SEAM = '},{';
/** A string, or the start or end of a container. Whatever follows a quote matches: no second attempt costs time. */
const TOKEN = /"((?:[^"\\]|\\.?)*)(?:"|$)(\s*:)?|[[\]{}]/g;
/** An escaped line break. */
const ESCAPED_BREAK = /(?:^|[^\\])(?:\\\\)*\\n/;
/** The name of an event, and an object about it. */
const EVENT = /^\["[\w:.-]{1,30}", ?\{"/;
/** Texts under these keys quote a source file or a manual. */
const QUOTING_KEY = /^(?:source|explanation|snippet)$/;
/** Deeper JSON is not indented further: its lines would be blank. */
const MAX_INDENT = 40;
const WORD = /\w/;

/** Whether a line is JSON that says more than one line can show: a long list, or texts with line breaks. */
export function isDenseJson(line: string): boolean {
  return startsJson(line) && (line.length > MAX_JSON_CHARACTERS || ESCAPED_BREAK.test(line));
}

/**
 * Splits unfinished JSON between two objects of a list.
 *
 * @returns the first part and the rest; undefined if it is not JSON, or has no such place
 */
export function splitJson(text: string): readonly [string, string] | undefined {
  const at = startsJson(text) ? text.lastIndexOf(SEAM) : -1;
  return at === -1 ? undefined : [text.slice(0, at + 1), text.slice(at + 2)];
}

/**
 * Expands JSON to lines: each object of a list has its own, indented by its depth, and a text with line breaks follows
 * as its author wrote it. Invalid JSON is expanded as far as possible.
 */
export function expandJson(json: string): string[] {
  const lines: string[] = [];
  const containers: string[] = [];
  const isEvent = EVENT.test(json);
  let key = '';
  let from = 0;
  let indent = '';
  /** @returns whether the line is kept: one that introduces a text is only if it says something itself */
  const endLine = (to: number, more = '') => {
    const line = json.slice(from, to).replace(/^[\s,\]}]+/, '');
    from = to;
    const isKept = WORD.test(line) && (more === '' || classify(cleanLine(line)) !== 'plain');
    if (isKept) lines.push(`${indent}${line}${more}`);
    indent = ' '.repeat(Math.min(containers.length, MAX_INDENT));
    return isKept;
  };
  for (const token of json.matchAll(TOKEN)) {
    const { 0: sign, 1: string, 2: colon, index } = token;
    const end = index + sign.length;
    if (string === undefined) {
      const isOfEvent = isEvent && containers.length === 1;
      if (sign === '{' && containers.at(-1) === '[' && !isOfEvent) endLine(index);
      if (sign === '{' || sign === '[') containers.push(sign);
      else containers.pop();
    } else if (colon !== undefined) key = string;
    else if (ESCAPED_BREAK.test(string)) {
      const isKept = endLine(index, '…');
      if (!QUOTING_KEY.test(key))
        for (const textLine of textLines(string, isKept ? `${indent}  ` : '')) lines.push(textLine);
      from = end;
    }
  }
  endLine(json.length);
  return lines;
}

function textLines(string: string, indent: string): string[] {
  return unescaped(string)
    .replace(/\n+$/, '')
    .split('\n')
    .map((line) => `${indent}${line}`);
}

function unescaped(string: string): string {
  try {
    return JSON.parse(`"${string}"`);
  } catch {
    return string;
  }
}

/** An object, a list of objects, or an event. */
function startsJson(text: string): boolean {
  return text.startsWith('{"') || text.startsWith('[{"') || (text.startsWith('["') && EVENT.test(text));
}
