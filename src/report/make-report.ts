import type { IterationRecord, LogRecord } from '../state/execution-log.ts';
import { gatherLoops } from './gather-loops.ts';
import type { LetGo, LoopKind } from './loop-run.ts';
import { median } from './median.ts';
import { attemptOfIteration, attemptOfStop } from './read-attempt.ts';
import { type Periods, splitPeriods } from './split-periods.ts';
import { type GateTally, tallyGates } from './tally-gates.ts';
import { type Tally, tallyLoops } from './tally-loops.ts';

/** What `ralph-loop report` tells, in the terminal as on the page. */
export interface Report extends Periods {
  /** Name of the project's directory. */
  readonly project: string;
  /** Where it was asked for no more than what happened since; else undefined. */
  readonly since: Date | undefined;
  /** When it was made. */
  readonly madeAt: Date;
  /** The first and the last attempt; undefined where there is none. */
  readonly span: { readonly from: Date; readonly to: Date } | undefined;
  readonly all: Tally;
  /** The same for each kind that there is. */
  readonly kinds: readonly (readonly [LoopKind, Tally])[];
  /** How many loops passed after 1 iteration, after 2, and so on; the last may stand for all above it. */
  readonly iterations: readonly { readonly label: string; readonly loops: number }[];
  readonly medianIterations: number | null;
  readonly gates: readonly GateTally[];
  /** The latest first. */
  readonly letGo: readonly LoopLetGo[];
}

export interface LoopLetGo extends LetGo {
  readonly at: Date;
  readonly loop: string;
}

/** Loops that need more iterations than this are counted together. */
const MAX_ITERATIONS = 20;
/** Few columns look like a mistake: none passed after the fifth iteration is worth telling too. */
const MIN_ITERATIONS = 5;

/**
 * Turns the execution log into figures.
 *
 * @param log oldest first
 * @param since loops whose last attempt was before are left out; undefined: none
 */
export function makeReport(
  log: { readonly stops: readonly LogRecord[]; readonly iterations: readonly IterationRecord[] },
  about: Pick<Report, 'project' | 'since' | 'madeAt'>,
): Report {
  const attempts = [
    ...log.stops.flatMap((record) => attemptOfStop(record) ?? []),
    ...log.iterations.flatMap((record) => attemptOfIteration(record) ?? []),
  ];
  const { since } = about;
  const runs = gatherLoops(attempts).filter(({ endedAt }) => since === undefined || endedAt >= since);
  const passed = runs.filter(({ outcome }) => outcome === 'first-try' || outcome === 'later');
  const told = runs.flatMap((run) => run.attempts);
  return {
    ...about,
    ...splitPeriods(runs),
    span: spanOf(told.map(({ at }) => at)),
    all: tallyLoops(runs),
    kinds: KINDS.flatMap((kind) => {
      const ofKind = runs.filter((run) => run.kind === kind);
      return ofKind.length > 0 ? [[kind, tallyLoops(ofKind)] as const] : [];
    }),
    iterations: distribution(passed.map(({ iterations }) => iterations)),
    medianIterations: median(passed.map(({ iterations }) => iterations)),
    gates: tallyGates(told),
    letGo: runs
      .flatMap(({ letGo, endedAt, name }) => (letGo ? [{ ...letGo, at: endedAt, loop: name }] : []))
      .toSorted((a, b) => b.at.getTime() - a.at.getTime()),
  };
}

const KINDS: readonly LoopKind[] = ['hook', 'chain', 'promise'];

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

function spanOf(dates: readonly Date[]): Report['span'] {
  const sorted = dates.toSorted((a, b) => a.getTime() - b.getTime());
  const [from, to] = [sorted[0], sorted.at(-1)];
  return from && to ? { from, to } : undefined;
}
