import type { Result } from '../base/result.ts';
import { claudeCode } from './claude-code.ts';
import { answerFields, jsonLine } from './format.ts';
import { parseEvent, readStopEvent } from './normalize.ts';
import type { HostName } from './registry.ts';
import type { Answer, StopEvent } from './types.ts';

/**
 * Reads the event of `ralph-gate --hook`. The original Ralph Gate reads no event and treats every call as a stop, so an
 * event that is not a subagent's stop is the main agent's, and unreadable input is a stop in the hook's directory.
 *
 * @param text what stdin has
 * @param hostName the host that the command line names; undefined detects it
 */
export function readGateEvent(text: string, env: NodeJS.ProcessEnv, hostName?: HostName): Result<StopEvent> {
  const fields = parseFields(text);
  const event = readStopEvent(fields, env, hostName);
  return event.ok ? event : readStopEvent({ ...fields, hook_event_name: 'Stop' }, env, hostName);
}

function parseFields(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = parseEvent(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}

/**
 * The answer in Ralph Gate's form: always an object, empty if there is nothing to say. An unknown host gets the answer for
 * Claude Code, for which Ralph Gate was made.
 */
export function writeGateAnswer(answer: Answer, host: HostName): string {
  return jsonLine(answerFields(answer, host === 'unknown' ? claudeCode.name : host));
}
