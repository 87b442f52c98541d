/**
 * Entries of a report: a title, and values with their names. Where some have a line more, which says that they failed, the
 * others with the same names have passed.
 */

import { SEVERITY } from '../lines/rules.ts';
import { isValue } from '../lines/structure.ts';
import type { Line, StoredFailure } from './failure.ts';

/** `  Size limit: 12 kB`. What was expected is no such value: it is printed of what failed. */
const VALUE = /^\s+([A-Z][\w ]*):\s+\S/;
/** A single one may be anything. */
const MIN_VALUES = 2;

/** The positions of the entries that have passed. @param all the lines of an output, with blank ones between the entries */
export function passedEntriesIn(
  all: readonly Line[],
  failures: readonly StoredFailure[],
): ReadonlySet<number> {
  const severe = failures.filter(({ severity }) => severity >= SEVERITY.tagged);
  const headlines = new Set(severe.map(({ block }) => block.headline.at));
  const entries = paragraphsIn(all).map((lines) => ({
    lines,
    names: lines.flatMap(({ text }) => (isValue(text) ? [] : (VALUE.exec(text)?.[1] ?? []))),
    hasFailed: lines.some(({ at }) => headlines.has(at)),
  }));
  const complete = entries.filter(
    ({ lines, names, hasFailed }) =>
      names.length >= MIN_VALUES && lines.length === names.length + (hasFailed ? 2 : 1),
  );
  const namesOf = ({ names }: (typeof entries)[number]) => names.join('\n');
  const failed = new Set(complete.filter(({ hasFailed }) => hasFailed).map(namesOf));
  const passed = complete.filter((entry) => !entry.hasFailed && failed.has(namesOf(entry)));
  return new Set(passed.flatMap(({ lines }) => lines.map(({ at }) => at)));
}

function paragraphsIn(all: readonly Line[]): Line[][] {
  const paragraphs: Line[][] = [[]];
  for (const line of all) {
    if (line.text === '') paragraphs.push([]);
    else paragraphs.at(-1)?.push(line);
  }
  return paragraphs;
}
