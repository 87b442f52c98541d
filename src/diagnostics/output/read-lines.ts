import { StringDecoder } from 'node:string_decoder';
import type { OutputStream } from '../../process/output.ts';
import { classify } from '../lines/classify.ts';
import { cleanLine, cropLine, cropPair, isLongValue, MAX_VALUE } from '../lines/line-text.ts';
import { prefixOf } from '../lines/prefix.ts';
import { RawLine } from '../lines/raw-line.ts';
import { erasuresIn, RedrawnLines } from './redrawn-lines.ts';

/** An unfinished line is cropped when it has so many characters: it is never kept whole. */
const MAX_PENDING = 64 * 1024;

/** So much of a line is decoded at once, and shortened if it is too long. */
const PIECE_BYTES = 16 * 1024;

/** Moves to the start of the line, as a carriage return does. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence starts with one
const FIRST_COLUMN = /\x1b\[[01]?G/g;

const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const ESCAPE = 27;
const BLANK = 32;
const QUOTE = 34;
const ZERO = 48;
const SEMICOLON = 59;
const LIST = 91;
const BACKSLASH = 92;
const SETS_COLOUR = 109;
const OBJECT = 123;

/** Makes readable lines of what two streams bring in pieces. */
export class LineReader {
  #onLine: (stream: OutputStream, line: RawLine) => void;
  readonly #mayDrop: (line: RawLine) => boolean;
  /** From the first line on that erases others. */
  #redrawn: RedrawnLines | undefined;
  readonly #decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  /** The text of an unfinished line, and whether there is one: of a part of a character there is no text. */
  readonly #pending = { stdout: '', stderr: '' };
  readonly #isPending = { stdout: false, stderr: false };
  /** A long value, until the next line: that may be the one it is compared with. */
  #held: { readonly stream: OutputStream; readonly line: string } | undefined;

  /** @param mayDrop whether a state of a redrawn line may be dropped when the next one is drawn over it */
  constructor(onLine: (stream: OutputStream, line: RawLine) => void, mayDrop: (line: RawLine) => boolean) {
    this.#onLine = onLine;
    this.#mayDrop = mayDrop;
  }

  /** @param bytes are not changed later */
  write(stream: OutputStream, bytes: Buffer): void {
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      const line = this.#isPending[stream] || this.#held ? undefined : shortLine(bytes, start, end);
      if (line) this.#onLine(stream, line);
      else {
        this.#keep(stream, bytes.subarray(start, end));
        this.#finish(stream);
      }
      start = end + 1;
    }
    this.#keep(stream, bytes.subarray(start));
  }

  end(): void {
    for (const stream of ['stdout', 'stderr'] as const) if (this.#isPending[stream]) this.#finish(stream);
    this.#release();
    this.readHeld();
  }

  /** Reads the lines that were held back because they may be drawn over. */
  readHeld(): void {
    this.#redrawn?.end();
  }

  #keep(stream: OutputStream, bytes: Buffer): void {
    if (bytes.length > 0) this.#isPending[stream] = true;
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      this.#append(stream, this.#decoders[stream].write(bytes.subarray(at, at + PIECE_BYTES)));
    }
  }

  /** Where an endless line is cut depends on its text alone, not on the pieces in which it arrived. */
  #append(stream: OutputStream, text: string): void {
    let line = this.#pending[stream] + text;
    while (line.length > MAX_PENDING)
      line = this.#shortened(stream, line.slice(0, MAX_PENDING)) + line.slice(MAX_PENDING);
    this.#pending[stream] = line;
  }

  #finish(stream: OutputStream): void {
    const line = this.#pending[stream] + this.#decoders[stream].end();
    this.#pending[stream] = '';
    this.#isPending[stream] = false;
    this.#readLine(stream, line);
  }

  /** Shortens the start of an unfinished line. If it is a list in JSON, its first part is read. */
  #shortened(stream: OutputStream, start: string): string {
    const [part, rest] = splitJson(start) ?? [];
    if (part === undefined || rest === undefined) return cropLine(start);
    this.#readLine(stream, part);
    return rest;
  }

  /** Of a line that was redrawn, the last state is read. */
  #readLine(stream: OutputStream, raw: string): void {
    let end = raw.length;
    while (raw[end - 1] === '\r') end--;
    const { count, states: line } = erasuresIn(raw.slice(0, end).replaceAll(FIRST_COLUMN, '\r'));
    if (count > 0) this.#erase(stream, count);
    if ((this.#held || isLongValue(line)) && this.#pairs(stream, line)) return;
    const expanded = expandRecord(line);
    if (expanded) {
      for (const part of expanded) this.#give(stream, cleanLine(part));
      return;
    }
    if (!line.includes('\r')) {
      this.#give(stream, cleanLine(line));
      return;
    }
    const states = line.split('\r').map((state) => RawLine.of(cleanLine(state)));
    for (const [i, state] of states.entries())
      if (i === states.length - 1 || !this.#mayDrop(state)) this.#onLine(stream, state);
  }

  #erase(stream: OutputStream, count: number): void {
    if (!this.#redrawn) {
      const redrawn = new RedrawnLines(this.#onLine, this.#mayDrop);
      this.#onLine = (from, line) => redrawn.take(from, line);
      this.#redrawn = redrawn;
    }
    this.#redrawn.erase(stream, count);
  }

  #give(stream: OutputStream, text: string): void {
    this.#onLine(stream, RawLine.of(text));
  }

  /** @returns whether the line is read, with the one before it, or is held */
  #pairs(stream: OutputStream, line: string): boolean {
    const held = this.#held;
    const isLong = isLongValue(line);
    if (held?.stream === stream && isLong) {
      this.#held = undefined;
      for (const cropped of cropPair(held.line, line)) this.#give(stream, cropped);
      return true;
    }
    this.#release();
    if (isLong) this.#held = { stream, line };
    return isLong;
  }

  #release(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held) this.#give(held.stream, cleanLine(held.line));
  }
}

