import type { LoggedGate } from './execution-log.ts';

/** What gates that did not run here have saved. */
export interface SavedTime {
  /** How many results were those of an earlier pass with the same files. */
  readonly reused: number;
  /** How many results were those of another process. */
  readonly joined: number;
  /** How long these gates ran, there or then, in milliseconds. */
  readonly savedMs: number;
}

/** Outcomes of gates without a result. */
const NOT_RUN: readonly LoggedGate['outcome'][] = ['skipped', 'unaffected', 'interrupted'];

/** Whether a gate has a result, of this run or of another one. */
export function hasResult({ outcome }: LoggedGate): boolean {
  return !NOT_RUN.includes(outcome);
}

/** Whether a gate with a result ran for it. */
export function ranHere({ reused, joined }: LoggedGate): boolean {
  return !reused && !joined;
}

export function savedTime(gates: readonly LoggedGate[]): SavedTime {
  const saved = gates.filter((gate) => hasResult(gate) && !ranHere(gate));
  const reused = saved.filter((gate) => gate.reused).length;
  return {
    reused,
    joined: saved.length - reused,
    savedMs: saved.reduce((sum, { duration_ms: ms }) => sum + ms, 0),
  };
}
