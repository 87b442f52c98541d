import type { Line } from './failure.ts';

/** A line of source with its number, but no line of a diff. */
const NUMBERED = /^\s*(?:[|│] )?\s*\d+(?:\s?[|│┃]|:)(?! [+-] )/;
/** That which is wrong. */
const MARKED = /^\s*=?>\s*\d+(?:\s?[|│┃]|:)/;
/** Points into the line above. */
const POINTER = /^\s*(?:[|│┃:·╵┊]\s+[\^~─┬╰`-]|[\^~])/;
const WORD = /[\p{L}\d]/u;
const COLUMN = /[\w)\]"]:\d+:\d+|\(\d+, ?\d+\)|\[\d+:\d+\]/;
/** Lines between a column and the source that is quoted below it. */
const REACH = 4;
/** A shorter line may be another one. */
const MIN_QUOTED = 16;

/**
 * Without the source that was quoted before: the lines around the one that is wrong, and that one too, if its column is
 * named above it.
 */
export function withoutQuotedAgain<L extends Line>(lines: readonly L[]): L[] {
  const context = contextIn(lines);
  const quoted = new Set<string>();
  const kept: L[] = [];
  let pointer: L | undefined;
  for (const [index, line] of lines.entries()) {
    if (line === pointer) continue;
    const source = line.text.trim();
    const isRepeated = quoted.has(source);
    const next = lines[index + 1];
    const below = next?.at === line.at + 1 && POINTER.test(next.text) ? next : undefined;
    if (below || context.has(line)) quoted.add(source);
    if (below || namesColumn(kept.at(-1))) {
      const isKnown = source.length >= MIN_QUOTED && kept.slice(-REACH).some(namesColumn);
      if (isRepeated && isKnown && !WORD.test(below?.text ?? '')) pointer = below;
      else kept.push(line);
    } else if (!isRepeated || !context.has(line)) kept.push(line);
  }
  return kept;
}

/** The numbered lines of frames of code: in each, one line is marked or pointed at. Other numbers may be places. */
function contextIn<L extends Line>(lines: readonly L[]): ReadonlySet<L> {
  const context = new Set<L>();
  let [frame, isFrame]: [L[], boolean] = [[], false];
  for (const line of lines) {
    const isSign = MARKED.test(line.text) || POINTER.test(line.text);
    if (!isSign && !NUMBERED.test(line.text)) {
      if (isFrame) for (const part of frame) context.add(part);
      [frame, isFrame] = [[], false];
    } else if (isSign) isFrame = true;
    else frame.push(line);
  }
  if (isFrame) for (const part of frame) context.add(part);
  return context;
}

function namesColumn(line: Line | undefined): boolean {
  return line !== undefined && COLUMN.test(line.text);
}
