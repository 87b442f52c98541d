/** Errors that a program has logged again and again, about other things. */

import { hasDetails, type StoredFailure } from '../failures/failure.ts';
import { wordingOf } from '../lines/likeness.ts';
import { taskOf, withoutPrefix } from '../lines/prefix.ts';
import { SEVERITY } from '../lines/rules.ts';
import { isFrame } from '../lines/stack-frames.ts';
import { namesLine, namesPlace } from '../lines/structure.ts';

/** Failures, without those of which another one has the count. */
interface OneOfEach {
  /** In order of arrival. */
  readonly failures: readonly StoredFailure[];
  readonly others: ReadonlySet<StoredFailure>;
}

/** Two errors from one place, which were called from one place, differ in what they are about. */
const SAME_FRAMES = 2;
/** What was thrown, behind what a logger has put before it. */
const CLASS = /\b([A-Z]\w*(?:Error|Exception))\b/;

/** Fewer lines of one wording may be about different things. */
const MIN_MENTIONS = 3;

/**
 * Beside tests that have failed and say why: of the errors that were logged from one place, the first, with the count of
 * all. The others are about something else: `unknown reason 'ugly'` and `unknown reason 'old'`. And beside a sure error, of
 * the lines of one wording that mention a failure, such as a picture that was not found, the first.
 */
export function oneOfEachSort(failures: readonly StoredFailure[]): OneOfEach {
  const isTest = ({ block }: StoredFailure) => block.severity === SEVERITY.failedTest && hasDetails(block);
  const isSure = failures.some(({ severity }) => severity >= SEVERITY.thrown);
  const sorts = [
    ...(failures.some(isTest) ? sorted(failures, placeIn) : []),
    ...(isSure ? sorted(failures, wordingIn) : []).filter(({ length }) => length >= MIN_MENTIONS),
  ];
  const others = new Set(sorts.flatMap(([, ...alike]) => alike));
  const firsts = new Map(sorts.map(([first, ...alike]) => [first, alike]));
  return {
    failures: failures
      .filter((stored) => !others.has(stored))
      .map((stored) => {
        const alike = firsts.get(stored);
        return alike ? withOthers(stored, alike) : stored;
      }),
    others,
  };
}

/** A failure with the count of others, as if these were further prints of it. */
function withOthers(stored: StoredFailure, others: readonly StoredFailure[]): StoredFailure {
  const printsOf = ({ block, again = [] }: StoredFailure) => [block.lines.map(({ at }) => at), ...again];
  return {
    ...stored,
    times: others.reduce((sum, { times }) => sum + times, stored.times),
    again: [...(stored.again ?? []), ...others.flatMap(printsOf)],
  };
}

function sorted(
  failures: readonly StoredFailure[],
  sortOf: (stored: StoredFailure) => string | undefined,
): StoredFailure[][] {
  const sorts = new Map<string, StoredFailure[]>();
  for (const stored of failures) {
    const sort = sortOf(stored);
    const known = sorts.get(sort ?? '');
    if (known) known.push(stored);
    else if (sort !== undefined) sorts.set(sort, [stored]);
  }
  return [...sorts.values()];
}

/** What was thrown, and where; undefined for the result of a test, its reason, and what has a place in its headline. */
function placeIn({ severity, block: { severity: own, headline, lines } }: StoredFailure): string | undefined {
  if (Math.max(severity, own) > SEVERITY.thrown || own <= SEVERITY.mentioned) return undefined;
  if (namesLine(withoutPrefix(headline.text))) return undefined;
  const below = lines.filter(({ at }) => at > headline.at).map(({ text }) => withoutPrefix(text));
  const frames = below.filter((text) => isFrame(text) && namesPlace(text)).slice(0, SAME_FRAMES);
  if (frames.length === 0) return undefined;
  const thrown = [withoutPrefix(headline.text), ...below].map((text) => CLASS.exec(text)?.[1]);
  return [thrown.find((name) => name !== undefined), ...frames].join('\n');
}

/** How a line mentions that something failed, whatever it is; undefined for what says more. */
function wordingIn({ severity, block }: StoredFailure): string | undefined {
  const isMention = severity === SEVERITY.mentioned && block.severity === SEVERITY.mentioned;
  if (!isMention || hasDetails(block)) return undefined;
  const { text, prefix } = block.headline;
  return `${taskOf(prefix)} ${wordingOf(withoutPrefix(text))}`;
}
