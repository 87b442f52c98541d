import type { Line, StoredFailure } from './failure.ts';
import { SEVERITY } from './rules.ts';

/** A name in a line: quoted, or of several parts. */
const NAME = /["'`‘“«]([^"'`’”»\s]{2,})["'`’”»]|[\w@]+(?:[-./:_][\w@]+)+/g;
/** All errors and warnings of a file name it. */
const FILE = /\.[A-Za-z]\w{0,7}$/;
/** What failed although it is called a warning. */
const FAILURE =
  /\b(?:fail(?:ed|ure|s)?|missing|unresolved|not found|cannot|could not|unable|fatal|invalid|rejected|declined|refused|denied)\b/i;
/** What a compiler adds to the error above. */
const ADDITION = /\b(?:note|info|hint|help)\b/i;

/**
 * The texts of warnings that do not explain an error: beside one that is sure they are noise. A warning explains an error
 * if it names what the error names, says that something failed, or is an addition to it.
 */
export function unrelatedWarnings(failures: readonly StoredFailure[]): ReadonlySet<string> {
  const errors = failures.filter(({ severity }) => severity >= SEVERITY.tagged);
  if (!errors.some(({ severity }) => severity >= SEVERITY.thrown)) return new Set();
  const names = new Set(errors.flatMap(({ block }) => block.lines.flatMap(namesIn)));
  const ends = new Set(errors.map(({ block }) => block.lines.at(-1)?.at));
  const explains = ({ block: { headline, lines } }: StoredFailure) =>
    (ends.has(headline.at - 1) && ADDITION.test(headline.text)) ||
    lines.some((line) => namesIn(line).some((name) => names.has(name)));
  const unrelated = failures.filter((stored) => stored.severity === SEVERITY.warning && !explains(stored));
  return new Set(
    unrelated.flatMap(({ block }) =>
      block.lines.map(({ text }) => text).filter((text) => text !== '' && !FAILURE.test(text)),
    ),
  );
}

function namesIn({ text }: Line): string[] {
  return [...text.matchAll(NAME)].map(([name, quoted]) => quoted ?? name).filter((name) => !FILE.test(name));
}
