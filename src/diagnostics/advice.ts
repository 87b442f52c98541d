import { classificationOf, severityOf } from './classify.ts';
import type { Line } from './failure.ts';
import { SEVERITY } from './rules.ts';
import { isExternalFrame, isFrame } from './stack-frames.ts';
import { indentOf, introducesNext, isCode, isDetail, isValue, namesLine } from './structure.ts';

/** What to do about an error, without a place. */
const ADVICE = /^\W*(?:hint|note|help|tip)\b:? .*[\p{L}\d).!]$/iu;

/** An item of a list. */
const ITEM = /^\s*(?:[-*•]|\d+[.)]) ?\S/;
/** A sentence to the reader. A shorter one may say what is wrong. */
const TO_READER = /\b(?:you|your)\b|^\W*(?:If|Verify|Consider|Make sure|This is)\b/;
const MIN_SENTENCE = 40;
/** A line and a column. */
const PLACE = /\d:\d/;
const QUOTED = /(["'`])[^"'`]*\1/g;

/**
 * Without what is the same for all failures, and was shown before: the frames of packages and runtimes, and advice, unless
 * it goes on below. Advice to the reader is the same also about another name, with the items below it.
 */
export function withoutRepeatedAdvice(lines: readonly Line[]): Line[] {
  const seen = new Set<string>();
  /** By what is said, without names: where it was said first. */
  const places = new Map<string, number>();
  /** Where the line is, in the first print, that the next one may repeat. */
  let next: number | undefined;
  return lines.filter(({ text }, index) => {
    if (text === '') return true;
    const said = text.replace(QUOTED, '¤');
    const place = places.get(said);
    if (place === undefined) places.set(said, index);
    const isAgain = place !== undefined && (isToReader(text) || (place === next && mayBeAdvice(text)));
    next = isAgain ? lines.findIndex((line, at) => at > (place ?? at) && line.text !== '') : undefined;
    if (isAgain) return false;
    const isSame = isExternalFrame(text) || (ADVICE.test(text) && !isCode(lines[index + 1]?.text ?? ''));
    return !isSame || (!seen.has(text) && seen.add(text));
  });
}

function isToReader(text: string): boolean {
  return text.length >= MIN_SENTENCE && TO_READER.test(text) && mayBeAdvice(text);
}

/** Whether a line is a sentence or an item of a list, and names no place. */
function mayBeAdvice(text: string): boolean {
  const isPart = [isCode, isFrame, namesLine].some((question) => question(text));
  const isDatum = !ITEM.test(text) && (isDetail(text) || isValue(text));
  const isSure = severityOf(classificationOf(text)) > SEVERITY.mentioned;
  return !isSure && !isPart && !isDatum && !PLACE.test(text);
}

/** What may cause an error of this sort, and what to write in the place of what is missing. */
const CAUSES = /^\W*(?:potential|possible|common|likely|typical) (?:causes|reasons)\b[^:]*:$/i;
const SNIPPETS = /\bsnippets?:$/i;

/** Without what would be said of any error of this sort: its possible causes, and the code that somebody may write. */
export function withoutGeneralAdvice(lines: readonly Line[]): Line[] {
  const kept: Line[] = [];
  let heading: Line | undefined;
  let snippetEnd = 0;
  for (const [index, line] of lines.entries()) {
    if (index < snippetEnd || (heading && isAdvice(line, heading))) continue;
    const isCauses = CAUSES.test(line.text);
    heading = isCauses || SNIPPETS.test(line.text) ? line : undefined;
    if (heading && !isCauses) snippetEnd = endOfSnippet(lines, index);
    if (snippetEnd > index) heading = undefined;
    if (!isCauses) kept.push(line);
  }
  return kept;
}

/** Lines from a heading to the code below it: a blank one may be between them. */
const REACH = 2;

/** How a piece of code begins: with a call, an annotation, or a block. */
const CODE_START = /^\S*[@({]|\bdo$/;

/**
 * Where code ends that is indented as its heading: at the next blank line, or heading. Without an indent, further pieces of
 * code may follow a blank line; what the other stream has printed may follow too.
 */
function endOfSnippet(lines: readonly Line[], index: number): number {
  const heading = lines[index];
  const start = lines.findIndex(({ text }, at) => at > index && text !== '');
  const first = lines[start];
  if (!heading || !first || first.at - heading.at > REACH || introducesNext(first.text)) return 0;
  const indent = indentOf(heading.text);
  if (indentOf(first.text) !== indent) return 0;
  if (indent === 0) {
    // A blank line may have been left out.
    const isPiece = (at: number, above: Line | undefined) => above?.text === '' || at - (above?.at ?? at) > 1;
    const isApart = ({ at, text }: Line, i: number) =>
      i >= start &&
      indentOf(text) === 0 &&
      (isResult(text) || (isPiece(at, lines[i - 1]) && !CODE_START.test(text)));
    const end = lines.findIndex(isApart);
    return end === -1 ? lines.length : end;
  }
  const end = lines.findIndex(({ text }, at) => at > start && (text === '' || introducesNext(text)));
  return end === -1 ? 0 : end;
}

function isAdvice({ text }: Line, heading: Line): boolean {
  if (text === '') return true;
  if (CAUSES.test(heading.text)) return ITEM.test(text);
  return !isResult(text) && indentOf(text) > indentOf(heading.text);
}

function isResult(text: string): boolean {
  return ['failedTest', 'summary', 'passed'].includes(classificationOf(text));
}