/**
 * A line that is read as it is; undefined for one that is so long that it may be cropped, for JSON that may be expanded, and
 * for one with control characters other than colours.
 */
function shortLine(bytes: Buffer, start: number, end: number): RawLine | undefined {
  if (end - start > MAX_VALUE || isEscapedJson(bytes, start, end)) return undefined;
  const line = new RawLine(bytes, start, trimmedEnd(bytes, start, end));
  return line.isText ? line : withoutColours(bytes, start, end);
}

function isEscapedJson(bytes: Buffer, start: number, end: number): boolean {
  if (bytes[start] !== OBJECT && bytes[start] !== LIST) return false;
  const at = bytes[start] === LIST ? start + 1 : start;
  if (bytes[at] !== OBJECT || bytes[at + 1] !== QUOTE) return false;
  for (let i = at; i < end; i++) if (bytes[i] === BACKSLASH) return true;
  return false;
}

/** A copy without the escape sequences that set colours; undefined if there are other control characters. */
function withoutColours(bytes: Buffer, start: number, end: number): RawLine | undefined {
  const copy = Buffer.allocUnsafe(end - start);
  let length = 0;
  for (let i = start; i < end; i++) {
    const code = bytes[i] as number;
    if (code !== ESCAPE) copy[length++] = code;
    else {
      if (bytes[++i] !== LIST) return undefined;
      do i++;
      while (i < end && isParameter(bytes[i] as number));
      if (i === end || bytes[i] !== SETS_COLOUR) return undefined;
    }
  }
  const line = new RawLine(copy, 0, trimmedEnd(copy, 0, length));
  return line.isText ? line : undefined;
}

/** The end of a line without the blanks before it. */
function trimmedEnd(bytes: Buffer, start: number, end: number): number {
  let last = end;
  while (last > start && isBlank(bytes[last - 1] as number)) last--;
  return last;
}

function isBlank(code: number): boolean {
  return code === BLANK || code === TAB || code === RETURN;
}

/** Digits, and what separates them. */
function isParameter(code: number): boolean {
  return code >= ZERO && code <= SEMICOLON;
}

/** A line of JSON that is longer than this is expanded: nobody could read it. */
const MAX_JSON_CHARACTERS = 800;
/** What separates two objects of a list; a quote in a string is escaped. */
const SEAM = '},{"';
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
/** The message of an error, which the first line of its stack has too. */
const MESSAGE = /,"(?:message|msg)":"((?:[^"\\]|\\.)+)"|(?<=^|\{)"(?:message|msg)":"((?:[^"\\]|\\.)+)",/g;

/** What a runner says to TeamCity; in its values, a bar escapes the next character. */
const SERVICE_MESSAGE = /^\s*##teamcity\[/;
const SERVICE_VALUE = / (\w+)='((?:[^'|]|\|.)*)'/g;
const SERVICE_BREAK = /\|n/;

