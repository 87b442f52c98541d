import { dirname, resolve } from 'node:path';
import { type GateReport, gateReport, type RunReport, runReport } from '../gates/report.ts';
import { runGates as evaluateGates } from '../gates/run-gates.ts';
import { jobCount } from '../gates/schedule.ts';
import type { GateEvent } from '../gates/types.ts';
import { runCommand } from '../process/run-command.ts';
import { type Gate, type GateConfig, plannedGates } from './gate-config.ts';

/** An event of a run. */
export type GateProgress =
  | { readonly type: 'started'; readonly name: string }
  | {
      readonly type: 'output';
      readonly name: string;
      readonly stream: 'stdout' | 'stderr';
      /** A chunk of the gate's output with secrets masked; a character may be split between two chunks. */
      readonly bytes: Uint8Array;
    }
  | { readonly type: 'ended'; readonly result: GateReport };

/** Options of a run. */
export interface RunOptions {
  /** Whether the blocking gates after a failed blocking gate are skipped. That of the config by default. */
  readonly failFast?: boolean;
  /** How many gates of the same order run at the same time; `auto` for one on each core. 1 by default. */
  readonly jobs?: number | 'auto';
  /** Working directory of gates that do not set their own. That of the config by default. */
  readonly cwd?: string;
  /** Aborting ends the process trees of the running gates and skips the gates after them. */
  readonly signal?: AbortSignal;
  /** Called for each event, in order. */
  readonly onEvent?: (event: GateProgress) => void;
}

/**
 * Runs the gates. It prints nothing, writes no file and does not change the process. The stdin of a gate
 * is empty, and processes that a gate leaves behind are ended.
 *
 * @param config - From `loadConfig`, an object of the same form, or only its gates, as Ralph Gate takes them.
 * @param options - Options of the run.
 * @returns The results of all gates. A failed gate is a result, not an error.
 * @throws GateConfigError if the config is not valid.
 */
export async function runGates(
  config: GateConfig | readonly Gate[],
  options: RunOptions = {},
): Promise<RunReport> {
  const given: GateConfig = 'gates' in config ? config : { gates: config };
  const workingDirectory = resolve(options.cwd ?? given.cwd ?? '.');
  const directory = given.path === undefined ? workingDirectory : dirname(given.path);
  const { gates, failFast } = plannedGates(given, { directory, workingDirectory });
  const { signal, onEvent } = options;
  const summary = await evaluateGates(gates, {
    runCommand,
    env: process.env,
    failFast: options.failFast ?? failFast,
    jobs: await jobCount(options.jobs),
    signal,
    ...(onEvent && { onEvent: (event: GateEvent) => onEvent(progressOf(event)) }),
  });
  return runReport(summary, new Date());
}

function progressOf(event: GateEvent): GateProgress {
  if (event.type === 'ended') return { type: 'ended', result: gateReport(event.result, new Date()) };
  const { name } = event.gate;
  if (event.type === 'started') return { type: 'started', name };
  return { type: 'output', name, stream: event.stream, bytes: event.bytes };
}
