import { readLog } from './execution-log.ts';
import { ralphDirectory } from './paths.ts';

/** The last runs say more than older ones. */
const RUNS = 5;

/** The median of how long each gate of a project took in its last runs, in milliseconds, by name. */
export function usualDurations(root: string): ReadonlyMap<string, number> {
  const durations = new Map<string, number[]>();
  const seen = new Set<string>();
  for (const { time, gates } of readLog(ralphDirectory(root)).toReversed())
    for (const { name, outcome, duration_ms: ms, reused } of gates) {
      // A gate that outlasts the host may be in the log only where its pass was reused.
      const run = `${name} ${reused ?? time}`;
      const known = durations.get(name) ?? [];
      if (known.length >= RUNS || seen.has(run) || (outcome !== 'passed' && outcome !== 'failed')) continue;
      seen.add(run);
      durations.set(name, [...known, ms]);
    }
  return new Map([...durations].map(([name, known]) => [name, median(known)]));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
