import type { Answer, HostName, StopEvent } from '../loop/stop-event.ts';
import { extrasOf, readStopEvent } from './claude-code.ts';

/**
 * Reads the event of Ralph Gate's hook. Ralph Gate itself reads none: whatever it is called for is a stop, and what
 * cannot be read is the main agent's, in the directory of the hook.
 *
 * @param text what stands on stdin
 */
export function readGateEvent(text: string, env: NodeJS.ProcessEnv): { event: StopEvent } | { why: string } {
  const fields = fieldsIn(text);
  const name = fields.hook_event_name === 'SubagentStop' ? 'SubagentStop' : 'Stop';
  return readStopEvent({ ...fields, hook_event_name: name }, env);
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
  if (answer.decision === 'ignore') return '{}';
  return JSON.stringify({
    ...(answer.decision === 'block' && { decision: 'block', reason: answer.reason }),
    ...(host !== 'codex' && extrasOf(answer)),
  });
}
