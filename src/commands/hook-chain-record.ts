import type { Chain } from '../loop/chain.ts';
import type { LogRecord } from '../loop/log-record.ts';
import type { GateAction } from '../prompt/parsed-prompt.ts';

/** What the log calls a chain. */
export function chainTask({ id }: Pick<Chain, 'id'>): string {
  return `chain:${id}`;
}

/** What the log tells of a person's word on a chain. */
export function actedWhy(action: GateAction): string {
  return action === 'skip' ? 'gate skip: the step is unverified' : `gate ${action}`;
}

/** Something that happened to a chain, and is no stop, as a line of the execution log. */
export function chainRecord(
  about: Pick<LogRecord, 'host' | 'session' | 'task' | 'why'>,
  now: Date,
): LogRecord {
  return {
    time: now.toISOString(),
    ...about,
    agent: 'main',
    iteration: null,
    max: null,
    gates: [],
    answer: 'ignore',
  };
}
