import { classificationOf, severityOf } from './classify.ts';
import type { Line } from './failure.ts';
import { SEVERITY } from './rules.ts';
import { isDependencyFrame, isExternalFrame, namesPlace } from './structure.ts';

/** Lines of a message with quoted source, above the first frame. */
const REACH = 20;
/** A place behind the name of its file. */
const PLACE = /[\w-]\.[a-z]\w{0,7}\b.*[ (]\d+:\d+\)?(?:\s|$)/i;

/**
 * Without the frame of the package that threw, which stays where no frame is the project's, if the message above it names a
 * place.
 */
export function withoutThrowers<L extends Line>(lines: readonly L[]): L[] {
  return lines.filter(
    ({ at, text }, index) =>
      !isDependencyFrame(text) || !isExternalFrame(text) || !isPlaced(lines.slice(0, index), at),
  );
}

/** Whether the message that ends above a frame names a place. */
function isPlaced(above: readonly Line[], frame: number): boolean {
  for (const { at, text } of above.toReversed()) {
    const classification = classificationOf(text);
    if (frame - at > REACH || classification === 'failedTest' || classification === 'warning') return false;
    if (isExternalFrame(text)) continue;
    if (namesPlace(text) || PLACE.test(text)) return true;
    if (severityOf(classification) >= SEVERITY.tagged) return false;
  }
  return false;
}
