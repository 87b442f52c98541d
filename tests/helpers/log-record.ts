import type { LogRecord } from '../../src/state/execution-log.ts';

/** Returns a record of the execution log, by default of a block at the first iteration. */
export function logRecord(fields: Partial<LogRecord> = {}): LogRecord {
  return {
    time: '2026-01-31T10:30:00.000Z',
    host: 'claude-code',
    session: 's',
    agent: 'check',
    task: 't',
    iteration: 1,
    max: 5,
    gates: [],
    answer: 'block',
    why: 'gates-failed',
    ...fields,
  };
}
