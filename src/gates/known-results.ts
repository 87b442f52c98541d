import type { Recording } from '../process/output.ts';
import {
  type Gate,
  type GateOutcome,
  type GateResult,
  holds,
  type MarkerGate,
  type Verdict,
} from './types.ts';

/** Of a command that printed nothing, or did not run. */
export const NO_OUTPUT: Recording = { head: [], tail: [], omittedBytes: 0 };

// What is known about gates without running a command. A stop that runs none loads nothing else about results.

/** A result without the gate that it belongs to, and without output. */
export type Settled = Omit<GateResult, 'gate' | 'output' | 'endedAfterMs'>;

export function settledResult(gate: Gate, settled: Settled): GateResult {
  return { ...settled, gate, output: NO_OUTPUT };
}

/** @param message the agent's last one */
export function markerResult(gate: MarkerGate, message: string): GateResult {
  return withoutOutput(gate, markerOutcome(message.includes(gate.marker)));
}

export function markerOutcome(isFound: boolean): GateOutcome {
  return { reason: isFound ? 'passed' : 'marker-missing' };
}

export function withoutOutput(gate: Gate, outcome: GateOutcome): GateResult {
  return { gate, outcome, durationMs: 0, output: NO_OUTPUT };
}

/** The verdict of the results together. Gates that do not block do not count. */
export function verdictOf(results: readonly GateResult[]): Verdict {
  const outcomes = results.filter(({ gate }) => gate.blocking).map(({ outcome }) => outcome);
  if (outcomes.some((outcome) => !holds(outcome) && !isUnfinished(outcome))) return 'failed';
  return outcomes.every(holds) ? 'passed' : 'incomplete';
}

function isUnfinished({ reason }: GateOutcome): boolean {
  return reason === 'skipped' || reason === 'out-of-time' || reason === 'interrupted';
}
