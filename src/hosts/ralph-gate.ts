import { readEvent } from './hosts.ts';
import type { Answer, HostName, StopEvent } from './stop-event.ts';
import { answerFields } from './write-answer.ts';

/**
 * Reads the event of Ralph Gate's hook. Ralph Gate itself reads none: whatever an unknown host calls it for is a stop,
 * and what cannot be read is the main agent's, in the directory of the hook.
 *
 * @param text what stands on stdin
 * @param wanted the host that the command line names
 */
export function readGateEvent(
  text: string,
  env: NodeJS.ProcessEnv,
  wanted?: HostName,
): { event: StopEvent } | { why: string } {
  const fields = fieldsIn(text);
  const read = readEvent(fields, env, wanted);
  const isStop = 'event' in read || fields.hook_event_name === 'SubagentStop';
  return isStop ? read : readEvent({ ...fields, hook_event_name: 'Stop' }, env, wanted);
}

function fieldsIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}

/**
 * The answer as Ralph Gate gives it: always an object, empty where there is nothing to say; a host that is not known
 * is taken for Claude Code, which it was made for.
 */
export function writeGateAnswer(answer: Answer, host: HostName): string {
  return JSON.stringify(answerFields(answer, host === 'unknown' ? 'claude-code' : host));
}
