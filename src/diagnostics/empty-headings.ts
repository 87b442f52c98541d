import { classificationOf } from './classify.ts';
import type { Line } from './failure.ts';
import { withoutPrefix } from './prefix.ts';
import { isFrame } from './stack-frames.ts';
import { indentOf, isIntroduction, isValue, separatorIn } from './structure.ts';

const ITEM = /^\s*(?:[-*•]|\d+[.)])\s/;
/** Lines from a heading to what it introduces: a blank one may be between them. */
const REACH = 2;

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
  const classification = classificationOf(text);
  if (classification !== 'plain' && classification !== 'chatter') return false;
  const said = withoutPrefix(text);
  if (separatorIn(said)?.title) return !next || areOfOneSort(said, withoutPrefix(next.text));
  if (!isIntroduction(said) || isValue(said)) return false;
  return !next || (next.at - at > REACH && !mayBeBelow(text, next.text));
}

/** Whether a heading may have introduced a line further below, of which the first lines were left out. */
function mayBeBelow(heading: string, text: string): boolean {
  return (
    indentOf(text) > indentOf(heading) ||
    (ITEM.test(text) && !ITEM.test(heading)) ||
    isFrame(withoutPrefix(text))
  );
}

/** Whether two titles are between the same signs. */
function areOfOneSort(one: string, other: string): boolean {
  return Boolean(separatorIn(other)?.title) && one.slice(0, 3) === other.slice(0, 3);
}
