import { homedir } from 'node:os';
import { join } from 'node:path';
import type { JudgedStop } from '../answer-stop.ts';
import { appendLog, type LogRecord, loggedGate } from '../loop/execution-log.ts';
import { ralphDirectory } from '../loop/loop-location.ts';
import type { StopEvent } from '../loop/stop-event.ts';

/** A stop attempt as a line of the execution log. */
export function recordOf(
  event: StopEvent | undefined,
  judged: JudgedStop,
  ended: boolean,
  now: Date,
): LogRecord {
  const { answer, task, attempt, summary, notes = [] } = judged;
  return {
    time: now.toISOString(),
    host: event?.host ?? 'unknown',
    session: event?.sessionId ?? null,
    agent: event?.agent ?? null,
    task: task ?? null,
    iteration: attempt?.iteration ?? null,
    max: attempt?.maxIterations ?? null,
    gates: summary?.results.map(loggedGate) ?? [],
    answer: ended ? 'none' : answer.decision,
    why: ended ? 'the host ended the hook' : whyOf(judged),
    ...(notes.length > 0 && { notes }),
  };
}

/**
 * Appends the record to the project's log; outside of any project, or where it cannot be written, to the user's, so
 * that a hook that fires in the wrong place can be told from one that never fired.
 */
export async function writeLog(root: string | undefined, record: LogRecord): Promise<void> {
  const user = join(process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'ralph-loop');
  if (root === undefined) return appendLog(user, record);
  await appendLog(ralphDirectory(root), record).catch(() => appendLog(user, record));
}

function whyOf({ answer, summary }: JudgedStop): string {
  if (answer.decision !== 'block') return answer.why;
  if (summary === undefined) return 'config-broken';
  return summary.verdict === 'incomplete' ? 'out-of-time' : 'gates-failed';
}