/** What Ansible says of a host, before the values that say why. */
const RESULT = /^\w+: \[[^\]]+\](?:: [A-Z]+!)? => (?=\{)/;

/** The lines of a record that says more than one line can show, behind an indentation or a tag; undefined for another line. */
function expandRecord(line: string): string[] | undefined {
  if (SERVICE_MESSAGE.test(line)) return SERVICE_BREAK.test(line) ? expandServiceMessage(line) : undefined;
  if (isDenseJson(line)) return isInformation(line) ? undefined : expandJson(line);
  const [result] = RESULT.exec(line) ?? [];
  if (result !== undefined && isDenseJson(line.slice(result.length)))
    return [result, ...expandJson(line.slice(result.length)).map((part) => `    ${part}`)];
  const lead = /^\s+/.exec(line)?.[0] ?? prefixOf(line);
  const rest = lead === '' ? '' : line.slice(lead.length);
  if (!isDenseJson(rest) || isInformation(rest)) return undefined;
  return expandJson(rest).map((part) => lead + part);
}

/** The level of a record is at its start. */
const MAX_LEVEL = 200;

/** Whether a record says by its level that nothing has failed: its parts, each on a line of its own, would not say it. */
function isInformation(json: string): boolean {
  const classification = classify(json.slice(0, MAX_LEVEL));
  return classification === 'chatter' || classification === 'warning';
}

/** A message for TeamCity, and below it the values that have several lines, as their author wrote them. */
export function expandServiceMessage(message: string): string[] {
  const texts: string[] = [];
  const headline = message.replaceAll(SERVICE_VALUE, (member, _key, value: string) => {
    if (!SERVICE_BREAK.test(value)) return member;
    texts.push(value);
    return '';
  });
  const unescaped = texts.map((text) =>
    text.replaceAll(/\|(?:0x([\da-fA-F]{4})|(.))/g, (_, code: string | undefined, sign: string) =>
      code === undefined ? (SERVICE_SIGNS[sign] ?? sign) : String.fromCharCode(Number.parseInt(code, 16)),
    ),
  );
  return [headline, ...unescaped.flatMap((text) => text.trimEnd().split('\n')).map((text) => `  ${text}`)];
}

const SERVICE_SIGNS: Readonly<Record<string, string>> = { n: '\n', r: '' };

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
 * as its author wrote it. A message that such a text begins with is left out. Invalid JSON is expanded as far as possible.
 */
export function expandJson(json: string): string[] {
  const lines: string[] = [];
  const containers: string[] = [];
  /** The first line of each text of the same object. */
  const headlines: string[] = [];
  const isEvent = EVENT.test(json);
  let key = '';
  let from = 0;
  let indent = '';
  /** @returns whether the line is kept: one that introduces a text is only if it says something itself */
  const endLine = (to: number, more = '') => {
    const line = withoutMessages(json.slice(from, to).replace(/^[\s,\]}]+/, ''), headlines);
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
      if (sign === '{' && containers.at(-1) !== '{' && !isOfEvent) {
        endLine(index);
        headlines.length = 0;
      }
      if (sign === '{' || sign === '[') containers.push(sign);
      else containers.pop();
    } else if (colon !== undefined) key = string;
    else if (ESCAPED_BREAK.test(string)) {
      const isQuoted = QUOTING_KEY.test(key);
      if (!isQuoted) headlines.push(string.slice(0, string.indexOf('\\n')));
      const isKept = endLine(index, '…');
      if (!isQuoted)
        for (const textLine of textLines(string, isKept ? `${indent}  ` : '')) lines.push(textLine);
      from = end;
    }
  }
  endLine(json.length);
  return lines;
}

/** A part of JSON without the messages that a text begins with. */
function withoutMessages(part: string, headlines: readonly string[]): string {
  if (headlines.length === 0) return part;
  return part.replace(MESSAGE, (member, last: string | undefined, first: string | undefined) => {
    const message = last ?? first ?? '';
    return headlines.some((headline) => headline.endsWith(message)) ? '' : member;
  });
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
