import { CLAUDE_PROJECT_DIR, hookSpecificOutput, type KnownHost } from './host.ts';

/**
 * Copilot CLI, and Copilot's chat in VS Code, which runs the hooks of the same file. They cannot be one host each: the command
 * in the file is the same. The facts on VS Code are from its documentation: it sends `hookEventName` and `sessionId` beside
 * fields of Claude Code, and reads the block of a main agent, and context after an edit, in `hookSpecificOutput`.
 *
 * Hooks of Copilot CLI with PascalCase event names get Claude Code's fields; hooks with camelCase names get camelCase fields
 * without the event's name. The main agent's event also fires for subagents, in addition to their own.
 */
export const copilot: KnownHost<'copilot'> = {
  name: 'copilot',
  title: 'Copilot CLI',
  alsoNamed: ['vscode', 'vs-code'],
  recognizes: ({ sessionId, stopReason, timestamp, hookEventName }, env) =>
    (typeof sessionId === 'string' &&
      (typeof stopReason === 'string' || typeof hookEventName === 'string')) ||
    (env.COPILOT_CLI === '1' && timestamp !== undefined),
  translate(event) {
    if (!('sessionId' in event)) return event;
    const { sessionId, agentId, agentName, lastAssistantMessage, transcriptPath, toolArgs, ...rest } = event;
    if ('hookEventName' in event)
      return {
        ...event,
        hook_event_name: event.hook_event_name ?? event.hookEventName,
        session_id: event.session_id ?? sessionId,
      };
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
  // Each of the two ignores the form of the other.
  block: (reason) => ({
    decision: 'block',
    reason,
    hookSpecificOutput: { hookEventName: 'Stop', decision: 'block', reason },
  }),
  answerExtras: ['warnings'],
  // Copilot CLI drops `hookSpecificOutput` after an edit (1.0.102).
  editContext: (name, additionalContext) => ({
    additionalContext,
    ...hookSpecificOutput(name, additionalContext),
  }),
  timeout: { unit: 's', defaultSeconds: 30 },
  blockCap: 8,
  projectVariables: ['COPILOT_PROJECT_DIR', CLAUDE_PROJECT_DIR],
  runsClaudeHooks: true,
  runsClaudeHooksIf: 'VS Code runs them only with "chat.useClaudeHooks": true in its settings.',
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
    // VS Code's key; without it, VS Code waits for 30 s.
    alsoTimeoutKey: 'timeout',
    entry: { type: 'command' },
    // VS Code documents no variable, and starts hooks in the root of the workspace.
    projectDirectory: `\${COPILOT_PROJECT_DIR:-.}`,
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
