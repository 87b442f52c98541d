import type { Line } from './failure.ts';
import {
  announces,
  indentOf,
  isCode,
  isForeignFrame,
  isMember,
  isPlace,
  pointsBack,
} from './line-structure.ts';

/**
 * The lines right above that lead to a headline: more indented ones, a pointer into code, one that announces it, the
 * members of the same object.
 *
 * @param above in order of arrival
 */
export function leadTo(above: readonly Line[], headline: string, indent: number): Line[] {
  if (above.length === 0) return [];
  const place = above.findIndex(({ text }) => isPlace(text) && announces(text));
  if (place !== -1) return above.slice(place);
  const isLead = ({ text }: Line, nearest: boolean) =>
    indentOf(text) > indent ||
    isCode(text) ||
    (nearest && (announces(text) || isPlace(text) || pointsBack(headline))) ||
    (isMember(headline) && isMember(text));
  const last = above.findLastIndex((line, index) => !isLead(line, index === above.length - 1));
  return above.slice(last + 1).filter((line) => !isForeignFrame(line.text));
}
