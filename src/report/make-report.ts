import type { LoggedGate } from '../state/execution-log.ts';
import { hasResult, ranHere, type SavedTime, savedTime } from '../state/saved-time.ts';
import {
  type ExecutionLog,
  type LoggedAttempt,
  type LoggedLoop,
  type LoopKind,
  type LoopOutcome,
  type RuleTotals,
  readLoops,
  sumRules,
  type UnverifiedEnd,
  waitTimes,
} from './loops.ts';

/** The figures of `ralph-loop report`, for the terminal and for the page. */
export interface Report {
  /** Name of the project's directory. */
  readonly project: string;
  /** The report covers the loops since then; undefined: all loops. */
  readonly since: Date | undefined;
  readonly madeAt: Date;
  /** The times of the first and the last attempt; undefined when there is none. */
  readonly span: { readonly from: Date; readonly to: Date } | undefined;
  readonly totals: LoopTotals;
  /** How many stops were blocked because their gates still ran. */
  readonly waits: number;
  /** The totals of each kind of which there are loops. */
  readonly kinds: readonly (readonly [LoopKind, LoopTotals])[];
  /** How many loops passed at iteration 1, 2 and so on; the last row may stand for all later iterations. */
  readonly iterations: readonly { readonly label: string; readonly loops: number }[];
  readonly medianIterations: number | null;
  readonly gates: readonly GateTotals[];
  /** The latest first. */
  readonly unverified: readonly UnverifiedLoop[];
  /** What became weaker at stops, by rule. */
  readonly weakened: readonly RuleTotals[];
  /** Those that ended because the agent says that a gate cannot be satisfied, the latest first. */
  readonly escalated: readonly UnverifiedLoop[];
  /** Those that a person has cancelled or interrupted, the latest first. They do not enter the first-try rate. */
  readonly stopped: readonly UnverifiedLoop[];
  readonly unit: PeriodUnit;
  /** Without gaps, the oldest first. */
  readonly periods: readonly Period[];
}

export interface UnverifiedLoop extends UnverifiedEnd {
  readonly at: Date;
  readonly loop: string;
}

/** The number of loops by outcome, and their sums. */
interface LoopTotals extends Readonly<Record<LoopOutcome, number>>, SavedTime {
  readonly loops: number;
  /** How many of those that passed have criteria that the agent itself has reviewed. */
  readonly selfReviewed: number;
  /** Run time of the gates in milliseconds. */
  readonly gateMs: number;
  /** Run time of the agents of agent runs in milliseconds. */
  readonly agentMs: number;
  /** Null when no agent reports it. */
  readonly costUsd: number | null;
  readonly tokens: number | null;
}

/** The runs of one gate. */
export interface GateTotals {
  readonly name: string;
  readonly runs: number;
  /** How many times an earlier pass counted instead of a run. */
  readonly reused: number;
  readonly failures: number;
  /** Runs in which it failed, and then passed on the same files. */
  readonly flaky: number;
  /** Null without a run. */
  readonly medianMs: number | null;
  readonly maxMs: number | null;
}

type PeriodOutcome = 'first-try' | 'later' | 'escalated' | 'unverified';

/** The loops that ended in a day, a week or a month, in local time. */
export interface Period extends Readonly<Record<PeriodOutcome, number>> {
  /** The first moment of the period. */
  readonly from: Date;
  /** The cost of all attempts in the period; null when no agent reports it. */
  readonly costUsd: number | null;
}

export type PeriodUnit = 'day' | 'week' | 'month';

const KINDS: readonly LoopKind[] = ['hook', 'chain', 'agent-run'];

/** Computes the figures; loops whose last attempt was before `since` are left out. */
export function makeReport(log: ExecutionLog, options: Pick<Report, 'project' | 'since' | 'madeAt'>): Report {
  const { since } = options;
  const loops = readLoops(log).filter(({ endedAt }) => since === undefined || endedAt >= since);
  const attempts = loops.flatMap((loop) => loop.attempts);
  const iterationsToPass = loops
    .filter(({ outcome }) => outcome === 'first-try' || outcome === 'later')
    .map(({ iterations }) => iterations);
  const dates = attempts.map(({ at }) => at).toSorted((a, b) => a.getTime() - b.getTime());
  const [from, to] = [dates[0], dates.at(-1)];
  const span = from && to && { from, to };
  return {
    ...options,
    span,
    totals: sumLoops(loops),
    waits: waitTimes(log).filter((at) => since === undefined || at >= since).length,
    kinds: KINDS.flatMap((kind) => {
      const ofKind = loops.filter((loop) => loop.kind === kind);
      return ofKind.length > 0 ? [[kind, sumLoops(ofKind)] as const] : [];
    }),
    iterations: distribution(iterationsToPass),
    medianIterations: median(iterationsToPass),
    gates: sumGates(attempts.flatMap(({ gates }) => gates)),
    weakened: sumRules(log, since),
    escalated: listEnds(loops.filter(({ outcome }) => outcome === 'escalated')),
    unverified: listEnds(loops.filter(({ outcome }) => outcome === 'unverified')),
    stopped: listEnds(loops.filter(({ outcome }) => outcome === 'cancelled' || outcome === 'interrupted')),
    ...(span ? splitPeriods(loops, span) : { unit: 'day', periods: [] }),
  };
}

