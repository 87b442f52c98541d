import { isAbsolute } from 'node:path';
import { failure, type Result, success } from '../base/result.ts';
import { MAIN_AGENT } from '../config/discover.ts';
import type { EventFields, Host } from './host.ts';
import { type HostName, hostOf } from './registry.ts';
import type { PromptEvent, StopEvent } from './types.ts';

/**
 * The first JSON document of a hook's stdin. A host that writes another one after it means this stop all the same.
 *
 * @throws SyntaxError if the text does not begin with an object
 */
export function parseEvent(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const first = firstObject(text);
    if (first === undefined) throw error;
    return JSON.parse(first);
  }
}

/** The text up to the brace that closes its first one; undefined if that is its end, or missing. */
function firstObject(text: string): string | undefined {
  let depth = 0;
  // Strings are skipped, because they may contain braces.
  for (const { 0: token, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}]/gs)) {
    if (token === '{') depth += 1;
    else if (token === '}') depth -= 1;
    if (depth === 0)
      return index + token.length < text.length ? text.slice(0, index + token.length) : undefined;
  }
  return undefined;
}

/**
 * Reads a stop event from a hook's stdin.
 *
 * @param input the parsed JSON
 * @param env the hook's environment
 * @param hostName the host that the command line names; undefined detects it
 * @returns a failure if the input is not a stop event
 */
export function readStopEvent(
  input: unknown,
  env: NodeJS.ProcessEnv,
  hostName?: HostName,
): Result<StopEvent> {
  if (!isObject(input)) return failure('stdin is not a JSON object');
  const host = hostOf(input, env, hostName);
  const fields = normalize(input, host);
  const { hook_event_name: name } = fields;
  if (name !== 'Stop' && name !== 'SubagentStop') return failure(notAStop(input.hook_event_name));
  const isMain = name === 'Stop';
  return success({
    host: host.name,
    isMain,
    ...(isMain ? { agent: MAIN_AGENT, finishPhase: false } : subagentOf(fields)),
    agentId: text(fields.agent_id),
    sessionId: text(fields.session_id),
    cwd: usablePath(fields.cwd),
    projectDirectories: projectDirectories(host, fields, env),
    // `agent_output` is the older name.
    message: text(fields.last_assistant_message) ?? text(fields.agent_output) ?? '',
    isWholeTurn: host.sendsWholeTurn === true,
    // A subagent's `transcript_path` is the session's transcript, which has the main agent's messages.
    transcriptPath: usablePath(isMain ? fields.transcript_path : fields.agent_transcript_path),
    continuing: typeof fields.stop_hook_active === 'boolean' ? fields.stop_hook_active : undefined,
    skipReason: skipReason(host, fields, env),
  });
}

/**
 * Reads a prompt event from a hook's stdin.
 *
 * @returns undefined if the input is not a prompt event
 */
export function readPromptEvent(
  input: unknown,
  env: NodeJS.ProcessEnv,
  hostName?: HostName,
): PromptEvent | undefined {
  if (!isObject(input) || typeof input.hook_event_name !== 'string') return undefined;
  const host = hostOf(input, env, hostName);
  const fields = normalize(input, host);
  const { hook_event_name: name, prompt, session_id, cwd } = fields;
  if (name !== 'UserPromptSubmit' || typeof prompt !== 'string') return undefined;
  return {
    host: host.name,
    name: input.hook_event_name,
    prompt,
    sessionId: text(session_id),
    cwd: usablePath(cwd),
    projectDirectories: projectDirectories(host, fields, env),
  };
}

/** The event with Claude Code's names, which most hosts use. */
function normalize(fields: EventFields, host: Host): EventFields {
  const named = { ...fields, hook_event_name: standardName(fields.hook_event_name, host) };
  return host.translate?.(named) ?? named;
}

function standardName(name: unknown, { hookFile }: Host): unknown {
  if (typeof name !== 'string' || hookFile === undefined) return name;
  const { main, subagent, prompt } = hookFile.events;
  if (name === main) return 'Stop';
  if (name === subagent) return 'SubagentStop';
  return name === prompt ? 'UserPromptSubmit' : name;
}

