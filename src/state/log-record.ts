import type { GateOutcome } from '../gates/types.ts';
import type { HostName } from '../hosts/registry.ts';
import type { Answer } from '../hosts/types.ts';

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
