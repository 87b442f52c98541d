import { dirname, resolve } from 'node:path';
import { type GateReport, gateReport, type RunReport, runReport } from '../gates/report.ts';
import { runGates as evaluateGates } from '../gates/run-gates.ts';
import type { GateEvent } from '../gates/types.ts';
import { runCommand } from '../process/run-command.ts';
import { type GateConfig, plannedGates } from './gate-config.ts';

/** What happens while gates run, told as it happens. */
export type GateProgress =
  | { readonly type: 'started'; readonly name: string }
  | {
      readonly type: 'output';
      readonly name: string;
      readonly stream: 'stdout' | 'stderr';
      /** A piece of the gate's output, secrets masked; a character may be split between two pieces. */
      readonly bytes: Uint8Array;
    }
  | { readonly type: 'ended'; readonly result: GateReport };

/** How a run is followed and ended. */
export interface RunOptions {
  /** Aborting ends the running gate's process tree; the gates after it are not run. */
  readonly signal?: AbortSignal;
  /** Called for each event, in order. */
  readonly onEvent?: (event: GateProgress) => void;
}

/**
 * Runs the gates, one after another in their order. It prints nothing, writes no file and changes nothing of the
 * process; a gate's stdin is at its end, and whatever a gate leaves running is ended with it.
 *
 * @param config - From `loadConfig`, or made by hand.
 * @param options - How the run is followed and ended.
 * @returns What every gate did. A failed gate is a value, and throws nothing.
 * @throws GateConfigError where the config is not valid.
 */
export async function runGates(config: GateConfig, options: RunOptions = {}): Promise<RunReport> {
  const workingDirectory = resolve(config.cwd ?? '.');
  const directory = config.path === undefined ? workingDirectory : dirname(config.path);
  const { gates, failFast } = plannedGates(config, { directory, workingDirectory });
  const { signal, onEvent } = options;
  const summary = await evaluateGates(gates, {
    runCommand,
    env: process.env,
    failFast,
    signal,
    ...(onEvent && { onEvent: (event: GateEvent) => onEvent(progressOf(event)) }),
  });
  return runReport(summary, new Date());
}

function progressOf(event: GateEvent): GateProgress {
  if (event.type === 'ended') return { type: 'ended', result: gateReport(event.result) };
  const { name } = event.gate;
  if (event.type === 'started') return { type: 'started', name };
  return { type: 'output', name, stream: event.stream, bytes: event.bytes };
}
