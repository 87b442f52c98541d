/** A failed test of which the output has only the name: what was printed next to it is all that says why. */

import { startedTestIn } from '../failures/crashed-test.ts';
import type { FailureBlock, Line, StoredFailure } from '../failures/failure.ts';
import { isNoise } from '../failures/noise.ts';
import type { Outline } from '../failures/outline.ts';
import { classificationOf } from '../lines/classify.ts';
import { SEVERITY } from '../lines/rules.ts';
import { isExternalFrame } from '../lines/stack-frames.ts';
import { hasWords, indentOf, separatorIn } from '../lines/structure.ts';

/** Lines on one side of the name. */
const REACH = 8;
/** How the tests of a package in Go have ended. */
const OF_PACKAGE = /^FAIL\t\S+\t/;
const PASSED_PACKAGE = /^(?:ok {2}|\? {3})\t/;
/** The command line of a test may follow its name. */
const COMMAND = /^(?:>>>|[$+>]) /;

/**
 * For each failed test that says nothing but its name, the lines below it, or those above it if they are nearer: some
 * runners print what a test has printed before its result.
 */
export function besideSilentTests(
  tests: readonly StoredFailure[],
  failures: readonly StoredFailure[],
  { whole = [], near }: Outline,
): Line[][] {
  if (!tests.some(isSilent)) return [];
  const known = new Map([...whole, ...near].map((line) => [line.at, line]));
  const taken = new Set(
    failures.flatMap(({ block }) => block.lines.filter(isNextTo(block)).map(({ at }) => at)),
  );
  const isExplained = ({ block: { headline } }: StoredFailure) =>
    failures.some(
      ({ block: { headline: below } }) =>
        below.at === headline.at + 1 &&
        (indentOf(below.text) > indentOf(headline.text) || classificationOf(below.text) !== 'failedTest'),
    );
  // A package of Go has failed because a test above has.
  const isSummedUp = ({ block: { headline } }: StoredFailure) => {
    if (!OF_PACKAGE.test(headline.text)) return false;
    const above = failures.filter(
      ({ severity, block }) => severity >= SEVERITY.thrown && block.headline.at < headline.at,
    );
    const last = above.at(-1)?.block.headline;
    if (!last || OF_PACKAGE.test(last.text)) return false;
    return ![...known.values()].some(
      ({ at, text }) => at > last.at && at < headline.at && PASSED_PACKAGE.test(text),
    );
  };
  const silent = tests.filter((stored) => {
    if (!isSilent(stored)) return false;
    return !isExplained(stored) && !isSummedUp(stored);
  });
  return silent.map(({ block: { headline, lines } }) => {
    const last = lines.at(-1)?.at ?? headline.at;
    const below = linesFrom(last, 1, known, taken);
    const above = linesFrom(headline.at, -1, known, taken);
    const start = isRuler(known.get(last + 1)) ? last + 1 : last;
    return distance(below, start) <= distance(above, headline.at) ? below : above.toReversed();
  });
}

/** What a test has printed may be between two lines of signs. */
function isRuler(line: Line | undefined): boolean {
  const title = line && separatorIn(line.text)?.title;
  return title !== undefined && !hasWords(title);
}

function distance([nearest]: readonly Line[], at: number): number {
  return nearest ? Math.abs(nearest.at - at) : Number.POSITIVE_INFINITY;
}

/** Whether a line is below a headline, or right above it: what is further above may be the title of several. */
function isNextTo({ headline, lines }: FailureBlock): (line: Line) => boolean {
  const places = new Set(lines.map(({ at }) => at));
  let start = headline.at;
  while (places.has(start - 1)) start--;
  return ({ at }) => at >= start;
}

function isSilent({ block: { severity, headline, lines } }: StoredFailure): boolean {
  const says = ({ at, text }: Line) => at > headline.at && text !== '' && !COMMAND.test(text);
  return severity === SEVERITY.failedTest && !lines.some(says);
}

/** The lines next to a place, up to the next result or title. */
function linesFrom(
  start: number,
  step: 1 | -1,
  known: ReadonlyMap<number, Line>,
  taken: ReadonlySet<number>,
): Line[] {
  const lines: Line[] = [];
  for (let at = start + step; Math.abs(at - start) <= REACH; at += step) {
    const line = known.get(at);
    if (taken.has(at) || (line && startedTestIn(line.text) !== undefined)) break;
    if (!line || line.text === '') continue;
    const classification = classificationOf(line.text);
    if (classification === 'passed' || classification === 'summary') break;
    const separator = separatorIn(line.text);
    if (separator && (lines.length > 0 || hasWords(separator.title))) break;
    if (hasWords(line.text) && !isNoise(line.text) && !isExternalFrame(line.text)) lines.push(line);
  }
  return lines;
}
