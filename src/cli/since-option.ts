import { failure, type Result, success } from '../base/result.ts';
import { parseSince } from '../report/make-report.ts';

/**
 * The time that `--since` names; undefined without the option.
 *
 * @param typed the value of the option
 */
export function readSince(typed: string | undefined, now: Date): Result<Date | undefined> {
  const since = typed === undefined ? undefined : parseSince(typed, now);
  return typed !== undefined && since === undefined
    ? failure(`Invalid --since "${typed}", expected 30m, 24h, 7d, 2w or a date like 2026-01-31.`)
    : success(since);
}
