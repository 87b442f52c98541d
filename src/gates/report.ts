import type { OutputStream, Recording } from '../process/recording.ts';
import type { GateOutcome, GateResult, RunResult } from './types.ts';

/** How one gate ended, as Ralph Gate tells it. */
export interface GateReport {
  readonly name: string;
  /** False for a gate that was not run, too. */
  readonly passed: boolean;
  /** Null where there is none: killed, timed out, not started, not run. */
  readonly exitCode: number | null;
  /** What it printed, secrets masked; of a long output the first 64 kB and the last 256 kB of both streams together. */
  readonly stdout: string;
  /** Of a gate that could not be started: why. */
  readonly stderr: string;
  /** Milliseconds. */
  readonly durationMs: number;
  /** Not run, since an earlier gate failed or time ran out. */
  readonly skipped: boolean;
  /** Whether its failure keeps the agent from stopping. */
  readonly blocking: boolean;
  /** How it ended where the exit code does not tell: `timed-out`, `killed`, … */
  readonly reason: GateOutcome['reason'];
}

/** A run of all gates, as Ralph Gate tells it. */
export interface RunReport {
  /** Whether every blocking gate passed. */
  readonly passed: boolean;
  /** When the run ended: UTC, ISO 8601. */
  readonly timestamp: string;
  /** Milliseconds. */
  readonly totalDurationMs: number;
  /** In the order they ran. */
  readonly results: readonly GateReport[];
  /** The first blocking gate that did not pass; null where all did. */
  readonly firstFailure: GateReport | null;
  /** Names of the gates that failed and do not block. */
  readonly warnings: readonly string[];
}

export function runReport({ verdict, results, durationMs }: RunResult, now: Date): RunReport {
  const reports = results.map(gateReport);
  const failed = reports.filter(({ passed, skipped }) => !passed && !skipped);
  return {
    passed: verdict === 'passed',
    timestamp: now.toISOString(),
    totalDurationMs: Math.round(durationMs),
    results: reports,
    firstFailure: failed.find(({ blocking }) => blocking) ?? null,
    warnings: failed.filter(({ blocking }) => !blocking).map(({ name }) => name),
  };
}

export function gateReport({ gate, outcome, durationMs, output }: GateResult): GateReport {
  return {
    name: gate.name,
    passed: outcome.reason === 'passed',
    exitCode: exitCodeOf(outcome),
    stdout: textOf(output, 'stdout'),
    stderr: outcome.reason === 'not-started' ? outcome.message : textOf(output, 'stderr'),
    durationMs: Math.round(durationMs),
    skipped: outcome.reason === 'skipped',
    blocking: gate.blocking,
    reason: outcome.reason,
  };
}

/** @returns null where there is none */
export function exitCodeOf(outcome: GateOutcome): number | null {
  if (outcome.reason === 'passed') return 0;
  if (outcome.reason === 'failed') return outcome.exitCode;
  if (outcome.reason === 'not-executable') return 126;
  return outcome.reason === 'not-found' ? 127 : null;
}

function textOf({ head, tail, omittedBytes }: Recording, wanted: OutputStream): string {
  const text = (pieces: Recording['head']) =>
    pieces.map(({ stream, text }) => (stream === wanted ? text : '')).join('');
  const gap = omittedBytes > 0 && tail.some(({ stream }) => stream === wanted);
  return `${text(head)}${gap ? `\n… ${omittedBytes} bytes of both streams …\n` : ''}${text(tail)}`;
}
