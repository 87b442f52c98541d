import { CLAUDE_PROJECT_DIR, type KnownHost } from './host.ts';

/** As documented in November 2026. */
const EVENTS = [
  'sessionStart',
  'sessionEnd',
  'preToolUse',
  'postToolUse',
  'postToolUseFailure',
  'subagentStart',
  'subagentStop',
  'beforeShellExecution',
  'afterShellExecution',
  'beforeMCPExecution',
  'afterMCPExecution',
  'beforeReadFile',
  'afterFileEdit',
  'beforeSubmitPrompt',
  'preCompact',
  'stop',
  'afterAgentResponse',
  'afterAgentThought',
  'beforeTabFileRead',
  'afterTabFileEdit',
  'workspaceOpen',
];

/**
 * Cursor. It also runs Claude Code's hooks, and then identifies itself by `cursor_version`. A follow-up message continues
 * the turn. The hook timeout is not documented: the shortest of the other hosts is assumed. The answer to `afterFileEdit` does
 * not reach the agent, as documented; Cursor needs a login, so nothing else was measured.
 */
export const cursor: KnownHost<'cursor'> = {
  name: 'cursor',
  title: 'Cursor',
  recognizes: ({ cursor_version, conversation_id }) =>
    typeof cursor_version === 'string' || typeof conversation_id === 'string',
  translate(event) {
    const { conversation_id, workspace_roots, subagent_type, summary, loop_count } = event;
    return {
      ...event,
      session_id: event.session_id ?? conversation_id,
      cwd: event.cwd ?? (Array.isArray(workspace_roots) ? workspace_roots[0] : undefined),
      project_directories: workspace_roots,
      agent_type: event.agent_type ?? subagent_type,
      last_assistant_message: event.last_assistant_message ?? summary,
      stop_hook_active: typeof loop_count === 'number' ? loop_count > 0 : event.stop_hook_active,
    };
  },
  skipReason: ({ status }) =>
    typeof status === 'string' && status !== 'completed' ? `the turn was ${status}` : undefined,
  block: (reason) => ({ followup_message: reason }),
  answerExtras: [],
  rejectPrompt: (reason) => ({ continue: false, user_message: reason }),
  timeout: { unit: 's', defaultSeconds: 30 },
  blockCap: 5,
  projectVariables: ['CURSOR_PROJECT_DIR', CLAUDE_PROJECT_DIR],
  runsClaudeHooks: true,
  projectFiles: ['.cursor', '.cursorrules'],
  executable: 'cursor-agent',
  mcpFile: '.cursor/mcp.json',
  hookFile: {
    path: '.cursor/hooks.json',
    otherPaths: ['~/.cursor/hooks.json'],
    head: { version: 1 },
    events: { main: 'stop', subagent: 'subagentStop', prompt: 'beforeSubmitPrompt' },
    allEvents: EVENTS,
    form: 'flat',
    hasMatcher: true,
    commandKey: 'command',
    timeoutKey: 'timeout',
    // ralph-loop has its own limit.
    entry: { loop_limit: null },
    projectDirectory: '$CURSOR_PROJECT_DIR',
  },
  sampleStop: ({ hook_event_name, session_id, cwd, agent_type }) => ({
    event: {
      hook_event_name,
      conversation_id: session_id,
      cursor_version: '0',
      workspace_roots: [cwd],
      status: 'completed',
      loop_count: 0,
      ...(agent_type !== undefined && { subagent_type: agent_type }),
    },
    env: {},
  }),
};
