import { claudeCode, readStopEvent } from './claude-code.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import { droid } from './droid.ts';
import { gemini } from './gemini.ts';
import type { EventFields, Host, KnownHost } from './host.ts';
import { qwen } from './qwen.ts';
import { skipReason } from './skip-reason.ts';
import type { HostName, StopEvent } from './stop-event.ts';

/** An agent may start another one, which inherits its environment: those that are known by their events come first. */
export const HOSTS: readonly KnownHost[] = [cursor, codex, gemini, claudeCode, copilot, qwen, droid];

/** A host that is not known is told nothing but what every host understands. */
const UNKNOWN: Host = {
  name: 'unknown',
  recognises: () => true,
  answerKeys: ['decision', 'reason'],
  timeout: { unit: 's', defaultSeconds: 600 },
};

export function hostNamed(name: string): Host {
  return HOSTS.find((host) => host.name === name) ?? UNKNOWN;
}

/**
 * Reads the event that a host writes on the hook's stdin.
 *
 * @param input the parsed JSON, whatever it is
 * @param env the hook's environment
 * @param wanted the host that the command line names
 * @returns why it is no stop event, where it is none
 */
export function readEvent(
  input: unknown,
  env: NodeJS.ProcessEnv,
  wanted?: HostName,
): { event: StopEvent } | { why: string } {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return { why: 'stdin holds no JSON object' };
  const fields = input as EventFields;
  const host = hostOf(fields, env, wanted);
  const event = host.translate?.(fields) ?? fields;
  return readStopEvent(event, host, skipReason(host, event, env));
}

/** Whose event it is: the host that the command line names, or the one whose marks it bears. */
export function hostOf(fields: EventFields, env: NodeJS.ProcessEnv, wanted?: HostName): Host {
  if (wanted !== undefined) return hostNamed(wanted);
  return HOSTS.find((known) => known.recognises(fields, env)) ?? UNKNOWN;
}

/** Seconds by which an answer is out before the host gives up on a hook whose timeout is the default. */
export function defaultDeadlineSeconds(name: HostName): number {
  return deadlineSecondsBelow(hostNamed(name).timeout.defaultSeconds);
}

/** Seconds by which an answer is out before a host gives up on a hook of this timeout. */
function deadlineSecondsBelow(timeoutSeconds: number): number {
  return Math.min(timeoutSeconds * 0.95, timeoutSeconds - 3);
}
