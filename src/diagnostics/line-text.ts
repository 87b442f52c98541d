import { stripAnsi } from '../base/text.ts';

/** Longer lines are cropped: nobody reads them, and every expression costs their length. */
export const MAX_CHARACTERS = 800;
/** What is kept of a cropped line: its start, what surrounds the first word of an error, its end. */
const CROP = { start: 300, before: 80, after: 240, end: 120 } as const;

/** The words that a line is cropped around. Not the table of rules, which most readers of this file do not load. */
const ERROR_WORD = /\b(?:\w*error|\w*exception|fail(?:ed|ure)|fatal|panic)\b/i;

const CONTROL = /[^\P{Cc}\t\n]/u;
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
  const line = raw.length > MAX_CHARACTERS ? cropLine(raw) : raw;
  if (!hasControls(line)) return line.trimEnd();
  return stripAnsi(line.replace(UNFINISHED_ESCAPE, '')).replace(CONTROLS, '').trimEnd();
}

/** Whether there is a control character other than those that every output has: tabs and ends of lines. */
export function hasControls(text: string): boolean {
  return CONTROL.test(text);
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

/**
 * A copy that keeps no other memory alive: a line is a slice of the chunk of 64 kB that it was cut from. A slice of two
 * strings joined makes V8 copy them, in a fifth of the time of a buffer.
 */
export function detachString(text: string): string {
  return ` ${text}`.slice(1);
}
