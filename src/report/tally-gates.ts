import type { LoggedGate } from '../state/execution-log.ts';
import type { Attempt } from './loop-run.ts';
import { median } from './median.ts';

/** How a gate did over all its runs. */
export interface GateTally {
  readonly name: string;
  readonly runs: number;
  readonly failures: number;
  /** In milliseconds. */
  readonly medianMs: number;
  readonly maxMs: number;
}

/** Gates that never came to a result. */
const NOT_RUN = ['skipped', 'interrupted'];

/** @returns those that failed most first, and of these the slowest */
export function tallyGates(attempts: readonly Attempt[]): GateTally[] {
  const byName = new Map<string, LoggedGate[]>();
  for (const gate of attempts.flatMap(({ gates }) => gates)) {
    if (NOT_RUN.includes(gate.outcome)) continue;
    const runs = byName.get(gate.name);
    if (runs) runs.push(gate);
    else byName.set(gate.name, [gate]);
  }
  const tallies = [...byName].map(([name, runs]) => {
    const durations = runs.map((run) => run.duration_ms);
    return {
      name,
      runs: runs.length,
      failures: runs.filter(({ outcome }) => outcome !== 'passed').length,
      medianMs: median(durations) ?? 0,
      // Not Math.max(...durations): a long log has more of them than a call may have arguments.
      maxMs: durations.reduce((most, ms) => Math.max(most, ms), 0),
    };
  });
  return tallies.toSorted(
    (a, b) => b.failures - a.failures || b.medianMs - a.medianMs || a.name.localeCompare(b.name),
  );
}
