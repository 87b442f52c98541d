import { type KnownHost, quoted } from './host.ts';

const NAMES: Readonly<Record<string, string>> = { stop: 'Stop', subagentStop: 'SubagentStop' };

/**
 * Cursor, which runs Claude Code's hooks too, and then speaks of itself in `cursor_version`. It goes on by a follow-up
 * message. How long it waits for a hook is not known: as short as any.
 */
export const cursor: KnownHost = {
  name: 'cursor',
  title: 'Cursor',
  recognises: ({ cursor_version, conversation_id }) =>
    typeof cursor_version === 'string' || typeof conversation_id === 'string',
  translate(event) {
    const {
      hook_event_name: name,
      conversation_id,
      workspace_roots,
      subagent_type,
      summary,
      loop_count,
    } = event;
    return {
      ...event,
      hook_event_name: NAMES[String(name)] ?? name,
      session_id: event.session_id ?? conversation_id,
      cwd: event.cwd ?? (Array.isArray(workspace_roots) ? workspace_roots[0] : undefined),
      agent_type: event.agent_type ?? subagent_type,
      last_assistant_message: event.last_assistant_message ?? summary,
      stop_hook_active: typeof loop_count === 'number' ? loop_count > 0 : event.stop_hook_active,
    };
  },
  skipReason: ({ status }) =>
    typeof status === 'string' && status !== 'completed' ? `the turn was ${status}` : undefined,
  answerKeys: ['followup_message'],
  timeout: { unit: 's', defaultSeconds: 30 },
  blockCap: 5,
  runsClaudeHooks: true,
  mcpFile: '.cursor/mcp.json',
  hookFile: {
    path: '.cursor/hooks.json',
    otherPaths: ['~/.cursor/hooks.json'],
    head: { version: 1 },
    events: { main: 'stop', subagent: 'subagentStop', prompt: 'beforeSubmitPrompt' },
    form: 'flat',
    hasMatcher: true,
    commandKey: 'command',
    timeoutKey: 'timeout',
    // The loop is ours to end.
    entry: { loop_limit: null },
    inProject: (path) => `"$CURSOR_PROJECT_DIR/${quoted(path)}"`,
  },
};
