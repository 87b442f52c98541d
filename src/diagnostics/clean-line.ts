import { stripVTControlCharacters } from 'node:util';

/** Longer lines are cropped: nobody reads them, and every look at a line costs its length. */
const MAX_CHARACTERS = 800;
/** What is kept of a line that is too long: its start, what surrounds the first sign of an error, its end. */
const CROP = { start: 300, before: 80, after: 240, end: 120 } as const;

const CONTROL = /[^\P{Cc}\t]/u;
const CONTROLS = /[^\P{Cc}\t]/gu;
/** An escape sequence that its line ends before: what ends it is not to be had. */
const UNFINISHED_ESCAPE = new RegExp(`${String.fromCharCode(27)}(?:\\][^\u0007]*|\\[[0-?]*[ -/]*)?$`);
const SIGN_OF_ERROR = /\b(?:\w*error|\w*exception|fail(?:ed|ure)|fatal|panic)\b/i;

/**
 * A line as it would stand on a screen: without escape sequences and control characters, well-formed, cropped where it
 * is too long to be read.
 *
 * @param raw one line, or one state of a line that is redrawn
 */
export function cleanLine(raw: string): string {
  const line = raw.length > MAX_CHARACTERS ? crop(raw) : raw;
  if (!CONTROL.test(line)) return line.trimEnd();
  return stripVTControlCharacters(line.replace(UNFINISHED_ESCAPE, '')).replace(CONTROLS, '').trimEnd();
}

/** Cuts a line that is too long, or not ended yet, to what is worth keeping of it. */
export function crop(line: string): string {
  const sign = SIGN_OF_ERROR.exec(line.slice(CROP.start, -CROP.end));
  const end = line.slice(-CROP.end);
  if (!sign) return `${line.slice(0, CROP.start)} … ${end}`.toWellFormed();
  const at = CROP.start + sign.index;
  const around = line.slice(Math.max(CROP.start, at - CROP.before), at + CROP.after);
  return `${line.slice(0, CROP.start)} … ${around} … ${end}`.toWellFormed();
}
