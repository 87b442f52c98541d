import type { LoggedGate } from '../state/execution-log.ts';

/** What drives a loop: an agent's stops, gates that were typed into a prompt, or `ralph-loop run`. */
export type LoopKind = 'hook' | 'chain' | 'promise';

/** One attempt of a loop to get through, as far as reports look at it; its texts are clean lines. */
export interface Attempt {
  readonly kind: LoopKind;
  /** Attempts with the same key belong together. */
  readonly key: string;
  /** What people call the loop. */
  readonly name: string;
  readonly at: Date;
  /** Which attempt of its loop it is, where the log has counted; 1 begins a loop. */
  readonly count: number | null;
  readonly end: AttemptEnd;
  readonly gates: readonly LoggedGate[];
  /** What the agent's iteration took; 0 for stops, whose agents nobody measures. */
  readonly agentMs: number;
  /** Null where the agent does not tell. */
  readonly costUsd: number | null;
  readonly tokens: number | null;
}

/**
 * `passed`: the loop has ended, and all holds; `goes-on`: nothing was refused, a next step or stage begins, or a person
 * begins anew; `refused`: it does not hold, the agent works on; `let-go`: the loop has ended, and nobody knows.
 */
export type AttemptEnd =
  | { readonly reason: 'passed' | 'goes-on' | 'refused' }
  | ({ readonly reason: 'let-go' } & LetGo);

export interface LetGo {
  /** In a word or two: `cap reached`. */
  readonly why: string;
  readonly detail: string;
}

export type Outcome = 'first-try' | 'later' | 'let-go' | 'open';

/** The attempts of one loop, from its first to its end. */
export interface LoopRun {
  readonly kind: LoopKind;
  readonly name: string;
  /** Never empty; the oldest first. */
  readonly attempts: readonly Attempt[];
  readonly outcome: Outcome;
  /** Iterations so far, of which a pass is the last. */
  readonly iterations: number;
  /** When it ended; of one that is open, its last attempt. */
  readonly endedAt: Date;
  /** Undefined where it was not let go. */
  readonly letGo: LetGo | undefined;
}
