import { gateSecrets } from '../gates/gate-secrets.ts';
import type { RunResult } from '../gates/types.ts';
import { defaultDeadlineSeconds } from '../hosts/hosts.ts';
import type { StopEvent } from '../hosts/stop-event.ts';
import { internalErrorMessage } from '../messages/person-message.ts';
import { maskTexts } from '../process/mask-text.ts';
import { handleStop } from './handle-stop.ts';
import type { TriagedStop } from './triage.ts';
import type { StopResult } from './types.ts';

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
 * @param deadlineSeconds by default a little less than the host's default timeout
 */
export async function superviseStop(
  event: StopEvent,
  stop: TriagedStop,
  deadlineSeconds: number = defaultDeadlineSeconds(event.host),
): Promise<SupervisedStop> {
  const abort = new AbortController();
  const endedBy = listenForEnd(abort);
  const fault = listenForFault(abort);
  const handled = handleStop(event, stop, {
    // Loads child_process, which a stop with markers alone does not need.
    runCommand: async (spec, hooks) => (await import('../process/run-command.ts')).runCommand(spec, hooks),
    now: () => new Date(),
    env: process.env,
    // uptimeMs() counts from the start of the process, which is close to when the host started its clock.
    deadline: { seconds: deadlineSeconds, atMs: deadlineSeconds * 1000 },
    signal: abort.signal,
  });
  try {
    const result = await Promise.race([handled, fault]);
    return { result, endedBy: endedBy(), mask: maskFor(result.summary) };
  } catch (error) {
    await settled(handled);
    const result: StopResult = {
      answer: { decision: 'allow', why: 'internal-error', toPerson: internalErrorMessage(error) },
      root: stop.root,
      notes: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
    };
    return { result, endedBy: endedBy(), mask: maskFor(undefined) };
  }
}

function maskFor(summary: RunResult | undefined): SupervisedStop['mask'] {
  const gates = summary?.results.map(({ gate }) => gate) ?? [];
  const secrets = gateSecrets(gates, process.env);
  return (value) => maskTexts(value, secrets);
}

/** The exit code that a shell reports for this signal: 128 + its number, which POSIX defines for these. */
export function exitCodeOf(signal: EndSignal): number {
  return 128 + { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }[signal];
}

/** Returns a function that returns the signal that has arrived, if any. */
function listenForEnd(abort: AbortController): () => EndSignal | undefined {
  let endedBy: EndSignal | undefined;
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(name, () => {
      endedBy ??= name;
      abort.abort();
    });
  return () => endedBy;
}

/** Rejects at an error in a stream's listener, which rejects no other promise, and ends the gates. */
function listenForFault(abort: AbortController): Promise<never> {
  return new Promise((_, reject) => {
    process.on('uncaughtException', (error) => {
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
