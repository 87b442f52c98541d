import { type EventFields, type KnownHost, quoted } from './host.ts';

/**
 * Copilot CLI. Hooks of PascalCase names get Claude Code's fields; those of camelCase names get camelCase fields, and no
 * name of the event. It fires the main agent's event for subagents too, beside their own.
 */
export const copilot: KnownHost = {
  name: 'copilot',
  title: 'Copilot CLI',
  recognises: ({ sessionId, stopReason, timestamp }, env) =>
    (typeof sessionId === 'string' && typeof stopReason === 'string') ||
    (env.COPILOT_CLI === '1' && timestamp !== undefined),
  translate: (event) => ('sessionId' in event ? withNames(event) : event),
  skipReason: ({ hook_event_name: name, agent_id }) =>
    name === 'Stop' && agent_id !== undefined ? "it is a subagent's, whose own event comes too" : undefined,
  answerKeys: ['decision', 'reason', 'warnings'],
  timeout: { unit: 's', defaultSeconds: 30 },
  blockCap: 8,
  runsClaudeHooks: true,
  trust:
    'Copilot skips the hooks of folders that it was not told to trust: start copilot here once, and trust the folder.',
  hookFile: {
    path: '.github/hooks/ralph-loop.json',
    otherPaths: [],
    head: { version: 1 },
    events: { main: 'Stop', subagent: 'SubagentStop', prompt: 'UserPromptSubmit' },
    form: 'flat',
    hasMatcher: false,
    commandKey: 'bash',
    timeoutKey: 'timeoutSec',
    entry: { type: 'command' },
    inProject: (path) => `"$COPILOT_PROJECT_DIR/${quoted(path)}"`,
  },
};

function withNames({
  sessionId,
  agentId,
  agentName,
  lastAssistantMessage,
  transcriptPath,
  ...event
}: EventFields): EventFields {
  return {
    ...event,
    hook_event_name: agentName === undefined ? 'Stop' : 'SubagentStop',
    session_id: sessionId,
    agent_id: agentId,
    agent_type: agentName,
    last_assistant_message: lastAssistantMessage,
    transcript_path: transcriptPath,
  };
}
