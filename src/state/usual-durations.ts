import { readLog } from './execution-log.ts';
import { ralphDirectory } from './paths.ts';

/** The last runs say more than older ones. */
const RUNS = 5;

/** The median of how long each gate of a project took in its last runs, in milliseconds, by name. */
export function usualDurations(root: string): ReadonlyMap<string, number> {
  const durations = new Map<string, number[]>();
  for (const { gates } of readLog(ralphDirectory(root)).toReversed())
    for (const { name, outcome, duration_ms: ms, reused } of gates) {
      if (reused !== undefined) continue;
      const known = durations.get(name) ?? [];
      if (known.length < RUNS && (outcome === 'passed' || outcome === 'failed'))
        durations.set(name, [...known, ms]);
    }
  return new Map([...durations].map(([name, known]) => [name, median(known)]));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
