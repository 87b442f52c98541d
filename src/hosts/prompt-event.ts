import type { EventFields } from './host.ts';
import { HOSTS, hostOf } from './hosts.ts';
import type { HostName } from './stop-event.ts';

/** A prompt that a person has typed, before the agent sees it. */
export interface PromptEvent {
  readonly host: HostName;
  /** As the host calls it. */
  readonly name: string;
  readonly prompt: string;
  readonly sessionId: string | undefined;
  /** Where the agent works; undefined where the host does not say. */
  readonly cwd: string | undefined;
}

const NAMES = new Set(HOSTS.map(({ hookFile }) => hookFile.events.prompt));

/**
 * @param input the parsed JSON, whatever it is
 * @returns undefined where it is no such event
 */
export function readPromptEvent(
  input: unknown,
  env: NodeJS.ProcessEnv,
  wanted?: HostName,
): PromptEvent | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const fields = input as EventFields;
  const { hook_event_name: name, prompt, workspace_roots: roots } = fields;
  if (typeof name !== 'string' || !NAMES.has(name) || typeof prompt !== 'string') return undefined;
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return {
    host: name === 'BeforeAgent' ? 'gemini' : hostOf(fields, env, wanted).name,
    name,
    prompt,
    sessionId: text(fields.session_id) ?? text(fields.sessionId) ?? text(fields.conversation_id),
    cwd: text(fields.cwd) ?? (Array.isArray(roots) ? text(roots[0]) : undefined),
  };
}

/** Hosts whose agents read what a hook adds to a prompt (measured; Copilot's do not). */
const TAKE_CONTEXT: readonly HostName[] = ['claude-code', 'codex', 'gemini', 'qwen'];

/** What the agent is told besides the prompt, as its host takes it; nothing where it takes none. */
export function writeContext({ host, name }: PromptEvent, additionalContext: string): string {
  if (!TAKE_CONTEXT.includes(host)) return '';
  return JSON.stringify({ hookSpecificOutput: { hookEventName: name, additionalContext } });
}

/** A prompt that is not to be begun with: the person reads why. */
export function writeRefusal({ host }: PromptEvent, reason: string): string {
  return host === 'cursor'
    ? JSON.stringify({ continue: false, user_message: reason })
    : JSON.stringify({ decision: 'block', reason });
}
