import { gateSecrets } from '../gates/plan.ts';
import type { RunResult } from '../gates/types.ts';
import { defaultDeadlineSeconds } from '../hosts/registry.ts';
import type { StopEvent } from '../hosts/types.ts';
import { internalErrorMessage } from '../messages/person.ts';
import { runCommand } from '../process/run-command.ts';
import { maskTexts } from '../process/secrets/masker.ts';
import { handleStop } from './handle-stop.ts';
import type { TriagedStop } from './triage.ts';
import type { HookProcess, StopResult } from './types.ts';

/** Hosts end a hook with SIGTERM; a person does with Ctrl-C, or by closing the terminal. */
export type EndSignal = 'SIGTERM' | 'SIGINT' | 'SIGHUP';

/** Longer than an aborted run takes to end its process group. */
const ABORTED_RUN_MS = 400;

export interface SupervisedStop {
  readonly result: StopResult;
  /** The signal that ended the hook before it had an answer. */
  readonly endedBy: EndSignal | undefined;
  /** Removes secrets from everything that is written about the stop. */
  readonly mask: <T>(value: T) => T;
}

/**
 * Handles a stop, ends its gates when the host ends the hook, and allows the stop after an internal error. The gates'
 * processes are gone before the hook is.
 *
 * @param wantedSeconds the deadline; undefined for a little less than the host's default timeout
 */
export async function superviseStop(
  event: StopEvent,
  stop: TriagedStop,
  wantedSeconds: number | undefined,
  { env, events, startedAtMs }: Pick<HookProcess, 'env' | 'events' | 'startedAtMs'>,
): Promise<SupervisedStop> {
  const deadlineSeconds = wantedSeconds ?? defaultDeadlineSeconds(event.host);
  const abort = new AbortController();
  const endedBy = listenForEnd(events, abort);
  const fault = listenForFault(events, abort);
  const handled = handleStop(event, stop, {
    runCommand,
    now: () => new Date(),
    env,
    deadline: { seconds: deadlineSeconds, atMs: startedAtMs + deadlineSeconds * 1000 },
    signal: abort.signal,
  });
  try {
    const result = await Promise.race([handled, fault]);
    return { result, endedBy: endedBy(), mask: maskFor(result.summary, env) };
  } catch (error) {
    await settled(handled);
    const result: StopResult = {
      answer: { decision: 'allow', why: 'internal-error', toPerson: internalErrorMessage(error) },
      root: stop.root,
      notes: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
    };
    return { result, endedBy: endedBy(), mask: maskFor(undefined, env) };
  }
}

function maskFor(summary: RunResult | undefined, env: NodeJS.ProcessEnv): SupervisedStop['mask'] {
  const gates = summary?.results.map(({ gate }) => gate) ?? [];
  const secrets = gateSecrets(gates, env);
  return (value) => maskTexts(value, secrets);
}

/** The exit code that a shell reports for this signal: 128 + its number, which POSIX defines for these. */
export function exitCodeAfter(signal: EndSignal): number {
  return 128 + { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }[signal];
}

/** Returns a function that returns the signal that has arrived, if any. */
function listenForEnd(events: HookProcess['events'], abort: AbortController): () => EndSignal | undefined {
  let endedBy: EndSignal | undefined;
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    events.on(name, () => {
      endedBy ??= name;
      abort.abort();
    });
  return () => endedBy;
}

/** Rejects at an error in a stream's listener, which rejects no other promise, and ends the gates. */
function listenForFault(events: HookProcess['events'], abort: AbortController): Promise<never> {
  return new Promise((_, reject) => {
    events.on('uncaughtException', (error: Error) => {
      // Rejected first, so that the answer of the aborted run is not taken.
      reject(error);
      abort.abort();
    });
  });
}

/** Waits for an aborted run, within a limit: the run itself may be what failed. */
async function settled(run: Promise<unknown>): Promise<void> {
  const limit = new Promise((resolve) => setTimeout(resolve, ABORTED_RUN_MS));
  await Promise.race([run.catch(() => {}), limit]);
}
