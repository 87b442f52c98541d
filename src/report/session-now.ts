import type { SessionNow } from '../messages/status-line.ts';
import { type LogRecord, readLastStops } from '../state/execution-log.ts';
import { ralphDirectory } from '../state/paths.ts';
import { unfinishedRuns } from '../verification/live-runs.ts';

/** How the last stop of a project ended, and what runs in it. @param session that stopped; undefined for any */
export async function readSessionNow(root: string, now: Date, session?: unknown): Promise<SessionNow> {
  const last = readLastStops(ralphDirectory(root)).findLast(
    (stop) => hasResult(stop) && (session === undefined || stop.session === session),
  );
  // Loaded on demand: status lines are printed every few seconds, and seldom while a gate runs.
  const runs = unfinishedRuns(root).length > 0 ? await (await import('./runs.ts')).readRuns(root, now) : [];
  return { last, runs };
}

/** What was ignored, or changed nothing, says nothing about the gates. */
function hasResult({ answer, gates }: LogRecord): boolean {
  return answer === 'block' || gates.length > 0;
}
