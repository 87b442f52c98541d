/**
 * What a script has put before each line of what a tool has printed: a sign, a name, a time, or the side of a box. No list of
 * such wrappers is complete; but one is before nearly all lines, also before those that are blank or indented.
 */

import { announcesCommand } from '../failures/steps.ts';
import { classify, severityOf } from '../lines/classify.ts';

/** In fewer lines, it may be chance. */
const MIN_LINES = 8;
/** The script itself prints a few lines without it. */
const SHARE = 0.9;
/** Lines in which what runs the script, such as npm, has printed its command. */
const COMMAND_LINES = 3;
/** Most of what some tools print is indented, and all of it by two blanks. */
const INDENTED_SHARE = 0.97;
const TAB = ' '.repeat(4);
/** Of Jest: what the tests of the file have logged is below it, indented, and may be nearly all of an output. */
const FILE_RESULT = /^(?:PASS|FAIL) \S+\.[cm]?[jt]sx?\b/;
/** A longer one is what the lines say. */
const MAX_CHARACTERS = 40;
/** The share of lines that are indented, or blank, behind a wrapper: a tool's own words are before none. */
const MIN_INDENTED = 0.05;
/** A line and a column: the rows of a linter's table have them. */
const PLACE = /^ ?0:0 $/;
/** In place of what a tool has printed. */
const TEXT = 'text';

/** @returns the lines without their wrapper; undefined if they have none */
export function unwrapped(lines: readonly string[]): string[] | undefined {
  const printed = lines.filter((line) => line !== '');
  const full = printed.slice(printed.slice(0, COMMAND_LINES).findLastIndex(announcesCommand) + 1);
  const start = full.length < MIN_LINES ? '' : commonStart(full);
  if (start === ' ') return unindented(lines, full);
  if (start === '' || PLACE.test(start)) return undefined;
  const pattern = new RegExp(`^${sourceOf(start.trimEnd())}(?=\\s|$)`);
  const others = full.filter((line) => !pattern.test(line));
  // A wrapper says neither that something failed nor that it passed; the level of a logger may, beside another one.
  const said = classify(start + TEXT);
  const isOfLogger = said === 'chatter' && others.every((line) => severityOf(classify(line)) === 0);
  if (said !== 'plain' && !isOfLogger) return undefined;
  const rests = full.filter((line) => pattern.test(line)).map((line) => line.replace(pattern, ''));
  const texts = rests.filter((rest) => rest !== '');
  // Lines that differ in their numbers only have nothing else.
  if (texts.length < full.length / 2) return undefined;
  const blanks = Math.min(...texts.map(blanksBefore));
  const isIndented = (rest: string) => rest === '' || blanksBefore(rest) > blanks;
  if (rests.filter(isIndented).length < MIN_INDENTED * full.length) return undefined;
  const wrapper = new RegExp(`${pattern.source}(?: {${blanks}}|$)`);
  return lines.map((line) => line.replace(wrapper, ''));
}

/** Without the indentation that nearly all lines have. */
function unindented(lines: readonly string[], full: readonly string[]): string[] | undefined {
  const indents = full.map((line) => blanksBefore(line.replace(/^\t/, TAB))).toSorted((a, b) => a - b);
  const indent = indents[Math.floor((1 - INDENTED_SHARE) * full.length)] ?? 0;
  if (indent < TAB.length || full.some((line) => FILE_RESULT.test(line))) return undefined;
  const margin = new RegExp(`^(?:\\t|\\s{${indent}})`);
  return lines.map((line) => line.replace(margin, ''));
}

/** What nearly all lines begin with, in their own form: each number is 0, and blanks are one. */
function commonStart(lines: readonly string[]): string {
  const forms = lines.map((line) => `${line.replace(/\d+/g, '0').replace(/\s+/g, ' ')} `);
  let start = '';
  while (start.length < MAX_CHARACTERS) {
    const counts = new Map<string, number>();
    for (const form of forms)
      if (form.startsWith(start)) {
        const next = form.charAt(start.length);
        counts.set(next, (counts.get(next) ?? 0) + 1);
      }
    const [next = '', count = 0] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0]);
    if (next === '' || count < SHARE * lines.length) break;
    start += next;
  }
  return start.slice(0, start.lastIndexOf(' ') + 1);
}

/** A regular expression for such a form. */
function sourceOf(form: string): string {
  return form
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('0', '\\d+')
    .replaceAll(' ', '\\s+');
}

function blanksBefore(text: string): number {
  return text.length - text.trimStart().length;
}
