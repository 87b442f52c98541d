/** Lines that separate others, or announce them: rulers, headings, blank lines. */

import type { Line } from '../failures/failure.ts';
import { classificationOf } from '../lines/classify.ts';
import { formTable } from '../lines/forms.ts';
import { prefixOf, withoutPrefix } from '../lines/prefix.ts';
import { isFrame } from '../lines/stack-frames.ts';
import {
  indentOf,
  introducesNext,
  isChained,
  isIntroduction,
  isItem,
  isTraceback,
  isValue,
  namesPlace,
  separatorIn,
} from '../lines/structure.ts';

/** A line between two parts, of one sign that comes eight times. What points to a place has blanks before it, or other signs. */
const RULER = formTable(/^(?:[#ℹ] ?)? {0,2}(?=.*([=_*#⎯─━—―┈╌═-])(?: ?\1){7})/, {
  signs: { pattern: /[=*#⎯─━—―┈╌═-]+$/, example: '##########' },
  'the number of a part': { pattern: /[⎯─━—-]+\[\d+\/\d+\][⎯─━—-]*$/, example: '⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[2/5]⎯' },
  'where to cut': { pattern: /[⎯─━—―-]+ *[✀✂] *[⎯─━—―-]+$/, example: '―――――――― ✀  ――――――――' },
  underscores: { pattern: /_+$/, example: '__________' },
  'signs and blanks': { pattern: /-(?: -)+$/, example: '- - - - - - - - - -' },
  'the border of a table': { pattern: /[-=+|]+$/, example: '|--------+-----|' },
  'the border of a box': { pattern: /[─═━│├┼┤┌┬┐└┴┘╭╮╰╯╞╪╡╔╦╗╠╬╣╚╩╝]+$/, example: '├──────────┼───┤' },
  'the border of a sign': { pattern: /[/\\]-+[/\\]$/, example: '/----------\\' },
});
/** In the middle, or of a sign that points to a place where it has blanks before it. */
const OTHER_RULER = /^\s+[=*#]{20,}$|^~{40,}$/;
/** A line with nothing but a margin. */
const MARGIN = formTable(/^\s*/, {
  'that of source': { pattern: /(?:\d+\s*)?[|│┃]\s*$/, example: ' 12 |' },
  'the corner of a box': { pattern: /(?:[╭╰├└┌╷╵┐┘┴┬]─{0,6}|─{3,7}[╯╮])$/, example: '  ╰────' },
  'the start or the end of YAML in TAP': { pattern: /(?<=\s)(?:---|\.\.\.)$/, example: '  ---' },
  'between two stacks of an error': { pattern: /(?<=\s)----$/, example: '      ----' },
  'a tag': { pattern: /(?<!\s)(?:npm (?:error|ERR!)|\[(?:ERROR|INFO|WARNING)\])$/, example: 'npm error' },
});
export const SEPARATOR_TABLES = { RULER, MARGIN };

/** A line that a diff adds or removes: its neighbour may be one of signs. */
const OF_DIFF = /^\s*(?:[+-](?![+-])[^=*+|-]|@@ )/;

/** A row of a table of text, which is indented. */
const ROW = /^\s+\|.*\|$/;

/** Without the lines that only separate others. */
export function withoutRulers(lines: readonly Line[]): Line[] {
  // A blank line of a task has nothing but the prefix.
  const prefixes = new Set(
    lines.flatMap(({ text }) => (withoutPrefix(text) === '' ? [] : prefixOf(text).trim())),
  );
  return lines.filter(
    (line, index) =>
      !isRuler(line, lines[index - 1], lines[index + 1]) &&
      (line.text === '' || !prefixes.has(line.text.trim())),
  );
}

function isRuler({ text }: Line, before: Line | undefined, after: Line | undefined): boolean {
  const said = withoutPrefix(text);
  if (![RULER.pattern, OTHER_RULER, MARGIN.pattern].some((pattern) => pattern.test(said))) return false;
  if (OF_DIFF.test(before?.text ?? '') || OF_DIFF.test(after?.text ?? '')) return false;
  // The border of a table that is a value, below a heading or in it.
  if (indentOf(said) > 0 && [before, after].some((line) => ROW.test(line?.text ?? ''))) return false;
  // A value may be such a line.
  const mayBeValue = before && introducesNext(before.text) && !namesPlace(before.text);
  return !mayBeValue || indentOf(text) <= indentOf(before.text);
}

/** A title that says only that something failed. */
const FAILURES = /^(?:failures?|errors?|failed \w+)(?: \d+)?$/i;
/** The heading of a list of what failed. */
const LIST = /^(?:\[\w+\]\s+)?(?:Failures|Errors|Failed tests):\s*$/i;
/** Lines from a heading to what it introduces: a blank one may be between them. */
const REACH = 2;

/** A bracket that closes what a line above has opened. */
const CLOSER = /^\s*[}\])][,;]?$/;
const OPENER = /[{[(]$/;
/** Lines from an opening bracket to the one that closes it. */
const MAX_OPEN = 60;

/** Without brackets that close what is not shown. */
export function withoutLoneClosers(lines: readonly Line[]): Line[] {
  return lines.filter((line, index) => {
    if (!CLOSER.test(line.text)) return true;
    const indent = indentOf(line.text);
    const above = lines.slice(Math.max(0, index - MAX_OPEN), index);
    const isOpen = ({ text }: Line) => OPENER.test(text) && indentOf(text) <= indent;
    return above.some(isOpen) || isValue(above.at(-1)?.text ?? '');
  });
}

const PAGE = /<!doctype html\b/i;
const END_OF_PAGE = /<\/html>/i;
const TAG = /<\/?[a-z][^<>]*>/gi;

/** How a page looks, and what it does, on lines of its own. */
const SHEET = /<(style|script)\b[^>]*>(?!.*<\/\1>)/i;

/** Without the lines of a page of HTML that have no text of it: a test has printed what a server answered. */
export function withoutTagsOfPages(lines: readonly Line[]): Line[] {
  let isInPage = false;
  let isInSheet = false;
  return lines.filter(({ text }) => {
    const isOfPage = isInPage;
    const isOfSheet = isInSheet;
    if (PAGE.test(text)) isInPage = true;
    else if (END_OF_PAGE.test(text)) isInPage = false;
    isInSheet = isInPage && (SHEET.test(text) || (isInSheet && text.replace(TAG, '') === text));
    const rest = isOfPage ? text.replace(TAG, '') : text;
    return !(isOfSheet && isInSheet) && (rest === text || /\S/.test(rest));
  });
}

/** A file, above what is wrong in it; a list has other files right below. */
const FILE = /^\.{0,2}\/?(?:[\w@.+~-]+[\\/])+[\w@+~-][\w@.+~-]*\.[A-Za-z]\w{0,7}$/;

/** Where a test is, of Node, right above its name. */
const PLACE_OF_TEST = /^test at \S+:\d+:\d+$/;

/** What linters of PHP print above each file, and below: how many errors they found there, or a row of each. */
const TITLE_OF_FILE = /^FILE: \S+$/;
const FOUND = /^(?:FOUND \d|\s*\d+\s*\|)/;

/** Without the headings of which nothing is shown: what they introduce was left out, or there is nothing. */
export function withoutEmptyHeadings(lines: readonly Line[]): Line[] {
  const kept: Line[] = [];
  let next: Line | undefined;
  for (const line of lines.toReversed()) {
    if (isEmpty(line, next)) continue;
    kept.push(line);
    if (line.text !== '') next = line;
  }
  return kept.reverse();
}

/** @param next the next line that is not blank */
function isEmpty({ at, text }: Line, next: Line | undefined): boolean {
  const said = withoutPrefix(text);
  if (LIST.test(text)) return !next || next.at - at > REACH;
  if (PLACE_OF_TEST.test(said)) return next?.at !== at + 1;
  // Below an indented one, which may be what was expected, the next line is indented, too.
  if (isTraceback(said)) return !next || indentOf(withoutPrefix(next.text)) === 0;
  const title = separatorIn(said)?.title;
  if (title && FAILURES.test(title)) return next !== undefined && next.at - at <= REACH + 1 && names(next);
  if (isChained(said)) return !next || Boolean(separatorIn(withoutPrefix(next.text))?.title);
  const classification = classificationOf(text);
  if (classification !== 'plain' && classification !== 'chatter') return false;
  if (title) return !next || endsSection(said, withoutPrefix(next.text));
  if (TITLE_OF_FILE.test(said)) return !FOUND.test(withoutPrefix(next?.text ?? ''));
  if (FILE.test(said))
    return next !== undefined && next.at > at + 1 && !/^(?:\s|\d)/.test(withoutPrefix(next.text));
  if (!isIntroduction(said) || isValue(said)) return false;
  return !next || (next.at - at > REACH && !mayBeBelow(text, next.text));
}

/** Whether a heading may have introduced a line further below, of which the first lines were left out. */
function mayBeBelow(heading: string, text: string): boolean {
  return (
    indentOf(text) > indentOf(heading) || (isItem(text) && !isItem(heading)) || isFrame(withoutPrefix(text))
  );
}

/** Whether a line says what failed by its name, or is a title itself. */
function names({ text }: Line): boolean {
  return classificationOf(text) === 'failedTest' || Boolean(separatorIn(withoutPrefix(text))?.title);
}

/** The signs of pytest's titles: of the parts of an output, of a test, and of what it has printed. */
const SIGNS = '=_-';

/** Whether the second of two titles is no part of what the first one introduces. */
function endsSection(title: string, next: string): boolean {
  if (!separatorIn(next)?.title) return false;
  const [level, nextLevel] = [title, next].map((text) => SIGNS.indexOf(text.charAt(0)));
  const isHigher = level !== undefined && nextLevel !== undefined && nextLevel !== -1 && nextLevel < level;
  return isHigher || title.slice(0, 3) === next.slice(0, 3);
}

/** Without the blank lines between two gaps, which are one, and with one of several blank lines. */
export function withoutLoneBlanks(lines: readonly Line[]): Line[] {
  const isNext = (line: Line | undefined, next: Line | undefined) =>
    line !== undefined && next !== undefined && next.at - line.at <= 1;
  return lines
    .filter(
      (line, index) => line.text !== '' || isNext(lines[index - 1], line) || isNext(line, lines[index + 1]),
    )
    .filter(({ text }, index, kept) => text !== '' || kept[index - 1]?.text !== '');
}
