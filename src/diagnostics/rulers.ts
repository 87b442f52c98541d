import type { Line } from './failure.ts';
import { withoutPrefix } from './prefix.ts';
import { indentOf, introducesNext } from './structure.ts';

/**
 * A line between two parts, also with the number of a part, or the border of a table or a box. What points to a place has
 * blanks before it, or other signs.
 */
const RULER =
  /^(?:# ?)? {0,2}(?=.*([=_*#⎯─━—┈╌═-])(?: ?\1){7})(?:[=*#⎯─━—┈╌═-]+(?:\[\d+\/\d+\][⎯─━—-]*)?|_+|-(?: -)+|[-=+|]+|[─═━│├┼┤┌┬┐└┴┘╭╮╰╯╞╪╡╔╦╗╠╬╣╚╩╝]+)$/;
/** A line that a diff adds or removes: its neighbour may be one of signs. */
const OF_DIFF = /^\s*(?:[+-](?![+-])[^=*+|-]|@@ )/;

/** Without the lines that only separate others. */
export function withoutRulers<L extends Line>(lines: readonly L[]): L[] {
  return lines.filter((line, index) => !isRuler(line, lines[index - 1], lines[index + 1]));
}

function isRuler({ text }: Line, before: Line | undefined, after: Line | undefined): boolean {
  if (!RULER.test(withoutPrefix(text))) return false;
  if (OF_DIFF.test(before?.text ?? '') || OF_DIFF.test(after?.text ?? '')) return false;
  // A value may be such a line.
  return !before || !introducesNext(before.text) || indentOf(text) <= indentOf(before.text);
}
