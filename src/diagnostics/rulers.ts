import type { Line } from './failure.ts';
import { withoutPrefix } from './prefix.ts';
import { indentOf, introducesNext, namesPlace } from './structure.ts';

/**
 * A line between two parts, also with the number of a part, or the border of a table or a box. What points to a place has
 * blanks before it, or other signs.
 */
const RULER =
  /^(?:# ?)? {0,2}(?=.*([=_*#⎯─━—―┈╌═-])(?: ?\1){7})(?:[=*#⎯─━—―┈╌═-]+(?:\[\d+\/\d+\][⎯─━—-]*)?|_+|-(?: -)+|[-=+|]+|[─═━│├┼┤┌┬┐└┴┘╭╮╰╯╞╪╡╔╦╗╠╬╣╚╩╝]+|[/\\]-+[/\\])$/;
/** A line with nothing but a margin: that of source, with or without its number, the corner of a box, or a tag. */
const MARGIN =
  /^\s*(?:\d+\s*)?[|│┃]\s*$|^\s*[╭╰├└┌╷╵┐┘┴┬]─{0,6}$|^\s*─{3,7}[╯╮]$|^(?:npm (?:error|ERR!)|\[(?:ERROR|INFO|WARNING)\])$/;
/** A line that a diff adds or removes: its neighbour may be one of signs. */
const OF_DIFF = /^\s*(?:[+-](?![+-])[^=*+|-]|@@ )/;

/** Without the lines that only separate others. */
export function withoutRulers(lines: readonly Line[]): Line[] {
  return lines.filter((line, index) => !isRuler(line, lines[index - 1], lines[index + 1]));
}

function isRuler({ text }: Line, before: Line | undefined, after: Line | undefined): boolean {
  const said = withoutPrefix(text);
  if (!RULER.test(said) && !MARGIN.test(said)) return false;
  if (OF_DIFF.test(before?.text ?? '') || OF_DIFF.test(after?.text ?? '')) return false;
  // A value may be such a line.
  const mayBeValue = before && introducesNext(before.text) && !namesPlace(before.text);
  return !mayBeValue || indentOf(text) <= indentOf(before.text);
}
