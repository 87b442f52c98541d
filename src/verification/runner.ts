import { basename } from 'node:path';
import { uptimeMs } from '../base/time.ts';
import type { Deadline } from '../gates/run-gates.ts';
import { isStartable, startOwnProcess } from '../process/own-process.ts';
import { identityOf, type ProcessIdentity } from '../process/process-group.ts';
import { runCommand } from '../process/run-command.ts';
import { machineSigner } from '../state/machine-key.ts';
import { FrameWriter, onceRemoved, readRequest, removeRun } from './live-runs.ts';
import type { RunPlan } from './run-here.ts';
import { runAndWrite } from './start-or-join.ts';
import type { StartRunner } from './types.ts';

/** The command that owns a run. People do not call it. */
const OWN_RUN = 'own-run';

/** Starts a process for a run, which goes on when this one ends. Undefined where none can be started. */
export const startRunner: StartRunner | undefined = isStartable ? start : undefined;

function start(...[directory, root, env]: Parameters<StartRunner>): ProcessIdentity {
  const pid = startOwnProcess([OWN_RUN, directory], { cwd: root, env });
  if (pid === undefined) throw new Error('no process can be started');
  return identityOf(pid);
}

/** Nobody may come back for gates without a limit of their own: those of a gate.config.json. */
const MAX_SECONDS = 3600;

function deadlineOf({ gates }: RunPlan): Deadline | undefined {
  const isLimited = gates.every((gate) => gate.kind === 'marker' || Number.isFinite(gate.timeoutSeconds));
  return isLimited ? undefined : { seconds: MAX_SECONDS, atMs: uptimeMs() + MAX_SECONDS * 1000 };
}

/**
 * Owns a run: runs its gates, and writes each result when it is there.
 *
 * @param directory of the run
 * @returns the exit code
 */
export async function ownRun(directory: string): Promise<number> {
  const signer = await machineSigner();
  const plan = signer && (readRequest(directory, signer) as RunPlan | undefined);
  if (!plan || !signer) return 2;
  const ended = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => ended.abort());
  const frames = new FrameWriter(directory, basename(directory), signer);
  const stopWatching = onceRemoved(directory, () => ended.abort());
  const context = {
    runCommand,
    env: process.env,
    now: () => new Date(),
    signal: ended.signal,
    deadline: deadlineOf(plan),
  };
  const { result } = await runAndWrite(plan, frames, {}, context);
  stopWatching();
  // A failure waits for the stop that takes it.
  if (result.verdict === 'passed') removeRun(directory);
  return 0;
}
