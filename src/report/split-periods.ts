import type { LoopRun, Outcome } from './loop-run.ts';
import { sumOfTold } from './tally-loops.ts';

/** What happened in a day, a week or a month, in local time. */
export interface Period extends Readonly<Record<Exclude<Outcome, 'open'>, number>> {
  /** Its first moment. */
  readonly from: Date;
  /** Of the attempts in it, whichever loop they belong to; null where no agent told. */
  readonly costUsd: number | null;
}

export type PeriodUnit = 'day' | 'week' | 'month';

export interface Periods {
  readonly unit: PeriodUnit;
  /** Without gaps, the oldest first. */
  readonly periods: readonly Period[];
}

/** So many columns can still be told apart on a screen of 360 pixels. */
const MAX_PERIODS = 62;
/** Fewer days than these say little of how it goes. */
const MIN_DAYS = 14;
const DAY_MS = 86_400_000;

/** Loops by when they ended, in the smallest unit that leaves a readable number of periods. */
export function splitPeriods(runs: readonly LoopRun[]): Periods {
  const attempts = runs.flatMap((run) => run.attempts);
  const dates = attempts.map(({ at }) => at).toSorted((a, b) => a.getTime() - b.getTime());
  const [first, last] = [dates[0], dates.at(-1)];
  if (!first || !last) return { unit: 'day', periods: [] };
  const unit = unitFor(first, last);
  const early = startOf('day', last, 1 - MIN_DAYS);
  const starts = startsFrom(unit, first < early ? first : early, last);
  const periods = new Map(
    starts.map((from): [number, Bucket] => [from.getTime(), { from, runs: [], attempts: [] }]),
  );
  const bucketOf = (date: Date) => periods.get(startOf(unit, date).getTime());
  for (const run of runs) if (run.outcome !== 'open') bucketOf(run.endedAt)?.runs.push(run);
  for (const attempt of attempts) bucketOf(attempt.at)?.attempts.push(attempt);
  return { unit, periods: [...periods.values()].map(periodOf) };
}

interface Bucket {
  readonly from: Date;
  readonly runs: LoopRun[];
  readonly attempts: LoopRun['attempts'][number][];
}

function periodOf({ from, runs, attempts }: Bucket): Period {
  const ended = (outcome: Outcome) => runs.filter((run) => run.outcome === outcome).length;
  return {
    from,
    'first-try': ended('first-try'),
    later: ended('later'),
    'let-go': ended('let-go'),
    costUsd: sumOfTold(attempts, 'costUsd'),
  };
}

function unitFor(first: Date, last: Date): PeriodUnit {
  const days = (last.getTime() - first.getTime()) / DAY_MS + 1;
  if (days <= MAX_PERIODS) return 'day';
  return days <= MAX_PERIODS * 7 ? 'week' : 'month';
}

function startsFrom(unit: PeriodUnit, first: Date, last: Date): Date[] {
  const starts = [startOf(unit, first)];
  for (;;) {
    const next = startOf(unit, first, starts.length);
    if (next > last) return starts;
    starts.push(next);
  }
}

/** The first moment of the period that a date is in, or of one so many `later`. */
function startOf(unit: PeriodUnit, date: Date, later = 0): Date {
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  if (unit === 'month') return new Date(year, month + later, 1);
  if (unit === 'day') return new Date(year, month, day + later);
  // Weeks begin on Mondays, as ISO 8601 has them.
  return new Date(year, month, day - ((date.getDay() + 6) % 7) + 7 * later);
}
