import type { GateOutcome } from '../gates/types.ts';
import type { Answer, HostName } from '../hosts/stop-event.ts';

/** One stop attempt, or what happened to a chain without one, as a line of `log.jsonl`. */
export interface LogRecord {
  /** UTC, ISO 8601. */
  readonly time: string;
  /** `mcp`, `terminal`: a tool's call, or a person's command; the hook was not called. */
  readonly host: HostName | 'mcp' | 'terminal';
  readonly session: string | null;
  readonly agent: string | null;
  /** The loop's key; null where the stop was not counted. */
  readonly task: string | null;
  readonly iteration: number | null;
  readonly max: number | null;
  readonly gates: readonly LoggedGate[];
  /** `none`: the hook ended without an answer, since it was told to go. */
  readonly answer: Answer['decision'] | 'none';
  readonly why: string;
  /** What was passed over or went wrong on the way. */
  readonly notes?: readonly string[];
}

export interface LoggedGate {
  readonly name: string;
  readonly outcome: GateOutcome['reason'];
  /** Exit code; null where there is none. */
  readonly exit: number | null;
  readonly duration_ms: number;
}

/** One iteration of an agent run, as a line of `log.jsonl`. */
export interface IterationRecord {
  /** When the iteration ended: UTC, ISO 8601. */
  readonly time: string;
  /** The id of the agent run. */
  readonly loop: string;
  readonly task_id: string;
  readonly stage: string;
  readonly ralph_iteration: number;
  readonly ralph_max: number;
  /** Whether the agent made its promise, true or not. */
  readonly promise_found: boolean;
  /** Whether the run continues, with this stage or the next. */
  readonly continuing: boolean;
  /** The time of the agent alone, without that of the gates. */
  readonly duration_ms: number;
  /** Null when the agent does not report it. */
  readonly cost_usd: number | null;
  readonly tokens: number | null;
  readonly outcome: IterationOutcome;
  /** The reason for the outcome, for people. */
  readonly why: string;
  /** The gates that ran to verify the promise. */
  readonly gates: readonly LoggedGate[];
}

/**
 * `accepted`: the promise holds; `denied`: it does not; `no-promise`: none was made; `timed-out`, `crashed`: the agent
 * ran out of time, or failed; `not-started`: it could not be started; `interrupted`: a signal stopped the run, or its
 * process was killed; `cancelled`: a person cancelled the run.
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
