import { resolve } from 'node:path';
import { failure, type Result, success } from '../base/result.ts';
import { commandGate } from '../config/command-gate.ts';
import { gateReport } from '../gates/report.ts';
import type { CommandGate, GateEvent, GateResult, RunResult } from '../gates/types.ts';
import type { FailedRun, IterationNumber } from '../messages/agent.ts';
import { isAlive } from '../process/process-group.ts';
import {
  type Chain,
  type CommandReport,
  chainTask,
  currentStep,
  maxAttemptsOf,
  type VerifyGate,
} from '../state/chain.ts';
import { chainPath } from '../state/chain-location.ts';
import {
  chainFailuresPath,
  chainOutputDirectory,
  moveChain,
  readChain,
  removeArtifacts,
} from '../state/chain-store.ts';
import { runAndRecord } from '../verification/run-and-record.ts';
import type { RunContext } from '../verification/types.ts';
import { endRun, interruptRun, isAtRun, startRun, type Transition } from './transitions.ts';

export interface ChainRunContext extends RunContext {
  /** Names of variables that look like secrets and are passed to commands all the same. */
  readonly secretsPassed: readonly string[];
  readonly onEvent?: ((event: GateEvent) => void) | undefined;
}

/** A run of the commands of a chain's current step. */
export interface ChainRun {
  readonly attempt: IterationNumber;
  readonly result: RunResult;
  /** Of the commands that ran. */
  readonly reports: readonly CommandReport[];
  /** What the messages say about the failure; undefined if all commands passed. */
  readonly failed: FailedRun | undefined;
}

/** A run and the transition that it caused. */
interface EndedRun extends Transition {
  /** The chain while its commands ran. */
  readonly before: Chain;
  readonly run: ChainRun;
}

/**
 * Paths of the chains that this process runs now. A pid in a chain's file does not prove that: it may be that of a
 * killed process.
 */
const runningHere = new Set<string>();

/**
 * Runs the commands of a chain's current step, and moves the chain accordingly. The run is counted and saved before it
 * starts. Only one process at a time runs a chain.
 *
 * @returns the failure if nothing was run, or if the chain was removed meanwhile
 * @throws if the chain's file cannot be written
 */
export async function runChain(
  root: string,
  id: string,
  context: ChainRunContext,
): Promise<Result<EndedRun>> {
  const path = chainPath(root, id);
  if (runningHere.has(path)) return failure(`it is being verified by process ${process.pid}`);
  runningHere.add(path);
  try {
    return await runAlone(root, id, context);
  } finally {
    runningHere.delete(path);
  }
}

async function runAlone(root: string, id: string, context: ChainRunContext): Promise<Result<EndedRun>> {
  const { now, signal, secretsPassed, onEvent } = context;
  const claimed = await moveChain(root, id, (chain) => {
    if (chain.status === 'escalated') return failure('no attempt is left');
    return chain.running !== null && chain.running !== process.pid && isAlive(chain.running)
      ? failure(`it is being verified by process ${chain.running}`)
      : success({ chain: startRun(chain, process.pid, now()) });
  });
  if (!claimed.ok) return claimed;
  const { chain: before } = claimed.value;
  const attempt = { iteration: before.attempts, maxIterations: maxAttemptsOf(before) };
  const watch = watchChain(root, before);
  const { result, failed } = await runAndRecord(
    {
      root,
      gates: currentStep(before).verify.map((gate) => chainGate(gate, root, secretsPassed)),
      failFast: true,
      // Chains that run at the same time may have commands with the same name.
      outputDirectory: chainOutputDirectory(root, id),
      failures: {
        path: chainFailuresPath(root, id),
        loop: { key: chainTask(before), attempt },
        covers: 'own',
      },
      onEvent,
    },
    { ...context, signal: AbortSignal.any([signal, watch.changed]) },
  );
  watch.stop();
  const reports = commandReports(result);
  const moved = await moveChain(root, id, (chain) => {
    if (isAtRun(chain, before))
      return success(signal.aborted ? interruptRun(chain, now()) : endRun(chain, reports, now()));
    // A person retried or skipped the step meanwhile: the run has no effect, and the caller delivers the notice.
    const event = chain.step > before.step ? 'step-skipped' : 'retried';
    return success<Transition>({ chain: { ...chain, untold: false }, event });
  });
  if (!moved.ok) {
    // The chain ended during the run, which has written artifacts since.
    removeArtifacts(root, id);
    return moved;
  }
  return success({ ...moved.value, before, run: { attempt, result, reports, failed } });
}

function chainGate(
  { command, workingDir, timeoutSeconds }: VerifyGate,
  root: string,
  secretsPassed: readonly string[],
): CommandGate {
  const context = {
    root,
    directory: root,
    workingDirectory: resolve(root, workingDir ?? '.'),
    timeoutSeconds,
  };
  return { ...commandGate({ command }, context), secretsPassed };
}

const WATCH_INTERVAL_MS = 250;
/**
 * A run whose chain was changed by another process has ended after this time: after one interval its commands get
 * SIGTERM, 150 ms later SIGKILL, and 200 ms to close their output.
 */
export const CHANGED_RUN_ENDS_MS = 1000;

/**
 * Watches a chain's file during a run, for a change by another process: a person's decision, or newly typed gates.
 *
 * @param started the chain when its run was counted
 */
function watchChain(root: string, started: Chain): { readonly changed: AbortSignal; stop(): void } {
  const abort = new AbortController();
  const interval = setInterval(() => {
    const chain = readChain(root, started.id);
    if (!chain || !isAtRun(chain, started)) abort.abort();
  }, WATCH_INTERVAL_MS);
  return { changed: abort.signal, stop: () => clearInterval(interval) };
}

/** Characters of each stream that a chain's file keeps. */
const MAX_STREAM_CHARACTERS = 5000;

function commandReports({ results }: RunResult): CommandReport[] {
  return results.filter(({ outcome }) => outcome.reason !== 'skipped').map(commandReport);
}

function commandReport(result: GateResult): CommandReport {
  const { name, passed, exitCode, stdout, stderr, durationMs, reason } = gateReport(result);
  return {
    command: name,
    passed,
    exitCode,
    stdout: tailOf(stdout),
    stderr: tailOf(stderr),
    durationMs,
    timedOut: reason === 'timed-out' || reason === 'out-of-time',
  };
}

function tailOf(text: string): string {
  if (text.length <= MAX_STREAM_CHARACTERS) return text;
  const tail = text.slice(-MAX_STREAM_CHARACTERS);
  return `[...truncated, showing last ${MAX_STREAM_CHARACTERS} chars...]\n${tail}`.toWellFormed();
}
