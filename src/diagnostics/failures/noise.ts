/** Whether a line says something about a failure, by itself. */

import { classificationOf } from '../lines/classify.ts';
import { pointsElsewhere } from '../lines/pointers.ts';
import { withoutPrefix } from '../lines/prefix.ts';
import { isExternalFrame } from '../lines/stack-frames.ts';
import { hasWords, isProgress, isTraceback } from '../lines/structure.ts';
import { saysNothing } from './consequences.ts';
import type { Line } from './failure.ts';

/** Blank lines, passed tests, progress, warnings, headings of stacks and external frames say nothing between two shown lines. */
export function saysSomething(text: string): boolean {
  const said = withoutPrefix(text);
  return (
    hasWords(said) &&
    !isTraceback(said) &&
    !isExternalFrame(said) &&
    !isNoise(text) &&
    !saysNothing(text) &&
    !isOnTheWay(text) &&
    classificationOf(text) !== 'warning'
  );
}

/** Whether a line is about a passed test, or progress, or points elsewhere. */
export function isNoise(text: string): boolean {
  const classification = classificationOf(text);
  return classification === 'passed' || classification === 'chatter' || pointsElsewhere(withoutPrefix(text));
}

/** Whether a line says what is being done. */
export function isOnTheWay(text: string): boolean {
  return isProgress(withoutPrefix(text));
}

/** The heading of the tests, or groups of tests, that took most time; each is below it, with its duration. */
const SLOWEST = /^Top \d+ slowest\b/;

/** The positions of lists of the slowest tests: most of them have passed. */
export function slowestIn(lines: readonly Line[]): number[] {
  let isInList = false;
  return lines.flatMap(({ at, text }) => {
    const said = withoutPrefix(text);
    isInList = SLOWEST.test(said) || (isInList && /^\s/.test(said));
    return isInList ? [at] : [];
  });
}
