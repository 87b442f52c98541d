import { stripAnsi } from '../../base/text.ts';

/** Longer lines are cropped: nobody reads them, and every expression costs their length. */
const MAX_CHARACTERS = 800;
/** What is kept of a cropped line: its start, what surrounds the first word of an error, its end. */
const CROP = { start: 300, before: 80, after: 240, end: 120 } as const;

/** The words that a line is cropped around. Not the table of rules, which most readers of this file do not load. */
const ERROR_WORD = /\b(?:\w*error|\w*exception|fail(?:ed|ure)|fatal|panic)\b/i;

const CONTROL = /[^\P{Cc}\t]/u;
const CONTROLS = /[^\P{Cc}\t]/gu;
/** An escape sequence that is cut off by the end of its line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: see above
const UNFINISHED_ESCAPE = /\u001B(?:\][^\u0007\u001B\u009C]*|\[[0-?]*[ -/]*)?$/;

/**
 * A line as a terminal shows it: without escape sequences, control characters and blanks at its end, well-formed, and
 * cropped if it is longer than 800 characters.
 *
 * @param raw one line, or one state of a line that is redrawn
 */
export function cleanLine(raw: string): string {
  const line = CONTROL.test(raw)
    ? stripAnsi(raw.replace(UNFINISHED_ESCAPE, '')).replace(CONTROLS, '').trimEnd()
    : raw.trimEnd();
  const named = FIXTURES.test(line) ? withoutCommonFixtures(line) : line;
  return named.length > MAX_CHARACTERS ? cropLine(named) : named;
}

/** Where pytest lists all fixtures because one was not found: those of the project may be in the middle. */
const FIXTURES = /^> +available fixtures: /;
/** One of pytest, or of its plugins for async code, coverage, Django, mocks and workers. */
const COMMON_FIXTURE =
  /^(?:_\w+|anyio_\w+|(?:class_|module_|package_|session_)?mocker|cache|cap(?:fd|log|sys|teesys)\w*|cov|no_cover|django_\w+|(?:admin|async)_(?:client|rf|user)|doctest_namespace|live_server|mailoutbox|monkeypatch|pytestconfig|pytester|record_\w+|recwarn|testdir|testrun_uid|tmp_?(?:path|dir)\w*|transactional_db|unused_\w+_port\w*|worker_id)$/;

function withoutCommonFixtures(line: string): string {
  const [lead = ''] = FIXTURES.exec(line) ?? [];
  const names = line.slice(lead.length).split(', ');
  const own = names.filter((name) => !COMMON_FIXTURE.test(name));
  if (own.length === names.length) return line;
  return `${lead}${[...own, `${names.length - own.length} of plugins`].join(', ')}`;
}

/** Crops a line of any length, finished or not, to about 750 characters. */
export function cropLine(line: string): string {
  const error = ERROR_WORD.exec(line.slice(CROP.start, -CROP.end));
  const end = line.slice(-CROP.end);
  if (!error) return `${line.slice(0, CROP.start)} … ${end}`.toWellFormed();
  const at = CROP.start + error.index;
  const around = line.slice(Math.max(CROP.start, at - CROP.before), at + CROP.after);
  return `${line.slice(0, CROP.start)} … ${around} … ${end}`.toWellFormed();
}

/** A longer value is cropped to where it differs from the one beside it. */
export const MAX_VALUE = 300;
/** What is kept of it: its start, and what surrounds the first difference and the end of the last one. */
const PAIR = { start: 70, before: 50, after: 60, beforeEnd: 60, afterEnd: 30 } as const;
/** What a test expected or received, or a line of a diff, up to the value. */
const VALUE =
  /^(?:E\s)?\s*(?:[-+](?![-+]{2})|(?:but was|expected|received|actual|got|want|left|right)\b[^:=]{0,20}[:=])\s*/i;

/** Whether a line is one of two long values that a test compares. */
export function isLongValue(line: string): boolean {
  return line.length > MAX_VALUE && VALUE.test(stripAnsi(line.slice(0, MAX_VALUE)));
}

/** Two long values, each as a terminal shows it, cropped to where they differ. */
export function cropPair(one: string, other: string): [string, string] {
  const [a, b] = [stripAnsi(one), stripAnsi(other)];
  const [startA, startB] = [startOfValue(a), startOfValue(b)];
  const shorter = Math.min(a.length - startA, b.length - startB);
  let same = 0;
  while (same < shorter && a.charCodeAt(startA + same) === b.charCodeAt(startB + same)) same++;
  if (same < PAIR.start || same === shorter) return [cleanLine(one), cleanLine(other)];
  let end = 0;
  while (end < shorter - same && a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)) end++;
  return [cropAround(a, startA + same, a.length - end), cropAround(b, startB + same, b.length - end)];
}

/** Two values in one line that a test compares: `E   {'a': 1} != {'a': 2}`. */
const COMPARED = /^((?:E\s)?\s*(?:[A-Z]\w*Error: )?(?:assert )?)(\S.{60,}) ([!=]=) (\S.{60,})$/;

/** A line with two long values cropped to where they differ; undefined for another line. */
export function cropComparison(line: string): string | undefined {
  const [, lead = '', left = '', sign, right = ''] = COMPARED.exec(line) ?? [];
  if (sign === undefined || left.charAt(0) !== right.charAt(0)) return undefined;
  const [one, other] = cropPair(left, right);
  return one.length < left.length ? `${lead}${one} ${sign} ${other}` : undefined;
}

function startOfValue(line: string): number {
  return VALUE.exec(line)?.[0].length ?? 0;
}

function cropAround(line: string, from: number, to: number): string {
  const parts = [
    [0, PAIR.start],
    [from - PAIR.before, from + PAIR.after],
    [to - PAIR.beforeEnd, to + PAIR.afterEnd],
  ] as const;
  let [text, shown] = ['', 0];
  for (const [start, end] of parts) {
    text += `${start > shown ? ' … ' : ''}${line.slice(Math.max(start, shown), Math.max(end, shown))}`;
    shown = Math.max(end, shown);
  }
  return cleanLine(`${text}${shown < line.length ? ' …' : ''}`.toWellFormed());
}

/**
 * A copy that keeps no other memory alive: a line is a slice of the chunk of 64 kB that it was cut from. A slice of two
 * strings joined makes V8 copy them, in a fifth of the time of a buffer.
 */
export function detachString(text: string): string {
  return ` ${text}`.slice(1);
}

/** Empty in a blank line. */
export function firstWord(text: string): string {
  return /\S+/.exec(text)?.[0] ?? '';
}

/** @param text does not end with a blank */
export function lastWord(text: string): string {
  return text.slice(text.lastIndexOf(' ') + 1);
}
