import { isAbsolute } from 'node:path';
import { failure, type Result, success } from '../base/result.ts';
import { MAIN_AGENT } from '../config/discover.ts';
import type { EventFields, Host } from './host.ts';
import { type HostName, hostOf } from './registry.ts';
import type { BackgroundTask, BackgroundWork, EditEvent, PromptEvent, StopEvent } from './types.ts';

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
  const fields = normalize(input, host, env);
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
    background: isMain ? backgroundWork(fields, host.wakesMainAgent?.(env) ?? false) : undefined,
    contextEvent: host.stopContext?.isTaken(env) ? text(input.hook_event_name) : undefined,
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
  if (!isObject(input)) return undefined;
  const host = hostOf(input, env, hostName);
  const fields = normalize(input, host, env);
  const { hook_event_name: name, prompt, session_id, cwd } = fields;
  if (name !== 'UserPromptSubmit' || typeof prompt !== 'string') return undefined;
  return {
    host: host.name,
    name: text(input.hook_event_name) ?? name,
    prompt,
    byPerson: isByPerson(prompt),
    sessionId: text(session_id),
    cwd: usablePath(cwd),
    projectDirectories: projectDirectories(host, fields, env),
  };
}

/**
 * Reads the event after a tool that has edited files.
 *
 * @returns undefined if the input is not such an event
 */
export function readEditEvent(
  input: unknown,
  env: NodeJS.ProcessEnv,
  hostName?: HostName,
): EditEvent | undefined {
  if (!isObject(input)) return undefined;
  const host = hostOf(input, env, hostName);
  const fields = normalize(input, host, env);
  const { hook_event_name: name, tool_input: edit, session_id, cwd } = fields;
  if (name !== 'PostToolUse') return undefined;
  return {
    host: host.name,
    name: text(input.hook_event_name) ?? name,
    paths: host.editContext ? editedPaths(edit) : [],
    texts: editedTexts(edit, input.tool_response),
    sessionId: text(session_id),
    cwd: usablePath(cwd),
    projectDirectories: projectDirectories(host, fields, env),
  };
}

/** The texts of a file before and after an edit, as Claude Code's `Edit` and `Write` report them. */
function editedTexts(edit: unknown, response: unknown): EditEvent['texts'] {
  if (!isObject(edit) || !isObject(response)) return undefined;
  const { originalFile, type } = response;
  const before = typeof originalFile === 'string' ? originalFile : type === 'create' ? null : undefined;
  const { content, old_string: old, new_string: text, replace_all: all } = edit;
  if (before === undefined) return undefined;
  if (typeof content === 'string') return { before, after: content };
  if (before === null || typeof old !== 'string' || old === '' || typeof text !== 'string') return undefined;
  return {
    before,
    after: all === true ? before.replaceAll(old, () => text) : before.replace(old, () => text),
  };
}

/** The files in the input of a tool: a field with one path, or a patch of several files. */
function editedPaths(edit: unknown): string[] {
  const fields = isObject(edit) ? edit : { command: edit };
  const { file_path, notebook_path, path, command } = fields;
  // Codex has the patch in `command`, where it has a shell's command too; Copilot sends the patch alone.
  const patch = text(command)?.startsWith('*** Begin Patch') ? text(command) : undefined;
  const inPatch = (patch ?? '').matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm);
  const paths = [file_path, notebook_path, path, ...[...inPatch].map(([, found]) => found?.trim())];
  return [...new Set(paths.flatMap((found) => usablePath(found) || []))];
}

/**
 * Claude Code sends the end of a task in the background as a prompt, `<task-notification>…</task-notification>`. Qwen
 * Code sends an empty one after each call of a tool.
 */
function isByPerson(prompt: string): boolean {
  const text = prompt.trim();
  const [, element] = /^<([a-z][\w-]*)>/i.exec(text) ?? [];
  return text !== '' && (element === undefined || !text.endsWith(`</${element}>`));
}

/** The event with Claude Code's names, which most hosts use. */
function normalize(fields: EventFields, host: Host, env: NodeJS.ProcessEnv): EventFields {
  const named = { ...fields, hook_event_name: standardName(fields.hook_event_name, host) };
  return host.translate?.(named, env) ?? named;
}

function standardName(name: unknown, { hookFile }: Host): unknown {
  if (typeof name !== 'string' || hookFile === undefined) return name;
  const { main, subagent, prompt, edit } = hookFile.events;
  if (name === main) return 'Stop';
  if (name === subagent) return 'SubagentStop';
  if (name === edit) return 'PostToolUse';
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
  return host.skipReason?.(fields);
}

/** More tasks than a session has; each is remembered until its end. */
const MAX_TASKS = 100;

/**
 * A main agent that waits for background agents stops, is woken when they finish, and stops again: Claude Code 2.1.197
 * and Qwen Code 0.24.4 do so without a terminal too. For shells and wake-ups it depends on the host.
 */
function backgroundWork(
  { background_tasks, session_crons }: EventFields,
  wakesForOthers: boolean,
): BackgroundWork | undefined {
  const running = objectsIn(background_tasks).filter(
    ({ status }) => status === 'running' || status === 'pending',
  );
  const agents = running.filter(isAgent).length;
  const others = wakesForOthers
    ? [
        ...running.filter((task) => !isAgent(task) && !isEndless(task)).flatMap(taskOf),
        ...objectsIn(session_crons)
          .filter(({ recurring }) => recurring !== true)
          .flatMap((cron) => taskOf({ ...cron, type: 'wake-up' })),
      ].slice(0, MAX_TASKS)
    : [];
  return agents + others.length > 0 ? { agents, others } : undefined;
}

function objectsIn(list: unknown): EventFields[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** Qwen Code reports agents only, without a type. */
function isAgent({ type, agent_type: agentType }: EventFields): boolean {
  return type === 'subagent' || type === 'workflow' || (type === undefined && typeof agentType === 'string');
}

/** A task without an id would be a new one at every stop. */
function taskOf({ type, id }: EventFields): BackgroundTask[] {
  if (typeof id !== 'string' || id === '' || id.length > 200) return [];
  return [
    { kind: type === 'shell' || type === 'wake-up' ? type : 'task', id: `${type} ${id}`.slice(0, 300) },
  ];
}

/** Whether a command is that of a server or a watcher. One that is not recognized is waited for once. */
function isEndless({ command }: EventFields): boolean {
  return typeof command === 'string' && ENDLESS.test(command.slice(0, 1000));
}

const ENDLESS =
  /(?:^|[\s:"'/])(?:dev|serve|start|watch|preview|storybook|runserver|nodemon|uvicorn|gunicorn|ngrok|port-forward)(?![\w-])|\bserver(?![\w-])|--watch|\s-w(?!\S)|\btail\s.*-\S*f|\bcompose\b.*\sup\b|\bvite\b(?! build)|\bsleep inf|\bwhile (?:true|:)/i;

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
