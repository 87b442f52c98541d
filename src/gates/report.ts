import type { OutputStream, Recording } from '../process/output.ts';
import { type GateOutcome, type GateResult, holds, type RunResult } from './types.ts';

/** The result of one gate in Ralph Gate's format. */
export interface GateReport {
  readonly name: string;
  /** True also for a gate that was not run, as in Ralph Gate: see `skipped`. */
  readonly passed: boolean;
  /** Null if there is none: killed, timed out, not started, not run. */
  readonly exitCode: number | null;
  /** Its output, secrets masked; of a long output the first 64 kB and the last 256 kB of both streams together. */
  readonly stdout: string;
  /** For a gate that could not be started, the reason. */
  readonly stderr: string;
  /** Milliseconds. */
  readonly durationMs: number;
  /** Not run to its end: another gate failed, the time was up, or no changed file matches its `paths`. */
  readonly skipped: boolean;
  /** Whether its failure blocks the stop. */
  readonly blocking: boolean;
  /** When it ended, or was skipped: UTC, ISO 8601. */
  readonly timestamp: string;
  /** How it ended: `passed`, `failed`, `timed-out`, `killed`, … */
  readonly reason: GateOutcome['reason'];
}

/** The result of a run of all gates in Ralph Gate's format. */
export interface RunReport {
  /** Whether every blocking gate passed. In a results file false also if no gate could be run. */
  readonly passed: boolean;
  /** When the run ended: UTC, ISO 8601. */
  readonly timestamp: string;
  /** Milliseconds. */
  readonly totalDurationMs: number;
  /** By their order, then as in the config. */
  readonly results: readonly GateReport[];
  /** The first blocking gate that ran and did not pass; null if there is none. */
  readonly firstFailure: GateReport | null;
  /** Names of the non-blocking gates that failed. */
  readonly warnings: readonly string[];
}

/** @param endedAt when the run ended */
export function runReport({ verdict, results, durationMs }: RunResult, endedAt: Date): RunReport {
  const startedAt = endedAt.getTime() - durationMs;
  const reports = results.map((result) =>
    gateReport(result, new Date(startedAt + (result.endedAfterMs ?? durationMs))),
  );
  const failed = reports.filter(({ passed, skipped }) => !passed && !skipped);
  return {
    passed: verdict === 'passed',
    timestamp: endedAt.toISOString(),
    totalDurationMs: Math.round(durationMs),
    results: reports,
    firstFailure: failed.find(({ blocking }) => blocking) ?? null,
    warnings: failed.filter(({ blocking }) => !blocking).map(({ name }) => name),
  };
}

export function gateReport({ gate, outcome, durationMs, output }: GateResult, endedAt: Date): GateReport {
  return {
    name: gate.name,
    passed: holds(outcome) || outcome.reason === 'skipped',
    exitCode: exitCodeOf(outcome),
    stdout: textOf(output, 'stdout'),
    stderr: outcome.reason === 'not-started' ? outcome.message : textOf(output, 'stderr'),
    durationMs: Math.round(durationMs),
    skipped: outcome.reason === 'skipped' || outcome.reason === 'unaffected',
    blocking: gate.blocking,
    timestamp: endedAt.toISOString(),
    reason: outcome.reason,
  };
}

/** The exit code of a gate's command; null if there is none. */
export function exitCodeOf(outcome: GateOutcome): number | null {
  if (outcome.reason === 'passed' || outcome.reason === 'empty') return 0;
  if (outcome.reason === 'failed') return outcome.exitCode;
  if (outcome.reason === 'not-executable') return 126;
  return outcome.reason === 'not-found' ? 127 : null;
}

function textOf({ head, tail, omittedBytes }: Recording, selected: OutputStream): string {
  const text = (pieces: Recording['head']) =>
    pieces.map(({ stream, text }) => (stream === selected ? text : '')).join('');
  const gap = omittedBytes > 0 && tail.some(({ stream }) => stream === selected);
  return `${text(head)}${gap ? `\n… ${omittedBytes} bytes of both streams …\n` : ''}${text(tail)}`;
}
