import type { PromiseLoop } from './promise-loop.ts';

/** What `status` tells of one promise loop; also its form in `--json`. */
export interface PromiseLoopReport extends Omit<PromiseLoop, 'driver' | 'agent'> {
  /** Whether a process drives it now. One that is `running` without was killed with its driver, and can be resumed. */
  readonly driven: boolean;
  readonly age_seconds: number;
}

export function reportPromiseLoop(
  { driver: _driver, agent: _agent, ...loop }: PromiseLoop,
  driven: boolean,
  now: Date,
): PromiseLoopReport {
  const age_seconds = Math.round((now.getTime() - Date.parse(loop.started_at)) / 1000);
  return { ...loop, driven, age_seconds };
}
