import type { Attempt, LoopRun, Outcome } from './loop-run.ts';

/** What a number of loops came to. */
export interface Tally extends Readonly<Record<Outcome, number>> {
  /** All of them. */
  readonly loops: number;
  /** What their gates took, in milliseconds. */
  readonly gateMs: number;
  /** What the agents' iterations took that ralph-loop drove itself, in milliseconds. */
  readonly agentMs: number;
  /** Null where no agent told. */
  readonly costUsd: number | null;
  readonly tokens: number | null;
}

export function tallyLoops(runs: readonly LoopRun[]): Tally {
  const attempts = runs.flatMap((run) => run.attempts);
  const ended = (outcome: Outcome) => runs.filter((run) => run.outcome === outcome).length;
  return {
    loops: runs.length,
    'first-try': ended('first-try'),
    later: ended('later'),
    'let-go': ended('let-go'),
    open: ended('open'),
    gateMs: sum(attempts.flatMap(({ gates }) => gates.map((gate) => gate.duration_ms))),
    agentMs: sum(attempts.map(({ agentMs }) => agentMs)),
    costUsd: sumOfTold(attempts, 'costUsd'),
    tokens: sumOfTold(attempts, 'tokens'),
  };
}

/** Which part passed at the first attempt, 0 to 1, of all that passed or were let go; null where none has ended. */
export function firstTryRate(tally: Tally): number | null {
  const ended = tally['first-try'] + tally.later + tally['let-go'];
  return ended === 0 ? null : tally['first-try'] / ended;
}

/** The sum of what agents told; null where none did. */
export function sumOfTold(attempts: readonly Attempt[], what: 'costUsd' | 'tokens'): number | null {
  const told = attempts.flatMap((attempt) => attempt[what] ?? []);
  return told.length === 0 ? null : sum(told);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
