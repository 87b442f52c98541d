import { type RunReport, runReport } from '../gates/report.ts';
import type { RunResult } from '../gates/types.ts';
import { writeResults } from '../state/results-file.ts';
import type { StopContext } from './context.ts';

/** A run of a gate config's gates, and what went wrong in writing it down. */
export interface WrittenReport extends RunReport {
  readonly notes: readonly string[];
}

/** Whoever names gates finds their results in a file, before the agent is answered. */
export function reportRun(
  summary: RunResult,
  path: string,
  { now, signal }: Pick<StopContext, 'now' | 'signal'>,
): WrittenReport {
  const report = runReport(summary, now());
  // Gates that were cut off have no results.
  const problem = signal.aborted ? undefined : writeResults(path, report, now());
  return { ...report, notes: problem === undefined ? [] : [problem] };
}
