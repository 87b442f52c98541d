import { relative } from 'node:path';
import { needsChanges } from '../gates/plan.ts';
import type { Gate, GateOutcome, RunResult } from '../gates/types.ts';
import { type LoggedGate, loggedGate } from '../state/execution-log.ts';

/** A run as `verify --json` prints it. */
export interface RunAsJson {
  readonly verdict: RunResult['verdict'];
  readonly duration_ms: number;
  readonly gates: readonly (LoggedGate & {
    /** Where one ended it. */
    readonly signal?: string;
    /** How many tests it ran at its last pass, if they were more than twice as many. */
    readonly tests_before?: number;
    /** The gate passed, and there is no file that its `report` names. */
    readonly no_report?: true;
    readonly blocking: boolean;
    readonly command: string | null;
    /** Path of the full output, relative to the project; null where there is none. */
    readonly log: string | null;
    /** Bytes that the log lacks in its middle. */
    readonly log_omitted_bytes?: number;
  })[];
}

export const NOTHING_RUN: RunAsJson = { verdict: 'passed', duration_ms: 0, gates: [] };

export function runAsJson({ verdict, durationMs, results }: RunResult, root: string): RunAsJson {
  return {
    verdict,
    duration_ms: Math.round(durationMs),
    gates: results.map((result) => {
      const { gate, outcome, output, testsBefore, noReport } = result;
      return {
        ...loggedGate(result),
        ...('signal' in outcome && { signal: outcome.signal }),
        ...(testsBefore !== undefined && { tests_before: testsBefore }),
        ...(noReport && { no_report: noReport }),
        blocking: gate.blocking,
        command: gate.kind === 'command' ? gate.command : null,
        log: output.logPath === undefined ? null : relative(root, output.logPath),
        ...(output.logOmittedBytes !== undefined && { log_omitted_bytes: output.logOmittedBytes }),
      };
    }),
  };
}

/**
 * A gate as `verify --dry-run --json` prints it.
 *
 * @param outcome that of a gate that would not run
 */
export function gateAsJson(gate: Gate, outcome?: GateOutcome): object {
  if (gate.kind === 'marker') return gate;
  const { kind, name, command, description, cwd, env, passEnv, timeoutSeconds, blocking, order } = gate;
  const { needs, exclusive, paths, report } = gate;
  return {
    kind,
    name,
    command,
    ...(description !== undefined && { description }),
    cwd,
    env,
    ...(passEnv !== undefined && { pass_env: passEnv }),
    timeout_seconds: Number.isFinite(timeoutSeconds) ? timeoutSeconds : null,
    blocking,
    order,
    ...(needs && { needs }),
    ...(exclusive && { exclusive }),
    ...(paths && { paths }),
    ...(report !== undefined && { report }),
    ...(needsChanges(gate) && { affected: outcome?.reason !== 'unaffected' }),
  };
}
