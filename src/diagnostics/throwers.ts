import { classificationOf, severityOf } from './classify.ts';
import type { Line } from './failure.ts';
import type { Outline } from './outline.ts';
import { withoutPrefix } from './prefix.ts';
import { SEVERITY } from './rules.ts';
import { isDependencyFrame, isExternalFrame } from './stack-frames.ts';
import { indentOf, introducesNext, isCaret, isPlaceOnly, namesPlace } from './structure.ts';

/** Lines of a message with quoted source, above the first frame. */
const REACH = 20;
/** A place behind the name of its file, or a file with its path. */
const PLACE =
  /[\w-]\.[a-z]\w{0,7}\b.*[ (]\d+:\d+\)?(?:\s|$)|(?:^|[\s'"`(])(?!\S*node_modules)[\w@.-]*\/[\w@./-]*\w\.[a-z]\w{0,4}(?=['"`):,;\s]|$)/i;

/** A file of the project by its path, in a message. */
const FILE =
  /(?:^|[\s"'`(])(?!\S*node_modules)\.{0,2}\/?(?:[\w@.+-]+\/)+[\w@.+-]*\w\.[a-z]\w{0,5}(?:["'`\s),]|$)/i;

/**
 * Without the frame of the package that threw, which stays where no frame is the project's, if the message above it names a
 * place or a file.
 */
export function withoutThrowers(lines: readonly Line[]): Line[] {
  return lines.filter(
    ({ at, text }, index) =>
      !isDependencyFrame(text) || !isExternalFrame(text) || !isPlaced(lines.slice(0, index), at),
  );
}

/** Lines of source between a place and the sign that points into them. */
const MAX_SOURCE = 2;

/** Where a runtime or a package quotes itself above an error that nobody caught. */
export function throwingSourceIn({ whole = [], head, tail, closing, near }: Outline): ReadonlySet<number> {
  return new Set([whole, head, tail, closing, near].flatMap(throwingSource));
}

function throwingSource(printed: readonly Line[]): number[] {
  const lines = printed.map(({ at, text }) => ({ at, text: withoutPrefix(text) }));
  const source: number[] = [];
  for (const [index, place] of lines.entries()) {
    if (!isPlaceOnly(place.text) || !isExternalFrame(place.text)) continue;
    if (introducesNext(place.text) || indentOf(place.text) > 0) continue;
    const below = lines.slice(index, index + MAX_SOURCE + 2);
    const caret = below.findIndex(({ at, text }) => isCaret(text) && at <= place.at + MAX_SOURCE + 1);
    for (const { at } of below.slice(0, Math.max(1, caret + 1))) source.push(at);
  }
  return source;
}

/** Whether the message that ends above a frame names a place or a file. */
function isPlaced(above: readonly Line[], frame: number): boolean {
  for (const { at, text } of above.toReversed()) {
    const classification = classificationOf(text);
    if (frame - at > REACH || classification === 'failedTest' || classification === 'warning') return false;
    if (isExternalFrame(text)) continue;
    if (namesPlace(text) || PLACE.test(text) || FILE.test(text)) return true;
    if (severityOf(classification) >= SEVERITY.tagged) return false;
  }
  return false;
}
