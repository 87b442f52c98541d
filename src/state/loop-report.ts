import type { LogRecord } from './log-record.ts';
import { hasExpired, type LoopState, parseNaiveLocalTime } from './loop-state.ts';

/** What `status` tells of one loop; also its form in `--json`. */
export interface LoopReport {
  /** The loop's key: a task, or `session:<id>/<agent>`. */
  readonly loop: string;
  /** 0: no stop attempt since the last pass or the last cap. */
  readonly iteration: number;
  readonly max: number;
  readonly started_at: string | null;
  readonly age_seconds: number | null;
  /** Null where the loop never expires; negative where it has. */
  readonly expires_in_seconds: number | null;
  readonly expired: boolean;
  /** The present iteration has no result yet: its gates run now, or its hook was killed. */
  readonly verifying: boolean;
  /** The last stop attempt that came to a result. */
  readonly last: LogRecord | null;
}

/** A task is logged by so much of its name. */
export const LOGGED_TASK_CHARACTERS = 500;

/** Puts a loop's state and its latest lines of the log together. */
export function reportLoop(
  state: LoopState,
  log: readonly LogRecord[],
  rules: { readonly maxIterations: number; readonly stateTimeoutMinutes: number },
  now: Date,
): LoopReport {
  const loggedTask = state.task.slice(0, LOGGED_TASK_CHARACTERS);
  const last = log.findLast(({ task }) => task === loggedTask) ?? null;
  const started = state.started_at === null ? undefined : parseNaiveLocalTime(state.started_at);
  const ageSeconds = started ? Math.round((now.getTime() - started.getTime()) / 1000) : null;
  const startedBefore = last !== null && (!started || Date.parse(last.time) >= started.getTime());
  return {
    loop: state.task,
    iteration: state.iteration,
    max: rules.maxIterations,
    started_at: state.started_at,
    age_seconds: ageSeconds,
    expires_in_seconds: ageSeconds === null ? null : Math.round(rules.stateTimeoutMinutes * 60 - ageSeconds),
    expired: hasExpired(state.started_at, rules.stateTimeoutMinutes, now),
    verifying: state.iteration > 0 && !(startedBefore && last.iteration === state.iteration),
    last,
  };
}
