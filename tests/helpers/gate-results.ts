import { commandGate } from '../../src/config/command-gate.ts';
import { NO_OUTPUT, verdictOf } from '../../src/gates/known-results.ts';
import type {
  CommandGate,
  Gate,
  GateOutcome,
  GateResult,
  MarkerGate,
  RunResult,
} from '../../src/gates/types.ts';
import type { Recording } from '../../src/process/output.ts';

export function shellGate(name: string, fields: Partial<CommandGate> = {}): CommandGate {
  const root = '/the/project';
  const context = { root, directory: root, workingDirectory: root, timeoutSeconds: 120 };
  return { ...commandGate({ command: name }, context), ...fields };
}

export function markerGate(marker: string): MarkerGate {
  return { kind: 'marker', name: marker, marker, blocking: true };
}

/** Returns the recording of an output on stdout. */
export function printed(text: string, fields: Partial<Recording> = {}): Recording {
  return { ...NO_OUTPUT, head: [{ stream: 'stdout', text }], ...fields };
}

export function resultOf(
  gate: Gate | string,
  outcome: GateOutcome | GateOutcome['reason'] = 'passed',
  fields: Partial<GateResult> = {},
): GateResult {
  return {
    gate: typeof gate === 'string' ? shellGate(gate) : gate,
    outcome: typeof outcome === 'string' ? (OUTCOMES[outcome] as GateOutcome) : outcome,
    durationMs: 0,
    output: NO_OUTPUT,
    ...fields,
  };
}

export function summaryOf(...results: readonly GateResult[]): RunResult {
  return { verdict: verdictOf(results), results, durationMs: 12_345 };
}

/** One outcome of each reason. */
export const OUTCOMES: { readonly [R in GateOutcome['reason']]: Extract<GateOutcome, { reason: R }> } = {
  passed: { reason: 'passed' },
  failed: { reason: 'failed', exitCode: 1 },
  'not-found': { reason: 'not-found' },
  'not-executable': { reason: 'not-executable' },
  killed: { reason: 'killed', signal: 'SIGKILL' },
  'timed-out': { reason: 'timed-out', limitSeconds: 120 },
  'out-of-time': { reason: 'out-of-time', deadlineSeconds: 570 },
  'not-started': { reason: 'not-started', message: 'spawn EACCES' },
  interrupted: { reason: 'interrupted' },
  'marker-missing': { reason: 'marker-missing' },
  empty: { reason: 'empty' },
  unaffected: { reason: 'unaffected' },
  skipped: { reason: 'skipped' },
};
