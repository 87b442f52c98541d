import { resolve } from 'node:path';
import { commandGate } from '../config/command-gate.ts';
import { followOutput } from '../diagnostics/follow-output.ts';
import { gateSecrets } from '../gates/gate-secrets.ts';
import { logPathsIn } from '../gates/log-paths.ts';
import { runGates } from '../gates/run-gates.ts';
import type { CommandGate, GateEvent, RunResult } from '../gates/types.ts';
import type { FailedRun } from '../messages/agent.ts';
import type { IterationNumber } from '../messages/reason-frame.ts';
import { isAlive } from '../process/identity.ts';
import { type Chain, type CommandEnd, type MovedChain, presentStep } from '../state/chain.ts';
import { chainFailuresPath, chainOutputDirectory, removeArtifacts } from '../state/chain-artifacts.ts';
import { chainPath, moveChain, restoreChain } from '../state/chain-file.ts';
import { hasFailures, removeFailures } from '../state/failures.ts';
import type { VerifyGate } from '../state/prompt-step.ts';
import { lookBack, rememberFailedRun } from '../verification/look-back.ts';
import type { StopContext } from '../verification/types.ts';
import { beginRun, breakOffRun, endRun, isAtRun } from './chain-steps.ts';
import { commandEnds } from './command-ends.ts';
import { watchRun } from './watch-run.ts';

/** A run of the commands of a chain's present step. */
export interface ChainRun extends MovedChain {
  /** The attempt that it was, and how many there are at the most. */
  readonly attempt: IterationNumber;
  readonly summary: RunResult;
  /** How each command ended that was run. */
  readonly results: readonly CommandEnd[];
  /** What there is to say of it; undefined where all passed. */
  readonly failed: FailedRun | undefined;
  /** A person has retried or skipped the chain meanwhile: their word stands, and the run comes to nothing. */
  readonly overtaken: boolean;
}

export interface ChainRunOptions {
  /** Names of variables that look secret and are passed on all the same. */
  readonly secretsPassed: readonly string[];
  readonly onEvent?: (event: GateEvent) => void;
}

/**
 * Chains that this process runs now, by their files. That its pid stands in a file does not tell: a process that was
 * killed may have had the same one.
 */
const runningHere = new Set<string>();

/**
 * Runs the commands of a chain's present step, and moves the chain on by how they ended. The run is counted and saved
 * before it begins; nobody else runs the same chain meanwhile.
 *
 * @returns why nothing was run, where it cannot be
 */
export async function runChain(
  root: string,
  id: string,
  effects: StopContext,
  options: ChainRunOptions,
): Promise<ChainRun | { readonly refused: string }> {
  const path = chainPath(root, id);
  if (runningHere.has(path)) return { refused: `it is being verified by process ${process.pid}` };
  runningHere.add(path);
  try {
    return await runAlone(root, id, effects, options);
  } finally {
    runningHere.delete(path);
  }
}

async function runAlone(
  root: string,
  id: string,
  effects: StopContext,
  { secretsPassed, onEvent = () => {} }: ChainRunOptions,
): Promise<ChainRun | { readonly refused: string }> {
  const { now } = effects;
  const claimed = await moveChain(root, id, (chain) => {
    if (chain.status === 'escalated') return { refused: 'no attempt is left' };
    return chain.running !== null && chain.running !== process.pid && isAlive(chain.running)
      ? { refused: `it is being verified by process ${chain.running}` }
      : { chain: beginRun(chain, process.pid, now()) };
  });
  if ('refused' in claimed) return claimed;
  const { chain: begun } = claimed;
  const watch = watchRun(root, begun);
  const watched = { ...effects, signal: AbortSignal.any([effects.signal, watch.unwanted]) };
  const attempt = attemptOf(begun);
  const stop = {
    loop: { key: `chain:${id}`, failuresPath: chainFailuresPath(root, id) },
    attempt,
    root,
    resultsPath: undefined,
    effects: watched,
  };
  const last = hasFailures(stop.loop.failuresPath) ? await lookBack(stop) : undefined;
  const output = followOutput();
  const gates = presentStep(begun).verify.map((gate) => chainGate(gate, root, secretsPassed));
  const summary = await runGates(gates, {
    ...watched,
    failFast: true,
    onEvent(event) {
      output.onEvent(event);
      onEvent(event);
    },
    // Chains that run at once may have commands of the same name.
    logPathOf: logPathsIn(chainOutputDirectory(root, id), gates, gateSecrets(gates, effects.env)),
  });
  watch.stop();
  const failed =
    summary.verdict === 'passed'
      ? undefined
      : await rememberFailedRun(summary, await output.findings(), last, stop);
  if (!failed) removeFailures(stop.loop.failuresPath);
  const results = commandEnds(summary);
  restoreChain(root, begun);
  let overtaken = false;
  const moved = await moveChain(root, id, (present) => {
    overtaken = !isAtRun(present, begun);
    // Whoever ran it tells the agent what is to be done now.
    if (overtaken) return { chain: { ...present, untold: false } };
    return effects.signal.aborted ? { chain: breakOffRun(present, now()) } : endRun(present, results, now());
  });
  if ('refused' in moved) {
    // The chain ended while its commands ran, and what they left then was removed too early.
    removeArtifacts(root, id);
    return moved;
  }
  return { ...moved, attempt, summary, results, failed, overtaken };
}

/** The attempt that a chain is at, and how many its commands have at the most. */
function attemptOf(chain: Chain): IterationNumber {
  const attempts = presentStep(chain).verify.map(({ maxAttempts }) => maxAttempts);
  return { iteration: chain.attempts, maxIterations: Math.max(1, ...attempts) };
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
