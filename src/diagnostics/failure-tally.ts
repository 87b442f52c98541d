import { count, thousands } from '../base/text.ts';
import { WEIGHT } from './line-meaning.ts';
import type { Tally } from './tallies.ts';

const SHOWN = 4;
/** Fewer than this that are not shown need no counting. */
const MIN_HIDDEN = 3;
const MAX_NAME_CHARACTERS = 60;

/**
 * How many failures there were in all, by kind and file: `300 in all: 280 × TS2339, 20 × TS2322; 30 files: src/a.ts 10, …`.
 *
 * @param shown how many of them the excerpt shows; where it shows about all of them there is nothing to say
 */
export function tallyLine(tallies: ReadonlyMap<number, Tally>, shown: number): string | undefined {
  const tally = tallies.get(WEIGHT.located) ?? tallies.get(WEIGHT.thrown);
  if (!tally || tally.count - shown < MIN_HIDDEN) return undefined;
  const kinds = top(tally.kinds).map(([kind, times]) => `${thousands(times)} × ${kind}`);
  const files = top(tally.files).map(([file, times]) => `${file} ${thousands(times)}`);
  const inFiles =
    tally.files.size > 1 ? `; ${count(tally.files.size, 'file')}: ${listed(files, tally.files.size)}` : '';
  return `… ${thousands(tally.count)} in all: ${listed(kinds, tally.kinds.size)}${inFiles}`;
}

function top(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, SHOWN)
    .map(([key, times]) => [key.slice(0, MAX_NAME_CHARACTERS), times]);
}

function listed(items: readonly string[], total: number): string {
  return `${items.join(', ')}${total > items.length ? ', …' : ''}`;
}