function listEnds(loops: readonly LoggedLoop[]): UnverifiedLoop[] {
  return loops
    .flatMap(({ end, endedAt, name }) =>
      end ? [{ reason: end.reason, detail: end.detail, at: endedAt, loop: name }] : [],
    )
    .toSorted((a, b) => b.at.getTime() - a.at.getTime());
}

/**
 * The share of loops that passed at the first attempt among those that have ended and were not cancelled, 0 to 1; null when
 * there is none.
 */
export function firstTryRate(totals: LoopTotals): number | null {
  const ended = endedLoops(totals);
  return ended === 0 ? null : totals['first-try'] / ended;
}

/** The number of loops that have ended and were not cancelled: with those that did not pass. */
export function endedLoops(totals: LoopTotals): number {
  return totals['first-try'] + totals.later + totals.unverified + totals.escalated;
}

/** The number of loops that a person has cancelled or interrupted. */
export function stoppedLoops({ cancelled, interrupted }: LoopTotals): number {
  return cancelled + interrupted;
}

function sumLoops(loops: readonly LoggedLoop[]): LoopTotals {
  const attempts = loops.flatMap((loop) => loop.attempts);
  const gates = attempts.flatMap((attempt) => attempt.gates);
  return {
    ...countOutcomes(loops),
    ...savedTime(gates),
    loops: loops.length,
    selfReviewed: loops.filter(isSelfReviewed).length,
    gateMs: sum(gates.filter(ranHere).map((gate) => gate.duration_ms)),
    agentMs: sum(attempts.map(({ agentMs }) => agentMs)),
    costUsd: sumReported(attempts, 'costUsd'),
    tokens: sumReported(attempts, 'tokens'),
  };
}

function isSelfReviewed({ outcome, attempts }: LoggedLoop): boolean {
  return (
    (outcome === 'first-try' || outcome === 'later') && attempts.some(({ selfReviewed }) => selfReviewed > 0)
  );
}

function countOutcomes(loops: readonly LoggedLoop[]): Readonly<Record<LoopOutcome, number>> {
  const counts = {
    'first-try': 0,
    later: 0,
    escalated: 0,
    unverified: 0,
    cancelled: 0,
    interrupted: 0,
    open: 0,
  };
  for (const { outcome } of loops) counts[outcome] += 1;
  return counts;
}

