import type { EventFields, Host } from './host.ts';

/**
 * Copilot CLI. Hooks of PascalCase names get Claude Code's fields; those of camelCase names get camelCase fields, and no
 * name of the event. It fires the main agent's event for subagents too, beside their own.
 */
export const copilot: Host = {
  name: 'copilot',
  recognises: ({ sessionId, stopReason, timestamp }, env) =>
    (typeof sessionId === 'string' && typeof stopReason === 'string') ||
    (env.COPILOT_CLI === '1' && timestamp !== undefined),
  translate(event) {
    const named = 'sessionId' in event ? withNames(event) : event;
    if (named.hook_event_name === 'Stop' && named.agent_id !== undefined)
      return { why: "it is a subagent's, whose own event comes too" };
    return { event: named };
  },
  ignoresUnknownKeys: true,
  showsSystemMessage: false,
  timeoutSeconds: 30,
};

function withNames({
  sessionId,
  agentId,
  agentName,
  lastAssistantMessage,
  ...event
}: EventFields): EventFields {
  return {
    ...event,
    hook_event_name: agentName === undefined ? 'Stop' : 'SubagentStop',
    session_id: sessionId,
    agent_id: agentId,
    agent_type: agentName,
    last_assistant_message: lastAssistantMessage,
  };
}
