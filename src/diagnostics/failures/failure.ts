import { shortHash } from '../../base/short-hash.ts';
import { detachString } from '../lines/line-text.ts';
import { withoutPrefix } from '../lines/prefix.ts';
import { SEVERITY } from '../lines/rules.ts';
import {
  indentOf,
  introducesNext,
  isPlaceOnly,
  isPlacePointer,
  isValue,
  namesPlace,
  opensBracket,
} from '../lines/structure.ts';

export interface Line {
  /** Its position in the order of arrival; with a fraction, what is shown between two lines, such as a blank one. */
  readonly at: number;
  /** While an output is read, without the prefix; in `Findings`, as it is shown. */
  readonly text: string;
  /** What a wrapper has put before the text. */
  readonly prefix?: string;
}

/** Where lines in a row are, the first and the last. */
export interface Span {
  readonly from: number;
  to: number;
}

/** Which lines of a failure are kept when there is no space for all of them. */
export const PRIORITY = {
  /** Says what is wrong. */
  error: 5,
  /** Says where, and nothing else. */
  place: 4,
  /** What was expected and what was received, a note, a heading. */
  detail: 3,
  /** Shows the code, or the calls that led there. */
  code: 2,
  body: 1,
} as const;
export type Priority = (typeof PRIORITY)[keyof typeof PRIORITY];

export interface FailureLine extends Line {
  readonly priority: Priority;
}

/** A template of a failure has 53 bits: 32 of its headline, and 21 of its last error line. */
export const ERROR_BITS = 21;

/** The lines about something that failed: headings, the error itself, and the details below. */
export interface FailureBlock {
  /** One of `SEVERITY`: the highest of its lines. */
  readonly severity: number;
  /** Made of those of the headline and of the last error line: blocks of one template say the same. */
  readonly template: number | undefined;
  /** What the same failure has in common; otherwise its error lines. */
  readonly signature?: string;
  /** The line that says that something failed. */
  readonly headline: Line;
  /** In order of arrival; where lines were left out, `at` has a gap. */
  readonly lines: readonly FailureLine[];
  /** Where the lines were that say nothing about it, such as the frames of packages. */
  readonly dropped?: readonly number[];
}

/** A failure that an excerpt may show. */
export interface StoredFailure {
  /** A copy, if it is kept for long. */
  block: FailureBlock;
  /** What it has in common with others, unless later lines changed it. */
  kind: string;
  /** A hash of what the headline says, without the place; 0 if it was not needed. */
  readonly message: number;
  /** That of the block, unless later lines changed it. */
  severity: number;
  /** How often the same failure was printed. */
  times: number;
  /** The lines of each print, from its headline on, that has nothing else; of the first few. */
  again?: number[][];
}

/**
 * The lines of a failure with the highest priority, as many as fit; the nearer to the headline, the better.
 *
 * @returns in order of arrival; empty if not even one fits
 */
export function bestLines(
  { lines, headline }: FailureBlock,
  maxCharacters: number,
  maxLines = lines.length,
): FailureLine[] {
  if (lines.length <= maxLines && charactersIn(lines) <= maxCharacters) return [...lines];
  const ranked = byRank(headline, lines);
  const kept: FailureLine[] = [];
  let left = maxCharacters;
  for (const line of ranked.slice(0, maxLines)) {
    left -= line.text.length + 1;
    if (left < 0) break;
    kept.push(line);
  }
  return kept.toSorted((a, b) => a.at - b.at);
}

/** The lines of a failure, those that say most first; the nearer to the headline, the better. */
export function byRank(headline: Line, lines: readonly FailureLine[]): FailureLine[] {
  return lines
    .map((line) => ({ line, rank: rankOf(line, headline), distance: Math.abs(line.at - headline.at) }))
    .sort((a, b) => b.rank - a.rank || a.distance - b.distance)
    .map(({ line }) => line);
}

