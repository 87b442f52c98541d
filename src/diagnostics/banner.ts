import { classificationOf } from './classify.ts';
import { type Line, positionsOf, type StoredFailure } from './failure.ts';
import { shapeOf } from './likeness.ts';
import type { Outline } from './outline.ts';
import { withoutPrefix } from './prefix.ts';
import { SEVERITY } from './rules.ts';
import { isBanner, isFramed } from './structure.ts';

/** A version further below may be what is wrong. */
const FIRST_LINES = 5;

/**
 * Where the first lines of an output are what the program says of itself. Where nothing is said to have failed, its version
 * may be why; versions that look alike are data.
 */
export function bannerIn({ whole, head }: Outline, failures: readonly StoredFailure[]): ReadonlySet<number> {
  if (!failures.some(({ severity }) => severity >= SEVERITY.tagged)) return new Set();
  const first = (whole ?? head)
    .map(({ at, text }) => ({ at, text: withoutPrefix(text).trim() }))
    .filter(({ text }) => text !== '' && !isFramed(text))
    .slice(0, FIRST_LINES);
  const ofFailures = positionsOf(failures);
  const shapes = first.map(({ text }) => shapeOf(text));
  const isOfProgram = ({ at, text }: Line, index: number) =>
    isBanner(text) &&
    classificationOf(text) === 'plain' &&
    !ofFailures.has(at) &&
    !shapes.some((shape, other) => other !== index && shape === shapes[index]);
  return new Set(first.filter(isOfProgram).map(({ at }) => at));
}
