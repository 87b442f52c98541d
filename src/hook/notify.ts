import { join } from 'node:path';
import { makeDirectory, writeFileAtomic } from '../base/files.ts';
import { oneLine } from '../base/text.ts';
import { SIGNALS } from '../config/schema.ts';
import type { StopEvent } from '../hosts/types.ts';
import { unresolvedGates } from '../messages/outcome.ts';
import { blockedMessage } from '../messages/person.ts';
import { isStartable, startOwnProcess } from '../process/own-process.ts';
import { terminalAbove } from '../process/terminal-above.ts';
import { stateDirectory } from '../state/paths.ts';
import type { StopResult } from './types.ts';

/** What a notification is about. */
export interface Notification {
  readonly event: 'blocked' | 'escalated' | 'unresolved';
  /** Absolute directory of the project. */
  readonly project: string;
  readonly host: string;
  readonly session: string | null;
  readonly agent: string;
  readonly iteration: number | null;
  readonly max: number | null;
  /** The names of the gates that failed. */
  readonly failed: readonly string[];
  /** What happened, in one line. */
  readonly reason: string;
}

const MAX_FAILED = 20;
const MAX_REASON_CHARACTERS = 500;

/**
 * The notification of a stop; undefined for one that a person need not know of: passes, blocks that are not failures, and
 * further blocks of a loop, which the agent works on.
 */
export function notificationOf(event: StopEvent, result: StopResult): Notification | undefined {
  // What is typed is judged before the project's gates, and may have ended in spite of them.
  const outcome = [result, result.chain].find((one) => one && kindOf(one) !== undefined);
  const kind = outcome && kindOf(outcome);
  const { root } = result;
  if (!outcome || kind === undefined || root === undefined || outcome.answer.decision === 'ignore')
    return undefined;
  const { answer, attempt, summary } = outcome;
  const failed = summary ? unresolvedGates(summary).map(({ gate }) => oneLine(gate.name)) : [];
  const text =
    answer.decision === 'block' ? blockedMessage(failed, answer.reason) : (answer.toPerson ?? answer.why);
  return {
    event: kind,
    project: root,
    host: event.host,
    session: event.sessionId ?? null,
    agent: event.agent,
    iteration: attempt?.iteration ?? null,
    max: attempt?.maxIterations ?? null,
    failed: failed.slice(0, MAX_FAILED),
    reason: oneLine(text.split('\n', 1)[0] ?? '', MAX_REASON_CHARACTERS),
  };
}

const FAILED = ['gates-failed', 'out-of-time', 'config-broken', 'integrity', 'review-failed', 'retried'];
const UNRESOLVED = ['cap-reached', 'cannot-count', 'expired'];

function kindOf({ answer, attempt }: StopResult): Notification['event'] | undefined {
  if (answer.decision === 'block')
    return FAILED.includes(answer.why) && (attempt?.iteration ?? 1) === 1 ? 'blocked' : undefined;
  if (answer.why === 'escalated') return 'escalated';
  return UNRESOLVED.includes(answer.why) ? 'unresolved' : undefined;
}

/** The command of the process that runs a notification. People do not call it. */
const OWN_NOTIFICATION = 'own-notification';

/**
 * Starts the command of a stop's project, if there is something to say. It is not waited for.
 *
 * @param mask removes secrets from what the command gets
 */
export function notify(
  event: StopEvent,
  result: StopResult,
  { env, mask }: { readonly env: NodeJS.ProcessEnv; readonly mask: (value: Notification) => Notification },
): void {
  const notification = notificationOf(event, result);
  if (notification === undefined || result.notify === undefined || !isStartable) return;
  const { project } = notification;
  const directory = stateDirectory(project);
  const path = join(directory, `notification-${process.pid}.json`);
  try {
    makeDirectory(directory, 0o700);
    writeFileAtomic(path, `${JSON.stringify(mask(notification))}\n`, { mode: 0o600 });
    // The processes above this one end with it.
    const terminal = SIGNALS.includes(result.notify) ? (terminalAbove() ?? '') : '';
    startOwnProcess([OWN_NOTIFICATION, project, path, result.notify, terminal], { cwd: project, env });
  } catch {
    // The answer is out, and the log has it.
  }
}
