import type { IterationRecord } from '../state/execution-log.ts';

/** What a loop keeps to in a stage. */
export interface StageRules {
  readonly agent: string;
  /** False: the agent is run once, without a loop. */
  readonly enabled: boolean;
  readonly maxIterations: number;
  readonly completionPromise: string;
}

/** What a loop as a whole keeps to. */
export interface AgentRunRules {
  /** Of each of its stages, in their order. */
  readonly stages: readonly StageRules[];
  /** Infinite where it may cost whatever it does. */
  readonly maxCostUsd: number;
  readonly maxStalled: number;
}

/** How an iteration ended. */
export interface IterationEnd
  extends Pick<
    IterationRecord,
    'outcome' | 'why' | 'promise_found' | 'duration_ms' | 'cost_usd' | 'tokens' | 'gates'
  > {
  /** What its agent is to be told next time; null: the same as this time. */
  readonly feedback: string | null;
  /** The same text for the same failure. */
  readonly failedBy: string | null;
  /** Whether the agent has changed anything; null where git does not tell. */
  readonly changed: boolean | null;
  /** It ended with an error before it can have done anything. */
  readonly crashedAtOnce: boolean;
}