/** A failure with other lines. */
export function blockWith(block: FailureBlock, changed: <L extends Line>(line: L) => L): FailureBlock {
  return { ...block, headline: changed(block.headline), lines: block.lines.map(changed) };
}

/** A line that keeps no chunk of the output alive. */
export function detached<L extends Line>(line: L): L {
  const text = detachString(line.text);
  return line.prefix === undefined ? { ...line, text } : { ...line, text, prefix: detachString(line.prefix) };
}

/** Whether a failure says more than its headline. */
export function hasDetails({ lines, headline }: FailureBlock): boolean {
  return lines.some(({ at, priority }) => at > headline.at && priority >= PRIORITY.detail);
}

/** The priority, and more for what was expected and received, for an error line that also names the place, and for the headline. */
function rankOf({ at, text, priority }: FailureLine, headline: Line): number {
  if (at === headline.at) return PRIORITY.error + 2;
  if (priority === PRIORITY.error && namesPlace(text)) return priority + 1;
  return priority >= PRIORITY.detail && isValue(withoutPrefix(text)) ? priority + 0.5 : priority;
}

/** Where the lines of failures are. */
export function positionsOf(failures: readonly Pick<StoredFailure, 'block'>[]): ReadonlySet<number> {
  return new Set(failures.flatMap(({ block }) => block.lines.map(({ at }) => at)));
}

/** Where failures are, without the headings above them: these may be of something else that was printed before. */
export function placesOf(failures: readonly Pick<StoredFailure, 'block'>[]): ReadonlySet<number> {
  return new Set(
    failures.flatMap(({ block: { headline, lines } }) =>
      lines
        .filter(({ at, priority }) => at >= headline.at || priority === PRIORITY.error)
        .map(({ at }) => at),
    ),
  );
}

/** Characters of lines, line breaks included. */
export function charactersIn(lines: readonly Line[]): number {
  return lines.reduce((sum, { text }) => sum + text.length + 1, 0);
}

/** Lines by which a failure is recognized; of a value that begins in the headline, so many. */
const TELLING_LINES = 4;
const VALUE_LINES = 16;
/** Where a message in a table goes on. */
const NEXT_ROW = /^\s*\|\s+\|\s/;
/** A result, and how long it took: what it is of is below it. */
const RESULT_ONLY = /^\W*(?:fail(?:ure|ed)?|error|panic)\s*(?:\[…\]|\(…\))$/i;

/**
 * What stays the same when the same failure is printed again: its first error lines and the place below the headline,
 * normalized; of a headline that only introduces what is wrong, or is one word, the line below it too, and of one that
 * begins a value of several lines, that value; of a result without a name, all below it. What is below a title belongs to
 * it. Two assertions with one message differ in their values.
 */
export function signatureOf(block: FailureBlock): string {
  const { lines, headline, signature } = block;
  if (signature !== undefined) return signature;
  const title = ruledTitleOf(block);
  const below = lines.find(({ at, text }) => at > headline.at && text !== '');
  const beginsValue = opensBracket(headline.text);
  const isNameless = RESULT_ONLY.test(normalized(headline.text));
  const isHeading = introducesNext(headline.text) || /\?$|^\S*$|: Failure$/.test(headline.text.trim());
  const isInformative = (line: FailureLine, index: number) =>
    isNameless ||
    line.priority === PRIORITY.error ||
    NEXT_ROW.test(line.text) ||
    isLabelOfValue(lines[index - 1]?.text ?? '') ||
    (beginsValue && indentOf(line.text) > indentOf(headline.text)) ||
    (line === below && (isHeading || isPlacePointer(line.text) || isPlaceOnly(line.text)));
  const values = valuesOf(block);
  // Where it was thrown: two tests may fail with one message.
  const place = block.severity >= SEVERITY.thrown ? placeBelow(block) : undefined;
  // What a logger says above an exception has the number of the request.
  const isOfLogger = place && block.severity === SEVERITY.thrown && RECORD.test(headline.text);
  return [title, ...lines.filter((line, index) => line.at >= headline.at && isInformative(line, index))]
    .filter((line) => line !== undefined)
    .slice(0, beginsValue || isNameless ? VALUE_LINES : TELLING_LINES)
    .concat(place ?? [])
    .map(({ at, text }) => normalized(isOfLogger && at === headline.at ? text.replace(/\d+/g, '0') : text))
    .concat(values === '' ? [] : shortHash(values))
    .join('\n');
}

