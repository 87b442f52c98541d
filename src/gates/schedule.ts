import { orderOf } from './plan.ts';
import { type Gate, type GateResult, holds } from './types.ts';

/** How a gate ended the last time. */
export interface LastRun {
  readonly failed: boolean;
  readonly durationMs: number;
}

/** A gate of a run, and what decides when it starts. */
export interface ScheduledGate {
  readonly gate: Gate;
  /** Its result is known without running it. */
  readonly isKnown: boolean;
  readonly last: LastRun | undefined;
}

interface ScheduleOptions {
  /** How many gates run at the same time. */
  readonly jobs: number;
  /** Whether a gate is not to be started after the gates that have ended. */
  readonly mustSkip: (gate: Gate, ended: readonly GateResult[]) => boolean;
}

/** What is known while gates run. Gates are identified by their index. */
export interface Progress {
  /** Undefined for the gates that have not ended. */
  readonly results: readonly (GateResult | undefined)[];
  readonly running: readonly number[];
}

/** What happens next to a gate. */
export interface Step {
  readonly index: number;
  readonly what: 'start' | 'skip';
}

/** How many gates run at the same time; `auto`: as many as this process may use processors. */
export async function jobCount(jobs: number | 'auto' = 1): Promise<number> {
  // Loaded on demand: most runs are over before they need it.
  return jobs === 'auto' ? (await import('node:os')).availableParallelism() : jobs;
}

/**
 * Returns the function that decides what happens next; it returns undefined if a running gate must end first. A gate
 * waits for the gates of the lower orders, and for those that it needs. With one job the gates run in the given order.
 * With more, of the gates that may start, those that failed the last time come first, and then the shortest.
 *
 * @param scheduled in the planned order
 */
export function scheduleOf(
  scheduled: readonly ScheduledGate[],
  { jobs, mustSkip }: ScheduleOptions,
): (progress: Progress) => Step | undefined {
  const gates = scheduled.map(({ gate }) => gate);
  const starts = startsOfOrders(gates);
  const needs = gates.map((gate) => neededBy(gate, gates));
  const isExclusive = scheduled.map(
    ({ gate, isKnown }) => !isKnown && gate.kind === 'command' && gate.exclusive === true,
  );
  const sequence = jobs > 1 ? byUrgency(scheduled) : gates.map((_, index) => index);

  return ({ results, running }) => {
    if (running.length >= jobs || running.some((index) => isExclusive[index])) return undefined;
    const ended = results.filter((result) => result !== undefined);
    // All gates of the lower orders have ended if all gates before the first one of this order have.
    const endedUpTo = results.indexOf(undefined);
    for (const index of sequence) {
      const gate = gates[index];
      if (!gate || results[index] || running.includes(index) || endedUpTo < (starts[index] ?? 0)) continue;
      const needed = needs[index]?.map((each) => results[each]) ?? [];
      if (needed.includes(undefined)) continue;
      const lacksNeed = needed.some((result) => result && !holds(result.outcome));
      if (lacksNeed || mustSkip(gate, ended)) return { index, what: 'skip' };
      if (!isExclusive[index] || running.length === 0) return { index, what: 'start' };
    }
    return undefined;
  };
}

/** For each gate, the index of the first gate of its order. */
function startsOfOrders(gates: readonly Gate[]): number[] {
  let start = 0;
  return gates.map((gate, index) => {
    const previous = gates[index - 1];
    if (previous && orderOf(previous) !== orderOf(gate)) start = index;
    return start;
  });
}

/** A gate that is needed and not part of the run is disabled, or was not selected. */
function neededBy(gate: Gate, gates: readonly Gate[]): number[] {
  if (gate.kind === 'marker' || gate.needs === undefined) return [];
  const { needs } = gate;
  return gates.flatMap(({ name }, index) => (needs.includes(name) ? [index] : []));
}

/** Known results first, because they cost nothing. Gates that never ran come last. */
function byUrgency(scheduled: readonly ScheduledGate[]): number[] {
  const ranked = scheduled.map(({ gate, isKnown, last }, index) => ({
    index,
    group: isKnown || gate.kind === 'marker' ? 0 : last?.failed ? 1 : 2,
    durationMs: last?.durationMs ?? Number.MAX_VALUE,
  }));
  return ranked
    .toSorted((a, b) => a.group - b.group || a.durationMs - b.durationMs)
    .map(({ index }) => index);
}
