import { CLAUDE_PROJECT_DIR, type KnownHost } from './host.ts';

/**
 * Copilot CLI. Hooks with PascalCase event names get Claude Code's fields; hooks with camelCase names get camelCase fields
 * without the event's name. The main agent's event also fires for subagents, in addition to their own.
 */
export const copilot: KnownHost<'copilot'> = {
  name: 'copilot',
  title: 'Copilot CLI',
  recognizes: ({ sessionId, stopReason, timestamp }, env) =>
    (typeof sessionId === 'string' && typeof stopReason === 'string') ||
    (env.COPILOT_CLI === '1' && timestamp !== undefined),
  translate(event) {
    if (!('sessionId' in event)) return event;
    const { sessionId, agentId, agentName, lastAssistantMessage, transcriptPath, toolArgs, ...rest } = event;
    const stop = agentName === undefined ? 'Stop' : 'SubagentStop';
    return {
      ...rest,
      hook_event_name: event.hook_event_name ?? (toolArgs === undefined ? stop : 'PostToolUse'),
      tool_input: toolArgs,
      session_id: sessionId,
      agent_id: agentId,
      agent_type: agentName,
      last_assistant_message: lastAssistantMessage,
      transcript_path: transcriptPath,
    };
  },
  skipReason: ({ hook_event_name: name, agent_id }) =>
    name === 'Stop' && agent_id !== undefined
      ? 'a subagent stopped, which its own event reports too'
      : undefined,
  answerExtras: ['warnings'],
  // It drops `hookSpecificOutput` after an edit (1.0.102).
  editContext: (_, additionalContext) => ({ additionalContext }),
  timeout: { unit: 's', defaultSeconds: 30 },
  blockCap: 8,
  projectVariables: ['COPILOT_PROJECT_DIR', CLAUDE_PROJECT_DIR],
  runsClaudeHooks: true,
  projectFiles: ['.github/hooks', '.github/copilot-instructions.md'],
  executable: 'copilot',
  hookFile: {
    path: '.github/hooks/ralph-loop.json',
    otherPaths: [],
    head: { version: 1 },
    events: { main: 'Stop', subagent: 'SubagentStop', prompt: 'UserPromptSubmit', edit: 'PostToolUse' },
    // The names by which it calls its own tools for hooks with PascalCase event names.
    editTools: 'Edit|Write',
    form: 'flat',
    hasMatcher: false,
    commandKey: 'bash',
    timeoutKey: 'timeoutSec',
    entry: { type: 'command' },
    projectDirectory: '$COPILOT_PROJECT_DIR',
  },
  // As Copilot CLI 1.0.102 stores it.
  trust: {
    instructions:
      'Copilot skips the hooks of folders that are not trusted: start copilot here once and trust the folder.',
    findProblem({ env, lookUp, isProjectIn }) {
      const file = `${env.COPILOT_HOME ?? '~/.copilot'}/config.json`;
      const folders = lookUp(file, 'trustedFolders');
      const isTrusted =
        Array.isArray(folders) && folders.some((folder) => typeof folder === 'string' && isProjectIn(folder));
      return isTrusted
        ? undefined
        : { level: 'error', message: `${file} does not list this folder as trusted.` };
    },
  },
  sampleStop: (event) => ({
    event: { ...event, timestamp: new Date(0).toISOString() },
    env: { COPILOT_CLI: '1' },
  }),
};
