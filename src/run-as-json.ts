import { relative } from 'node:path';
import type { GateRunSummary } from './gates/gate.ts';
import { loggedGate } from './loop/execution-log.ts';

/** A run as `verify --json` tells it. */
export function runAsJson({ verdict, durationMs, results }: GateRunSummary, root: string): unknown {
  return {
    verdict,
    duration_ms: Math.round(durationMs),
    gates: results.map((result) => {
      const { gate, outcome, output } = result;
      return {
        ...loggedGate(result),
        ...('signal' in outcome && { signal: outcome.signal }),
        blocking: gate.blocking,
        command: gate.kind === 'shell' ? gate.command : null,
        log: output.logPath === undefined ? null : relative(root, output.logPath),
      };
    }),
  };
}
