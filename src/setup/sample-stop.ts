import { MAIN_AGENT } from '../config/discover.ts';
import type { KnownHost } from '../hosts/host.ts';

/** A stop as a host would report it, with the variables that it sets for the hook. */
export interface SampleStop {
  readonly event: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string>>;
}

const SESSION = 'ralph-loop-doctor';

/**
 * A stop of a host, in its own words, as recorded from the real clients.
 *
 * @param agent `main`, or a type of subagent
 * @param cwd where the agent is said to work
 * @param root the project's directory, which the hook's command is expanded by
 */
export function sampleStop(host: KnownHost, agent: string, cwd: string, root: string): SampleStop {
  const { main, subagent = main } = host.hookFile.events;
  const isMain = agent === MAIN_AGENT;
  const event = {
    hook_event_name: isMain ? main : subagent,
    session_id: SESSION,
    cwd,
    stop_hook_active: false,
    ...(!isMain && { agent_id: SESSION, agent_type: agent }),
  };
  const env = { CLAUDE_PROJECT_DIR: root };
  switch (host.name) {
    case 'claude-code':
      return { event, env: { ...env, CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: SESSION } };
    case 'codex':
      return { event: { ...event, turn_id: SESSION }, env: {} };
    case 'gemini':
      return { event: { ...event, prompt_response: 'done' }, env: { ...env, GEMINI_PROJECT_DIR: root } };
    case 'qwen':
      return {
        event: { ...event, timestamp: new Date(0).toISOString() },
        env: { ...env, QWEN_PROJECT_DIR: root, QWEN_CODE_SESSION_ID: SESSION },
      };
    case 'copilot':
      return {
        event: { ...event, timestamp: new Date(0).toISOString() },
        env: { ...env, COPILOT_PROJECT_DIR: root, COPILOT_CLI: '1' },
      };
    case 'droid':
      return { event, env: { ...env, FACTORY_PROJECT_DIR: root } };
    default:
      return {
        event: {
          hook_event_name: event.hook_event_name,
          conversation_id: SESSION,
          cursor_version: '0',
          workspace_roots: [cwd],
          status: 'completed',
          loop_count: 0,
          ...(!isMain && { subagent_type: agent }),
        },
        env: { ...env, CURSOR_PROJECT_DIR: root },
      };
  }
}
