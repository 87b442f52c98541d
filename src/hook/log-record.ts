import { oneLine } from '../base/text.ts';
import type { StopEvent } from '../hosts/types.ts';
import { LOGGED_TASK_CHARACTERS, type LogRecord, loggedGates } from '../state/execution-log.ts';
import type { StopResult } from './types.ts';

/** Limits the length of a line, whatever an event, a config or a check.jsonl contains. */
const MAX_CHARACTERS = 500;
const MAX_NOTES = 20;

/** Returns a stop attempt as a line of the execution log. */
export function logRecord(
  event: StopEvent | undefined,
  result: StopResult,
  endedBy: NodeJS.Signals | undefined,
  now: Date,
): LogRecord {
  const { answer, task, attempt, summary, notes = [] } = result;
  return {
    time: now.toISOString(),
    host: event?.host ?? 'unknown',
    session: shortened(event?.sessionId),
    agent: shortened(event?.agent),
    task: task?.slice(0, LOGGED_TASK_CHARACTERS) ?? null,
    iteration: attempt?.iteration ?? null,
    max: attempt?.maxIterations ?? null,
    gates: summary ? loggedGates(summary) : [],
    answer: endedBy === undefined ? answer.decision : 'none',
    why: endedBy === undefined ? oneLine(answer.why, MAX_CHARACTERS) : `ended by ${endedBy}`,
    ...(notes.length > 0 && { notes: shortNotes(notes) }),
  };
}

function shortNotes(notes: readonly string[]): string[] {
  const shown = notes.slice(0, MAX_NOTES).map((note) => oneLine(note, MAX_CHARACTERS));
  return notes.length > MAX_NOTES ? [...shown, `and ${notes.length - MAX_NOTES} more`] : shown;
}

function shortened(text: string | undefined): string | null {
  return text === undefined ? null : oneLine(text, MAX_CHARACTERS);
}
