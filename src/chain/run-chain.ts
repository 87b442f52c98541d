import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isInside, realPathOf } from '../base/files.ts';
import { type Failure, failure, type Result, success } from '../base/result.ts';
import { commandGate } from '../config/command-gate.ts';
import { NO_OUTPUT } from '../gates/known-results.ts';
import { type GateReport, type RunReport, runReport } from '../gates/report.ts';
import type { CommandGate, GateEvent, RunResult } from '../gates/types.ts';
import type { FailedRun, IterationNumber } from '../messages/agent.ts';
import { identifyProcess, isSameProcess, type ProcessIdentity } from '../process/process-group.ts';
import type { RunCommand } from '../process/run-command.ts';
import {
  attemptsOf,
  type Chain,
  type CommandReport,
  chainTask,
  currentStep,
  latestAttempts,
  type VerifyGate,
} from '../state/chain.ts';
import { chainPath } from '../state/chain-location.ts';
import {
  chainFailuresPath,
  chainOutputDirectory,
  moveChain,
  readChain,
  removeArtifacts,
  removeChain,
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

/** Why nothing was run. */
export interface ChainFailure extends Failure {
  /** The process that verifies the chain now, which is waited for. */
  readonly runner?: ProcessIdentity;
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
): Promise<Result<EndedRun, ChainFailure>> {
  const path = chainPath(root, id);
  if (runningHere.has(path)) return busy(await identifyProcess(process.pid));
  runningHere.add(path);
  try {
    return await runAlone(root, id, context);
  } finally {
    runningHere.delete(path);
  }
}

function busy(runner: ProcessIdentity): Result<never, ChainFailure> {
  return { ok: false, failure: { message: `it is being verified by process ${runner.pid}`, runner } };
}

/** Counts a run, unless another process runs the chain. */
async function claimRun(
  root: string,
  id: string,
  now: () => Date,
): Promise<Result<{ readonly chain: Chain }, ChainFailure>> {
  const self = await identifyProcess(process.pid);
  for (;;) {
    const found = readChain(root, id);
    const runner = runnerOf(found);
    const mayRun = found && runner && !isSame(runner, self) && !isOverdue(found, now());
    if (mayRun && (await isSameProcess(runner))) return busy(runner);
    const claimed = await moveChain(root, id, (chain) => {
      if (chain.status === 'escalated') return failure('no attempt is left');
      if (chain.status === 'review') return failure('it is in review by now');
      const isFree = isSame(runnerOf(chain), runner);
      return success({ chain: isFree ? startRun(chain, self, now()) : chain, isFree });
    });
    // Another process was faster; whether it still runs is asked again.
    if (!claimed.ok || claimed.value.isFree) return claimed;
  }
}

/**
 * The process that runs a chain, or was killed while it did. A pid alone, as in a chain of an earlier version, proves
 * nothing: another process may have it by now.
 */
function runnerOf(chain: Chain | undefined): ProcessIdentity | undefined {
  const { pid, started } = chain?.running ?? {};
  return typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 1 && typeof started === 'string'
    ? { pid, started }
    : undefined;
}

/** A process may live on after its run failed without a trace, as an MCP server does: no run outlasts its commands. */
function isOverdue(chain: Chain, now: Date): boolean {
  const seconds = currentStep(chain).verify.reduce((sum, { timeoutSeconds }) => sum + timeoutSeconds, 0);
  return now.getTime() - Date.parse(chain.updated_at) > (seconds + OVERDUE_SECONDS) * 1000;
}

const OVERDUE_SECONDS = 60;

function isSame(one: ProcessIdentity | undefined, other: ProcessIdentity | undefined): boolean {
  return one?.pid === other?.pid && one?.started === other?.started;
}

async function runAlone(
  root: string,
  id: string,
  context: ChainRunContext,
): Promise<Result<EndedRun, ChainFailure>> {
  const { now, signal, secretsPassed, onEvent } = context;
  const claimed = await claimRun(root, id, now);
  if (!claimed.ok) return claimed;
  const { chain: before } = claimed.value;
  // Counts the runs: the attempts of each command are known once the run has ended.
  const loopAttempt = { iteration: before.attempts, maxIterations: latestAttempts(before).maxIterations };
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
        loop: { key: chainTask(before), attempt: loopAttempt },
        covers: 'own',
      },
      onEvent,
    },
    {
      ...context,
      // Only this process checks where a command starts.
      loadRunner: undefined,
      runCommand: insideOf(root, context.runCommand),
      signal: AbortSignal.any([signal, watch.changed]),
    },
  );
  watch.stop();
  if (!existsSync(root)) {
    removeChain(root, id);
    return failure('the project was removed or moved while its commands ran');
  }
  const reports = commandReports(runReport(result, now()));
  const moved = await moveChain(root, id, (chain) => {
    if (isAtRun(chain, before))
      return success(signal.aborted ? interruptRun(chain, reports, now()) : endRun(chain, reports, now()));
    // A person retried or skipped the step meanwhile: the run has no effect, and the caller delivers the notice.
    const event = chain.step > before.step ? 'step-skipped' : 'retried';
    return success<Transition>({ chain: { ...chain, untold: false }, event });
  });
  if (!moved.ok) {
    // The chain ended during the run, which has written artifacts since.
    removeArtifacts(root, id);
    return failure('it ended while its commands ran: a person aborted it, or typed new gates');
  }
  const index = reports.findIndex(({ passed }) => !passed);
  const attempt = index === -1 ? latestAttempts(before) : attemptsOf(before, index);
  const run = { attempt, result, reports, failed: failed && withAttempt(failed, attempt) };
  return success({ ...moved.value, before, run });
}

