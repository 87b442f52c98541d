import type { AgentRun } from './agent-run.ts';

/** What `status` tells of one promise loop; also its form in `--json`. */
export interface AgentRunReport extends Omit<AgentRun, 'driver' | 'agent'> {
  /** Whether a process drives it now. One that is `running` without was killed with its driver, and can be resumed. */
  readonly driven: boolean;
  readonly age_seconds: number;
}

export function reportAgentRun(
  { driver: _driver, agent: _agent, ...loop }: AgentRun,
  driven: boolean,
  now: Date,
): AgentRunReport {
  const age_seconds = Math.round((now.getTime() - Date.parse(loop.started_at)) / 1000);
  return { ...loop, driven, age_seconds };
}
