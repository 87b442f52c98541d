import type { KnownFailure } from './types.ts';

// Failures as multisets: two of the same are not one.

/** The name of the file in the root of a project. */
export const BASELINE_FILE = 'ralph-baseline.json';

/** Equal for two entries about the same failure. */
export function keyOf({ kind, file, message }: Omit<KnownFailure, 'count'>): string {
  return [kind, file ?? '', message].join('\n');
}

/** The failures that are not among others, each as often as it is missing there. */
export function without(failures: readonly KnownFailure[], others: readonly KnownFailure[]): KnownFailure[] {
  const counts = new Map<string, number>();
  for (const other of others) counts.set(keyOf(other), (counts.get(keyOf(other)) ?? 0) + other.count);
  return failures
    .map((failure) => ({ ...failure, count: failure.count - (counts.get(keyOf(failure)) ?? 0) }))
    .filter(({ count }) => count > 0);
}

/** By file, kind and message, in the order of their characters, which no language changes. */
export function sorted(failures: readonly KnownFailure[]): KnownFailure[] {
  const placeOf = ({ kind, file, message }: KnownFailure) => [file ?? '', kind, message].join('\n');
  return failures.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

/** A line that names what has failed, without a test in it: `FAIL src/a.test.ts`. */
const FAILED_FILE = /^\W*FAIL\s+\S+$/;
const MARK = /^(?:[^\w"']|(?:FAIL(?:ED)?|ERROR|not ok)\b)+/;
const BETWEEN_NAMES = /\s[>›]\s|::/;

/**
 * How many failures people would count. Runners name a test that failed several times, and print its reason, so the
 * names of tests count if there are any.
 */
export function countOf(failures: readonly KnownFailure[]): number {
  const tests = failures.filter(({ kind, message }) => kind === TEST && !FAILED_FILE.test(message));
  if (tests.length === 0) return failures.reduce((sum, { count }) => sum + count, 0);
  const nameOf = (message: string) => message.replace(MARK, '').split(BETWEEN_NAMES).at(-1);
  const placed = tests.filter(({ file }) => file !== null);
  const names = new Set(placed.map(({ message }) => nameOf(message)));
  const others = tests.filter(({ file, message }) => file === null && !names.has(nameOf(message)));
  return new Set([...placed, ...others].map(({ file, message }) => `${file} ${nameOf(message)}`)).size;
}

/** The kind of a line that names a test, a check or a target that failed. */
export const TEST = 'test';