/** What is known about a failed run, in attempts of the command that failed instead of runs of the step. */
function withAttempt(failed: FailedRun, attempt: IterationNumber): FailedRun {
  const others = failed.attempt.iteration - attempt.iteration;
  const remembered = failed.remembered.map((gate) =>
    gate.since === null ? gate : { ...gate, since: gate.since - others },
  );
  return { ...failed, attempt, remembered };
}

/**
 * Resolves the directory of a command when the command starts: a link could have been changed since it was typed, even
 * by the command before it.
 */
function insideOf(root: string, runCommand: RunCommand): RunCommand {
  return async (spec, hooks) => {
    const cwd = realPathOf(spec.cwd);
    if (isInside(realPathOf(root), cwd)) return runCommand({ ...spec, cwd }, hooks);
    const message = `its directory ${spec.cwd} is outside the project`;
    return { end: { how: 'not-started', message }, durationMs: 0, output: NO_OUTPUT };
  };
}

function chainGate(
  { command, workingDir, timeoutSeconds }: VerifyGate,
  root: string,
  secretsPassed: readonly string[],
): CommandGate {
  const context = {
    root,
    directory: root,
    workingDirectory: join(root, workingDir ?? '.'),
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
 * Watches a chain during a run, for a change by another process: a person's decision, newly typed gates, or the removal
 * of the project.
 *
 * @param started the chain when its run was counted
 */
function watchChain(root: string, started: Chain): { readonly changed: AbortSignal; stop(): void } {
  const abort = new AbortController();
  const interval = setInterval(() => {
    const chain = readChain(root, started.id);
    if (!chain || !isAtRun(chain, started) || !existsSync(root)) abort.abort();
  }, WATCH_INTERVAL_MS);
  return { changed: abort.signal, stop: () => clearInterval(interval) };
}

/** Characters of each stream that a chain's file keeps. */
const MAX_STREAM_CHARACTERS = 5000;

function commandReports({ results }: RunReport): CommandReport[] {
  return results.filter(({ skipped }) => !skipped).map(commandReport);
}

function commandReport(report: GateReport): CommandReport {
  const { name, passed, exitCode, stdout, stderr, durationMs, reason } = report;
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
