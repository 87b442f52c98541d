import { type Line, positionsOf, type StoredFailure } from '../failures/failure.ts';
import type { Outline } from '../failures/outline.ts';
import { classificationOf } from '../lines/classify.ts';
import { shapeOf } from '../lines/likeness.ts';
import { withoutPrefix } from '../lines/prefix.ts';
import { SEVERITY } from '../lines/rules.ts';
import { isBanner, isFramed } from '../lines/structure.ts';

/** A version further below may be what is wrong. */
const FIRST_LINES = 5;

/** A part of a name that is drawn with signs. No words are in it. */
const DRAWN = /^(?=.*[/\\|])(?=(?:.*?[_/\\|'`.-]){5})(?!.*([A-Za-z\d])(?!\1)[A-Za-z\d])/;
const MIN_DRAWN = 3;
const MAX_DRAWN_AT = 16;

/**
 * Where the first lines of an output are what the program says of itself. Where nothing is said to have failed, its version
 * may be why; versions that look alike are data.
 */
export function bannerIn({ whole, head }: Outline, failures: readonly StoredFailure[]): ReadonlySet<number> {
  if (!failures.some(({ severity }) => severity >= SEVERITY.tagged)) return new Set();
  const lines = whole ?? head;
  const drawn = drawnIn(lines);
  const first = lines
    .map(({ at, text }) => ({ at, text: withoutPrefix(text).trim() }))
    .filter(({ at, text }) => text !== '' && !drawn.has(at) && !isFramed(text))
    .slice(0, FIRST_LINES);
  const ofFailures = positionsOf(failures);
  const shapes = first.map(({ text }) => shapeOf(text));
  const isOfProgram = ({ at, text }: Line, index: number) =>
    isBanner(text) &&
    classificationOf(text) === 'plain' &&
    !ofFailures.has(at) &&
    !shapes.some((shape, other) => other !== index && shape === shapes[index]);
  return new Set([...drawn, ...first.filter(isOfProgram).map(({ at }) => at)]);
}

/** Where a name is drawn over several lines. */
function drawnIn(lines: readonly Line[]): ReadonlySet<number> {
  const drawn = new Set<number>();
  let row: Line[] = [];
  for (const line of lines.filter(({ at }) => at < MAX_DRAWN_AT)) {
    row = DRAWN.test(line.text) ? [...row, line] : [];
    if (row.length >= MIN_DRAWN) for (const { at } of row) drawn.add(at);
  }
  return drawn;
}
