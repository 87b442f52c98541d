import { CLAUDE_FORM, type EventFields, type Host, type KnownHost, quoted } from './host.ts';
import type { StopEvent } from './stop-event.ts';

/**
 * Claude Code sets CLAUDECODE for everything it starts, another agent in its shell included; but that one's session
 * is not Claude Code's.
 */
export const claudeCode: KnownHost = {
  name: 'claude-code',
  title: 'Claude Code',
  recognises: ({ session_id }, { CLAUDECODE, CLAUDE_CODE_SESSION_ID: own }) =>
    CLAUDECODE === '1' && (own === undefined || own === session_id),
  answerKeys: ['decision', 'reason', 'warnings', 'systemMessage'],
  timeout: { unit: 's', defaultSeconds: 600 },
  blockCap: 8,
  mcpFile: '.mcp.json',
  hookFile: {
    path: '.claude/settings.json',
    otherPaths: ['.claude/settings.local.json', '~/.claude/settings.json'],
    ...CLAUDE_FORM,
    inProject: (path) => `"$CLAUDE_PROJECT_DIR/${quoted(path)}"`,
  },
};

/** Events that are an agent's attempt to stop; the names are case-sensitive. */
const MAIN_STOP = 'Stop';
const SUBAGENT_STOP = 'SubagentStop';

/**
 * Reads an event in Claude Code's words. Both generations of field names are known: `agent_type`,
 * `last_assistant_message`, and before them `subagent_type`, `agent_output`, `prompt`.
 *
 * @param host whose event it is
 * @param skipReason why it is not to be judged, where it is not
 * @returns why it is no stop event, where it is none
 */
export function readStopEvent(
  fields: EventFields,
  { name: host, saysWholeTurn }: Host,
  skipReason?: string,
): { event: StopEvent } | { why: string } {
  const name = fields.hook_event_name;
  if (name !== MAIN_STOP && name !== SUBAGENT_STOP) return { why: `event ${nameOf(name)} is no stop` };
  const sessionId = text(fields.session_id);
  const event = {
    host,
    agentId: text(fields.agent_id),
    sessionId,
    cwd: usablePath(fields.cwd),
    message: text(fields.last_assistant_message) ?? text(fields.agent_output) ?? '',
    isWholeTurn: saysWholeTurn === true,
    // The session's transcript tells what the main agent said.
    transcriptPath: usablePath(name === MAIN_STOP ? fields.transcript_path : fields.agent_transcript_path),
    continuing: typeof fields.stop_hook_active === 'boolean' ? fields.stop_hook_active : undefined,
    skipReason,
  };
  if (name === MAIN_STOP) return { event: { ...event, isMain: true, agent: 'main', finishPhase: false } };
  return { event: { ...event, isMain: false, ...subagentOf(fields) } };
}

/** The subagent's type, and whether its (old-style) prompt marks Trellis's finish phase. */
function subagentOf(fields: EventFields): Pick<StopEvent, 'agent' | 'finishPhase'> {
  const { agent_type: agentType, subagent_type: oldAgentType, prompt } = fields;
  if (typeof agentType === 'string') return { agent: agentType, finishPhase: false };
  // No client starts a subagent without a prompt: the old-style event with an empty one is the case that the current
  // Python hook is on record as ignoring.
  if (typeof oldAgentType !== 'string' || prompt === '') return { agent: '', finishPhase: false };
  return {
    agent: oldAgentType,
    finishPhase: typeof prompt === 'string' && prompt.toLowerCase().includes('[finish]'),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A NUL makes every file call throw; no system takes a longer path than Linux's PATH_MAX. */
function usablePath(value: unknown): string | undefined {
  return typeof value === 'string' && !value.includes('\0') && value.length < 4096 ? value : undefined;
}

function nameOf(name: unknown): string {
  return typeof name === 'string' ? JSON.stringify(name.slice(0, 60)) : 'without a name';
}