/** @returns null when no agent reports the figure */
function sumReported(attempts: readonly LoggedAttempt[], figure: 'costUsd' | 'tokens'): number | null {
  const reported = attempts.flatMap((attempt) => attempt[figure] ?? []);
  return reported.length === 0 ? null : sum(reported);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The mean of both middle numbers when their count is even; null without numbers. */
function median(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

/** Loops that need more iterations share the last row. */
const MAX_ITERATIONS = 20;
/** Later rows without loops are shown too: they say that no loop needed so many iterations. */
const MIN_ITERATIONS = 5;

function distribution(iterations: readonly number[]): Report['iterations'] {
  if (iterations.length === 0) return [];
  const most = iterations.reduce((max, n) => Math.max(max, n), MIN_ITERATIONS);
  const last = Math.min(most, MAX_ITERATIONS);
  return Array.from({ length: last }, (_, index) => {
    const n = index + 1;
    const isRest = n === last && most > last;
    return {
      label: isRest ? `${n}+` : String(n),
      loops: iterations.filter((each) => (isRest ? each >= n : each === n)).length,
    };
  });
}

/** @returns those that failed most often first, and among equals the slowest */
function sumGates(gates: readonly LoggedGate[]): GateTotals[] {
  const byName = new Map<string, LoggedGate[]>();
  for (const gate of gates.filter(hasResult)) {
    const results = byName.get(gate.name);
    if (results) results.push(gate);
    else byName.set(gate.name, [gate]);
  }
  const totals = [...byName].map(([name, results]) => {
    const runs = results.filter(ranHere);
    const durations = runs.map((run) => run.duration_ms);
    return {
      name,
      runs: runs.length,
      reused: results.filter(({ reused }) => reused).length,
      failures: runs.filter(({ outcome }) => outcome !== 'passed').length,
      flaky: runs.filter(({ flaky = 0 }) => flaky > 0).length,
      medianMs: median(durations),
      // Math.max(...durations) fails with the durations of a long log: there are too many arguments.
      maxMs: durations.reduce<number | null>((max, ms) => Math.max(max ?? 0, ms), null),
    };
  });
  return totals.toSorted(
    (a, b) =>
      b.failures - a.failures || (b.medianMs ?? 0) - (a.medianMs ?? 0) || a.name.localeCompare(b.name),
  );
}

type TimedGate = GateTotals & Readonly<Record<'medianMs' | 'maxMs', number>>;

/** The gates whose runs took time, the slowest first. */
export function slowestGates({ gates }: Pick<Report, 'gates'>): TimedGate[] {
  return gates
    .filter((gate): gate is TimedGate => gate.maxMs !== null && gate.maxMs > 0)
    .toSorted((a, b) => b.medianMs - a.medianMs);
}

/** More columns are not distinguishable on a screen of 360 pixels. */
const MAX_PERIODS = 62;
/** The fewest days that show a trend. */
const MIN_DAYS = 14;
const DAY_MS = 86_400_000;

/** Splits loops by the time when they ended, in the smallest unit with at most MAX_PERIODS periods. */
function splitPeriods(
  loops: readonly LoggedLoop[],
  { from: first, to: last }: NonNullable<Report['span']>,
): Pick<Report, 'unit' | 'periods'> {
  const unit = periodUnit(first, last);
  const earliest = startOf('day', last, 1 - MIN_DAYS);
  const starts = startsBetween(unit, first < earliest ? first : earliest, last);
  const buckets = new Map(
    starts.map((from): [number, Bucket] => [from.getTime(), { loops: [], attempts: [] }]),
  );
  const bucketAt = (date: Date) => buckets.get(startOf(unit, date).getTime());
  for (const loop of loops) {
    bucketAt(loop.endedAt)?.loops.push(loop);
    for (const attempt of loop.attempts) bucketAt(attempt.at)?.attempts.push(attempt);
  }
  const periods = [...buckets].map(([from, bucket]) => {
    const { 'first-try': firstTry, later, escalated, unverified } = countOutcomes(bucket.loops);
    return {
      from: new Date(from),
      'first-try': firstTry,
      later,
      escalated,
      unverified,
      costUsd: sumReported(bucket.attempts, 'costUsd'),
    };
  });
  return { unit, periods };
}

interface Bucket {
  readonly loops: LoggedLoop[];
  readonly attempts: LoggedAttempt[];
}

function periodUnit(first: Date, last: Date): PeriodUnit {
  const days = (last.getTime() - first.getTime()) / DAY_MS + 1;
  if (days <= MAX_PERIODS) return 'day';
  return days <= MAX_PERIODS * 7 ? 'week' : 'month';
}

function startsBetween(unit: PeriodUnit, first: Date, last: Date): Date[] {
  const starts = [startOf(unit, first)];
  for (;;) {
    const next = startOf(unit, first, starts.length);
    if (next > last) return starts;
    starts.push(next);
  }
}

/** The first moment of the period that contains a date, or of a later period. */
function startOf(unit: PeriodUnit, date: Date, later = 0): Date {
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  if (unit === 'month') return new Date(year, month + later, 1);
  if (unit === 'day') return new Date(year, month, day + later);
  // ISO 8601 weeks begin on Monday.
  return new Date(year, month, day - ((date.getDay() + 6) % 7) + 7 * later);
}

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const RELATIVE_TIME = /^([1-9]\d*)([mhdw])$/;
const ISO_TIME = /^(\d{4})-(\d\d)-(\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/**
 * Parses the value of `--since`: `30m`, `24h`, `7d`, `2w` ago, or an ISO 8601 date, local without a zone.
 *
 * @returns undefined when it is neither
 */
export function parseSince(text: string, now: Date): Date | undefined {
  const [, amount, unit] = RELATIVE_TIME.exec(text) ?? [];
  if (unit)
    return validDate(new Date(now.getTime() - Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS]));
  const [, year, month, day, time] = ISO_TIME.exec(text) ?? [];
  // JavaScript reads 31 February as 3 March.
  if (!day || Number(day) > new Date(Number(year), Number(month), 0).getDate()) return undefined;
  // JavaScript reads a date without a time as UTC.
  return validDate(new Date(time === undefined ? `${text}T00:00` : text));
}

function validDate(date: Date): Date | undefined {
  return Number.isNaN(date.getTime()) ? undefined : date;
}