/** The first line of a record: a time, or JSON. */
const RECORD = /^\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d|^\s*\{"/;

function placeBelow({ headline, lines }: FailureBlock): Line | undefined {
  return lines.find(({ at, priority }) => at > headline.at && priority === PRIORITY.place);
}

/** What was expected and received, below the headline. */
export function valuesOf({ headline, lines }: FailureBlock): string {
  return lines
    .filter(({ at, text, priority }) => at > headline.at && priority === PRIORITY.detail && isValue(text))
    .map(({ text }) => normalized(text))
    .join('\n');
}

/** Whether the next line is what was expected or received. */
function isLabelOfValue(text: string): boolean {
  return introducesNext(text) && isValue(text);
}

/** `src/a.ts format ━━━`. */
const RULED_TITLE = /\S [━─═]{3,}$/;
/** The headline is so many lines below it. */
const BELOW_TITLE = 2;

/** The title of a failure, if signs fill the rest of its line: what is below is a message, and no name of a test. */
export function ruledTitleOf({ headline, lines }: FailureBlock): Line | undefined {
  return lines.find(
    ({ at, text }) => at < headline.at && at >= headline.at - BELOW_TITLE && RULED_TITLE.test(text),
  );
}

const MAX_COMPARED = 300;

/** A longer text is recognized by its start, and the hash of the whole. */
export function bounded(text: string): string {
  if (text.length <= MAX_COMPARED) return text;
  return `${text.slice(0, MAX_COMPARED - 20)} … ${shortHash(text)}`.toWellFormed();
}

const ADDRESS = /\b0x[\da-f]+\b/gi;
/** Compares values: a number in it is no address. */
const COMPARES = /[!=]=|\b(?:expected|got|actual|received|want(?:ed)?)\b/i;

/** A port that the system has chosen: Linux takes one from 32768 on (net.ipv4.ip_local_port_range). */
const CHOSEN_PORT = /(\b(?:127\.0\.0\.1|localhost|0\.0\.0\.0)|\[::1?\]):(?:3[2-9]|[45]\d|6[0-5])\d{3}\b/g;

/** Milliseconds since 1970, from 2014 on. */
const EPOCH = /\b1[4-9]\d{11}\b/g;

/** A text without what differs from run to run: times, addresses, ports, temporary paths. */
export function normalized(text: string): string {
  return (COMPARES.test(text) ? withoutTemporary(text) : withoutTemporary(text).replace(ADDRESS, '…'))
    .replace(/\b\d+(?:\.\d+)?\s?(?:ms|s|sec|seconds|m)\b/g, '…')
    .replace(
      /\b(?:\d{4}-\d\d-\d\d(?:[T ](?=\d\d:))?)?(?:\d{1,2}:\d\d:\d\d(?:[.,]\d+)?Z?\b)|\b\d{4}-\d\d-\d\d\b/g,
      '…',
    )
    .replace(CHOSEN_PORT, '$1:…')
    .replace(/\b((?:pid|port|worker)\b"?|(?:retry|retries|attempts?)[a-z]*"?)[ :=]+\d+/gi, '$1 …')
    .replace(EPOCH, '…')
    .replace(/\s+/g, ' ')
    .trim();
}

/** A text with each path of a temporary directory cut to the name of its file. */
export function withoutTemporary(text: string): string {
  return text.replace(
    /(\/tmp\/|\/var\/folders\/)[^\s'":)]+/g,
    (path) => `/tmp/…/${path.slice(path.lastIndexOf('/') + 1)}`,
  );
}
