import type { Answer, AnswerNotes, HostName, StopEvent } from '../loop/stop-event.ts';

/**
 * Claude Code ends a hook after 600 s by default, as Codex and Qwen do, and then lets the agent stop (measured:
 * hosts.md). Without `--deadline`, the answer is out before that.
 */
export const DEFAULT_DEADLINE_SECONDS = 570;

/** Events that are an agent's attempt to stop; the names are case-sensitive. */
const MAIN_STOP = 'Stop';
const SUBAGENT_STOP = 'SubagentStop';

/**
 * Reads the event that Claude Code, or a host that speaks its protocol, writes on the hook's stdin. Both generations
 * of field names are known: `agent_type`, `last_assistant_message`, and before them `subagent_type`, `agent_output`,
 * `prompt`.
 *
 * @param input the parsed JSON, whatever it is
 * @param env the hook's environment: Claude Code is known by it
 * @returns why it is no stop event, where it is none
 */
export function readStopEvent(
  input: unknown,
  env: NodeJS.ProcessEnv,
): { event: StopEvent } | { why: string } {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return { why: 'stdin holds no JSON object' };
  const fields = input as Record<string, unknown>;
  const name = fields.hook_event_name;
  if (name !== MAIN_STOP && name !== SUBAGENT_STOP) return { why: `event ${nameOf(name)} is no stop` };
  const sessionId = text(fields.session_id);
  const event = {
    host: hostOf(fields, env),
    agentId: text(fields.agent_id),
    sessionId,
    cwd: usablePath(fields.cwd),
    message: text(fields.last_assistant_message) ?? text(fields.agent_output) ?? '',
    continuing: typeof fields.stop_hook_active === 'boolean' ? fields.stop_hook_active : undefined,
  };
  if (name === MAIN_STOP) return { event: { ...event, isMain: true, agent: 'main', finishPhase: false } };
  return { event: { ...event, isMain: false, ...subagentOf(fields) } };
}

/** The subagent's type, and whether its (old-style) prompt marks Trellis's finish phase. */
function subagentOf(fields: Record<string, unknown>): Pick<StopEvent, 'agent' | 'finishPhase'> {
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

/**
 * Claude Code sets CLAUDECODE for everything it starts, another agent in its shell included; but that one's session
 * is not Claude Code's.
 */
function hostOf(
  { turn_id: turnId, session_id: sessionId }: Record<string, unknown>,
  env: NodeJS.ProcessEnv,
): HostName {
  if (env.CLAUDECODE !== '1') return typeof turnId === 'string' ? 'codex' : 'unknown';
  const own = env.CLAUDE_CODE_SESSION_ID;
  return own === undefined || own === sessionId ? 'claude-code' : 'unknown';
}

/**
 * The answer as the one JSON document that goes to stdout, or nothing. Only what every command-hook host accepts,
 * and `systemMessage` for the person where the host is known to take it.
 */
export function writeAnswer(answer: Answer, host: HostName): string {
  if (answer.decision === 'ignore') return '';
  const said = {
    ...(answer.decision === 'block' && { decision: 'block', reason: answer.reason }),
    ...(host === 'claude-code' && extrasOf(answer)),
  };
  return Object.keys(said).length > 0 ? JSON.stringify(said) : '';
}

/** What a host that ignores keys it does not know may be told beside its own. */
export function extrasOf({ toPerson, warnings = [] }: AnswerNotes): object {
  return {
    ...(warnings.length > 0 && { warnings }),
    ...(toPerson !== undefined && { systemMessage: toPerson }),
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
