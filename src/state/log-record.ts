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
  /** The agent's own time, without that of the gates. */
  readonly duration_ms: number;
  /** Null where the agent does not tell. */
  readonly cost_usd: number | null;
  readonly tokens: number | null;
  readonly outcome: IterationOutcome;
  /** The outcome in words. */
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
