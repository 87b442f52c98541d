/** Errors that a program has logged again and again, about other things. */

import { hasDetails, type StoredFailure } from '../failures/failure.ts';
import { withoutPrefix } from '../lines/prefix.ts';
import { SEVERITY } from '../lines/rules.ts';
import { isFrame } from '../lines/stack-frames.ts';
import { namesLine, namesPlace } from '../lines/structure.ts';

/** Failures, without those that others stand for. */
interface OneOfEach {
  /** In order of arrival. */
  readonly failures: readonly StoredFailure[];
  readonly others: ReadonlySet<StoredFailure>;
}

/** Two errors from one place, which were called from one place, differ in what they are about. */
const SAME_FRAMES = 2;
/** What was thrown, behind what a logger has put before it. */
const CLASS = /\b([A-Z]\w*(?:Error|Exception))\b/;

/**
 * Beside tests that have failed and say why: of the errors that were logged from one place, the first, with the count of
 * all. The others are about something else: `unknown reason 'ugly'` and `unknown reason 'old'`.
 */
export function oneOfEachPlace(failures: readonly StoredFailure[]): OneOfEach {
  const isTest = ({ block }: StoredFailure) => block.severity === SEVERITY.failedTest && hasDetails(block);
  const sorts = new Map<string, StoredFailure[]>();
  for (const stored of failures.some(isTest) ? failures : []) {
    const sort = sortOf(stored);
    if (sort !== undefined) sorts.set(sort, [...(sorts.get(sort) ?? []), stored]);
  }
  const others = new Set([...sorts.values()].flatMap((alike) => alike.slice(1)));
  const countOf = (stored: StoredFailure) =>
    (sorts.get(sortOf(stored) ?? '') ?? [stored]).reduce((sum, { times }) => sum + times, 0);
  return {
    failures: failures
      .filter((stored) => !others.has(stored))
      .map((stored) => ({ ...stored, times: countOf(stored) })),
    others,
  };
}

/** What was thrown, and where; undefined for the result of a test, its reason, and what has a place in its headline. */
function sortOf({ severity, block: { severity: own, headline, lines } }: StoredFailure): string | undefined {
  if (Math.max(severity, own) > SEVERITY.thrown || own <= SEVERITY.mentioned) return undefined;
  if (namesLine(withoutPrefix(headline.text))) return undefined;
  const below = lines.filter(({ at }) => at > headline.at).map(({ text }) => withoutPrefix(text));
  const frames = below.filter((text) => isFrame(text) && namesPlace(text)).slice(0, SAME_FRAMES);
  if (frames.length === 0) return undefined;
  const thrown = [withoutPrefix(headline.text), ...below].map((text) => CLASS.exec(text)?.[1]);
  return [thrown.find((name) => name !== undefined), ...frames].join('\n');
}
