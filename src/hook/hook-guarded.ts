import { gateSecrets } from '../gates/plan.ts';
import type { RunResult } from '../gates/types.ts';
import { defaultDeadlineSeconds } from '../hosts/hosts.ts';
import type { StopEvent } from '../hosts/stop-event.ts';
import { internalErrorMessage } from '../messages/person-message.ts';
import { runCommand } from '../process/run-command.ts';
import { maskTexts } from '../process/secrets/masker.ts';
import { answerAnyStop, type JudgeableStop } from './answer-any-stop.ts';
import type { StopResult } from './handle-stop.ts';

/** Hosts end a hook with SIGTERM; a person who runs it by hand, with Ctrl-C, or by closing the terminal. */
type EndSignal = 'SIGTERM' | 'SIGINT' | 'SIGHUP';

/** Longer than an aborted run takes to end its process group. */
const ABORTED_RUN_MS = 400;

/** The outcome of a stop that is guarded; `endedBy` where the host ended the hook before there was an answer. */
export interface GuardedOutcome {
  readonly judged: StopResult;
  readonly endedBy: EndSignal | undefined;
  /** Takes the secrets out of all that is said of it. */
  readonly mask: <T>(said: T) => T;
}

/**
 * The part of the hook that is loaded only for stops that are guarded. A host that ends the hook finds the gates'
 * processes gone before the hook is.
 *
 * @param deadlineSeconds undefined: a little below the host's default timeout
 */
export async function judgeGuardedStop(
  event: StopEvent,
  stop: JudgeableStop,
  deadlineSeconds: number = defaultDeadlineSeconds(event.host),
): Promise<GuardedOutcome> {
  const abort = new AbortController();
  const endedBy = listenForEnd(abort);
  const fault = listenForFault(abort);
  const answer = answerAnyStop(event, stop, {
    runCommand,
    now: () => new Date(),
    env: process.env,
    // uptimeMs() counts from the start of the process, which is close to when the host's clock started.
    deadline: { seconds: deadlineSeconds, atMs: deadlineSeconds * 1000 },
    signal: abort.signal,
  });
  try {
    const judged = await Promise.race([answer, fault]);
    return { judged, endedBy: endedBy(), mask: maskFor(judged.summary) };
  } catch (error) {
    // A fault of ours must not keep the agent from stopping, and must not pass unseen.
    await settled(answer);
    const toPerson = internalErrorMessage(error);
    const notes = [error instanceof Error ? (error.stack ?? error.message) : String(error)];
    const judged: StopResult = {
      answer: { decision: 'allow', why: 'internal-error', toPerson },
      root: stop.root,
      notes,
    };
    return { judged, endedBy: endedBy(), mask: maskFor(undefined) };
  }
}

function maskFor(summary: RunResult | undefined): GuardedOutcome['mask'] {
  const gates = summary?.results.map(({ gate }) => gate) ?? [];
  const secrets = gateSecrets(gates, process.env);
  return (said) => maskTexts(said, secrets);
}

/** The exit code that a shell gives a process ended by this signal: 128 + its number, which POSIX fixes for these. */
export function exitCodeAfter(signal: EndSignal): number {
  return 128 + { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }[signal];
}

/** @returns tells the signal that has come, if one has */
function listenForEnd(abort: AbortController): () => EndSignal | undefined {
  let endedBy: EndSignal | undefined;
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(name, () => {
      endedBy ??= name;
      abort.abort();
    });
  return () => endedBy;
}

/** A fault in a listener of a stream reaches no promise of ours: this one it rejects, and the gates are ended. */
function listenForFault(abort: AbortController): Promise<never> {
  return new Promise((_, reject) => {
    process.on('uncaughtException', (error) => {
      // The answer of a run that was cut short must not be taken for one: the rejection comes first.
      reject(error);
      abort.abort();
    });
  });
}

/** Waits for a run that was aborted, but not for ever: it may be what is at fault. */
async function settled(run: Promise<unknown>): Promise<void> {
  const patience = new Promise((resolve) => setTimeout(resolve, ABORTED_RUN_MS));
  await Promise.race([run.catch(() => {}), patience]);
}
