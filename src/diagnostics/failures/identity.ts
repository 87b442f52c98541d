import { TEST } from '../../gates/known-failures.ts';
import type { KnownFailure } from '../../gates/types.ts';
import { normalized, withoutTemporary } from './failure.ts';
import { codeOf, fileOf } from './store.ts';

/** What a failure is known by: the same after other lines were added above it, in another order, in another directory. */
export type FailureIdentity = Omit<KnownFailure, 'count'>;

/** Where a line is about: what surrounds it, in case that it names no file itself. */
export interface Surroundings {
  /** The task that has printed it. */
  readonly task?: string;
  /** The file that it is listed below. */
  readonly heading?: string | undefined;
  /** The line above it that leads to it. */
  readonly lead?: string | undefined;
  /** The first line below it that names a place. */
  readonly place?: string | undefined;
  /** The line that it introduces. */
  readonly introduced?: string | undefined;
}

/**
 * @param text the line that says what failed
 * @param isTest whether it names a test: then its numbers are part of the name
 * @param root absolute directory of the project
 */
export function identityOf(
  text: string,
  isTest: boolean,
  { task, heading, lead, place, introduced }: Surroundings,
  root: string,
): FailureIdentity {
  const relative = (whole: string) => withoutRoot(whole, root).replace(FURTHER_LINES, '');
  const placedIn = (whole: string | undefined) =>
    whole === undefined ? undefined : placedFile(relative(whole));
  const line = relative(text);
  const file =
    placedFile(line) ??
    (isTest ? fileOf(line) : undefined) ??
    heading ??
    placedIn(lead) ??
    placedIn(place) ??
    PATH.exec(line)?.[0] ??
    null;
  const words = isTest
    ? [line, ...(introduced === undefined ? [] : [relative(introduced)])].map(nameOfTest).join(' ')
    : withoutNumbers(file === null ? line : withoutFile(line, file));
  return {
    kind: isTest ? TEST : (codeOf(line) ?? 'error'),
    file: file === null ? null : withoutTemporary(file),
    message: `${withoutNumbers(task ?? '')} ${withoutTimes(words)}`.trim() || line.trim(),
  };
}

/** Those of an error for a CI service: where they are cut depends on the length of the paths in them. */
const FURTHER_LINES = /(?<=^\s*::(?:error|warning) .*?)%0[AD].*$/;
const PATH = /(?:[\w@.+~-]*[\\/])+[\w@+~-][\w@.+~-]*\.[A-Za-z]\w{0,7}(?![\w/])/;
/** A path before a place in it: `a.ts:3:5`, `a.ts(3,5)`, `"a.py", line 3`. */
const PLACED =
  /((?:[\w@.+~-]*[\\/])+[\w@+~-][\w@.+~-]*|[\w@+~-][\w@.+~-]*\.[A-Za-z]\w*|\b[A-Z]\w*file)(?=:\d|\(\d+[,:)]|:\[\d|", line \d)/;
/** A line that is about a file: its path, after a mark at most. */
const HEADING =
  /^\s*(?:(?:[^\w\s./\\@~]+|[A-Z]{4,}:?)\s+){0,2}((?:[\w@.+~()[\]-]*[\\/])*[\w@+~-][\w@.+~-]*\.[A-Za-z]\w{0,7})(?=$|[\s(]|:(?!\d))/;

function placedFile(text: string): string | undefined {
  return PLACED.exec(text)?.[1];
}

/** The file that a line is a heading for, relative to the project; undefined if it is none. */
export function headingFile(text: string, root: string): string | undefined {
  return fileHeading(withoutRoot(text, root));
}

/** The file that a line is a heading for, as the line names it; undefined if it is none. */
export function fileHeading(text: string): string | undefined {
  return HEADING.exec(text)?.[1];
}

/** With paths as the project has them. */
function withoutRoot(text: string, root: string): string {
  return text.replaceAll('file://', '').replaceAll(`${root}/`, '');
}

/** `1) adds`, `not ok 2 - adds`, `2/3 Test #2: adds`, `✘ 3 adds`. */
const ORDINAL =
  /^(\s*(?:not ok |[✘✗×✕]\s+)?)(?:\d+\)|\d+\/\d+ Test\s+#\d+:?|\d+(?= - )|(?<=not ok |[✘✗×✕]\s+)\d+(?=\s))/;
const PLACE_IN_FILE = /(?<=\.[A-Za-z]\w{0,7}):\d+(?::\d+)?/g;
/** What is no part of the name: Maven's counts before it; a percentage, a number of retries or a line after it. */
const NO_NAME = /Tests run: .*?(?=<<<)|\[?\s*\d+(?:\.\d+)?%\]?|\(retry [#x]?\d+\)|[─-]{3,}\s*$/g;
/** The reason that pytest puts after the name is cut at the width of the terminal. */
const REASON = /(::\S.*?) - .*$/;

/** Without the number of a test in the order of the run. */
export function withoutOrdinal(text: string): string {
  return text.replace(ORDINAL, '$1');
}

/** A line that names a test, without what is no part of the name. */
export function nameOfTest(text: string): string {
  return withoutOrdinal(text).replace(NO_NAME, '').replace(REASON, '$1').replace(PLACE_IN_FILE, '');
}

/** A place after a path, in brackets, or at the start of a line. */
const PLACE =
  /(?<=[\w)\]"'])(?::\d+){1,2}(?:-\d+(?::\d+)?)?(?!\w)|\(\d+(?:[,:]\d+)?\)|:\[\d+,\d+\]|^\s*\d+:\d+\s+/g;
/** Part of no name: nothing but a sign is before it. */
const NUMBER = /(?<!\w)-?\d+(?:[.,:]\d+)*/g;
const HASH = /\b(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{8,}\b/g;

function withoutNumbers(text: string): string {
  return normalized(text).replace(PLACE, '').replace(HASH, '#').replace(NUMBER, '#');
}

function withoutTimes(text: string): string {
  return withoutTimeAtEnd(normalized(text));
}

/** Without the times at its end, where `…` is in place of them: they are printed for slow tests only. */
export function withoutTimeAtEnd(text: string): string {
  return text.replace(/[\s[(]*…[\s…[\]()]*$/, '');
}

/** Without the file, and the place in it, at the start. */
function withoutFile(line: string, file: string): string {
  const text = line.trimStart();
  const rest = text.startsWith(file) ? text.slice(file.length).replace(AFTER_FILE, '') : text;
  return rest === '' ? text : rest;
}

const AFTER_FILE = /^(?:[:\d,-]+|\(\d+(?:,\d+)?\)|:\[\d+,\d+\]|", line \d+)?[\s:–-]*/;
