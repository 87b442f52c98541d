import type { JudgedStop } from '../answer-stop.ts';
import { appendLog, loggedGate } from '../loop/execution-log.ts';
import type { LogRecord } from '../loop/log-record.ts';
import { ralphDirectory } from '../loop/loop-location.ts';
import type { StopEvent } from '../loop/stop-event.ts';

/** A stop attempt as a line of the execution log. */
export function recordOf(
  event: StopEvent | undefined,
  judged: JudgedStop,
  endedBy: NodeJS.Signals | undefined,
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
    answer: endedBy === undefined ? answer.decision : 'none',
    why: endedBy === undefined ? whyOf(judged) : `ended by ${endedBy}`,
    ...(notes.length > 0 && { notes }),
  };
}

/**
 * Appends the record to the project's log; outside of any project, or where it cannot be written, to the user's, so
 * that a hook that fires in the wrong place can be told from one that never fired.
 */
export async function writeLog(root: string | undefined, record: LogRecord): Promise<void> {
  const toUser = async () => {
    const { userLogDirectory } = await import('../loop/user-log-directory.ts');
    await appendLog(userLogDirectory(process.env), record);
  };
  await (root === undefined ? toUser() : appendLog(ralphDirectory(root), record).catch(toUser));
}

function whyOf({ answer, summary }: JudgedStop): string {
  if (answer.decision !== 'block') return answer.why;
  if (summary === undefined) return 'config-broken';
  return summary.verdict === 'incomplete' ? 'out-of-time' : 'gates-failed';
}
