import type { ProcessMark } from '../process/process-mark.ts';
import type { LoggedGate } from './log-record.ts';

/**
 * A loop that drives an agent until what it promises holds: one a task, in a file of its own, which stays when the loop
 * has ended, so that people see how.
 */
export interface PromiseLoop {
  /** Of this loop, and no other one of the same task. */
  readonly id: string;
  readonly task_id: string;
  readonly title: string | null;
  /** The agents that work on the task, one after another. */
  readonly stages: readonly string[];
  /** The one that works now, or worked last. */
  readonly stage: string;
  /** Of this stage. Counted before its agent is started; 0 before the first. */
  readonly iteration: number;
  readonly max_iterations: number;
  readonly completion_promise: string;
  readonly status: PromiseLoopStatus;
  /** What goes on now; null where nothing does. */
  readonly activity: Activity | null;
  /** The process that drives the loop; null where none does. */
  readonly driver: ProcessMark | null;
  /** The agent, which leads a process group of its own; null where none runs. */
  readonly agent: ProcessMark | null;
  /** The iteration that ended last, as it is logged. */
  readonly last: IterationRecord | null;
  /** What the agent is told at its next iteration of why its last claim was not accepted; null where nothing is to be said. */
  readonly feedback: string | null;
  /** Summed over all iterations; null where the agent does not tell. */
  readonly cost_usd: number | null;
  readonly tokens: number | null;
  /** UTC, ISO 8601. */
  readonly started_at: string;
  readonly updated_at: string;
}

/**
 * `running`: it is driven, or was when its driver was killed; `interrupted`: stopped by a person, may be resumed;
 * `passed`: every stage's promise held; `failed`: given up; `cancelled`: called off, for good.
 */
export type PromiseLoopStatus = 'running' | 'interrupted' | 'passed' | 'failed' | 'cancelled';

/** What an iteration does now. */
export interface Activity {
  /** `gate`: one of the project's gates verifies the promise. */
  readonly kind: 'agent' | 'gate';
  /** Of the gate, or the agent. */
  readonly name: string;
  /** UTC, ISO 8601. */
  readonly since: string;
}

/** One iteration, as a line of `log.jsonl`. */
export interface IterationRecord {
  /** When it ended: UTC, ISO 8601. */
  readonly time: string;
  /** The loop's id. */
  readonly loop: string;
  readonly task_id: string;
  readonly stage: string;
  readonly ralph_iteration: number;
  readonly ralph_max: number;
  /** Whether the agent made its promise, true or not. */
  readonly promise_found: boolean;
  /** Whether the loop goes on, at this stage or the next. */
  readonly continuing: boolean;
  readonly duration_ms: number;
  /** Null where the agent does not tell. */
  readonly cost_usd: number | null;
  readonly tokens: number | null;
  /** How it ended: `accepted`, or why not. */
  readonly outcome: IterationOutcome;
  /** The same in words. */
  readonly why: string;
  /** The gates that were run for it. */
  readonly gates: readonly LoggedGate[];
}

/**
 * `accepted`: the promise holds; `denied`: it does not; `no-promise`: none was made; `timed-out`, `crashed`: the agent
 * was ended, or failed; `not-started`: there is no such agent; `interrupted`: by a person, or the driver was killed;
 * `cancelled`: called off.
 */
export type IterationOutcome =
  | 'accepted'
  | 'denied'
  | 'no-promise'
  | 'timed-out'
  | 'crashed'
  | 'not-started'
  | 'interrupted'
  | 'cancelled';