/** The subagent's type, and whether a prompt of the older field names marks Trellis's finish phase. */
function subagentOf(fields: EventFields): Pick<StopEvent, 'agent' | 'finishPhase'> {
  const { agent_type: agentType, subagent_type: oldAgentType, prompt } = fields;
  if (typeof agentType === 'string') return { agent: agentType, finishPhase: false };
  // No client starts a subagent without a prompt. Trellis's Python hook ignores an event with an empty one.
  if (typeof oldAgentType !== 'string' || prompt === '') return { agent: '', finishPhase: false };
  return {
    agent: oldAgentType,
    finishPhase: typeof prompt === 'string' && prompt.toLowerCase().includes('[finish]'),
  };
}

function skipReason(host: Host, fields: EventFields, env: NodeJS.ProcessEnv): string | undefined {
  // The stop of an agent that a gate started would run all gates again, and that gate with them.
  if (env.RALPH_LOOP === '1') return 'a gate started the agent';
  return host.skipReason?.(fields) ?? backgroundWork(fields);
}

/**
 * A main agent that waits for background agents stops, is woken when they finish, and stops again: Claude Code 2.1.197
 * and Qwen Code 0.24.4 do so without a terminal too. Background shells do not count: a development server never ends.
 */
function backgroundWork({ hook_event_name: name, background_tasks: tasks }: EventFields): string | undefined {
  if (name !== 'Stop' || !Array.isArray(tasks)) return undefined;
  const running = tasks.filter(isRunningAgent).length;
  return running > 0 ? `the agent waits for ${running} background agent${running > 1 ? 's' : ''}` : undefined;
}

function isRunningAgent(task: unknown): boolean {
  if (!isObject(task)) return false;
  const { type, agent_type: agentType, status } = task;
  const isAgent = typeof agentType === 'string' || type === 'subagent' || type === 'workflow';
  return isAgent && (status === 'running' || status === 'pending');
}

/** The directories in the event and in the host's variables. */
function projectDirectories(
  { projectVariables = [] }: Host,
  { project_directories: inEvent }: EventFields,
  env: NodeJS.ProcessEnv,
): string[] {
  const reported = [
    ...(Array.isArray(inEvent) ? inEvent : []),
    ...projectVariables.map((name) => env[name]),
  ].flatMap((path) => usablePath(path) ?? []);
  return [...new Set(reported.filter((path) => isAbsolute(path)))];
}

function notAStop(name: unknown): string {
  return typeof name === 'string'
    ? `the event ${JSON.stringify(name.slice(0, 60))} is not a stop`
    : 'the event has no name';
}

/** Whether the event has the agent's last message, or there is no transcript that could have it. */
export function hasLastMessage({ message, isWholeTurn, transcriptPath }: StopEvent): boolean {
  return (message !== '' && !isWholeTurn) || transcriptPath === undefined;
}

/**
 * The agent's last message in a transcript, which has one JSON document a line. Hosts write the message itself, or put it
 * in `message`, `data` or `payload`; its text is a string or a list of blocks.
 *
 * @param tail the end of the transcript; its first line may be incomplete
 * @returns an empty string if there is no message of an agent
 */
export function lastMessageIn(tail: string): string {
  for (const line of tail.split('\n').reverse()) {
    const entry = agentEntry(line);
    if (entry === undefined) continue;
    const message = [entry.message, entry.data, entry.payload].find(isObject) ?? entry;
    if (![message.role, message.type, entry.type].some(isAgentRole)) continue;
    const words = contentText(message.content ?? message.parts ?? message.text).trim();
    if (words !== '') return words;
  }
  return '';
}

/** Parses only lines that contain an agent's role. */
function agentEntry(line: string): EventFields | undefined {
  if (!/assistant|model|gemini/.test(line)) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `assistant`, Copilot's `assistant.message`, Qwen's `model`, and `gemini`. */
function isAgentRole(role: unknown): boolean {
  return typeof role === 'string' && /^(?:assistant|model|gemini)(?:\.message)?$/.test(role);
}

/** Without tool calls, which have no `text`, and thoughts. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content))
    return content
      .map(contentText)
      .filter((part) => part !== '')
      .join('\n');
  return isObject(content) && content.thought !== true && typeof content.text === 'string'
    ? content.text
    : '';
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Node's file functions throw for a NUL; Linux's PATH_MAX is 4096. */
function usablePath(value: unknown): string | undefined {
  return typeof value === 'string' && !value.includes('\0') && value.length < 4096 ? value : undefined;
}

function isObject(value: unknown): value is EventFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
