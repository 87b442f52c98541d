import {
  isHookFeedback,
  type LineReader,
  listAt,
  numberAt,
  type TranscriptEvent,
  textAt,
  timeAt,
  valueAt,
} from '../events.ts';
import { CallFilter } from './call-filter.ts';

/** Its own words for what it adds to a conversation in the person's place. */
const NO_PROMPT =
  /^\s*<(?:environment_context|user_instructions|turn_aborted|skill|hook_prompt)|^# AGENTS\.md/;
const OF_INTEREST = [
  '"session_meta"',
  '"turn_context"',
  '"task_started"',
  '"turn_aborted"',
  '"message"',
  '"function_call"',
  '"custom_tool_call"',
  '"local_shell_call"',
  '"function_call_output"',
  '"custom_tool_call_output"',
  '"CommandExecution"',
];
/** The type of a record precedes its content. */
const HEAD = 400;

/**
 * A rollout: one item of the conversation a line. Newer versions mark where a turn begins; in older ones, it begins with a
 * message of the person.
 */
export function codexReader(): LineReader {
  const calls = new CallFilter('"call_id":"');
  const state = { isSubagent: false, hasTurns: false };
  return {
    matters(line) {
      if (state.isSubagent) return false;
      const head = line.toString('latin1', 0, Math.min(line.length, HEAD));
      if (!OF_INTEREST.some((type) => head.includes(type))) return false;
      return !head.includes('_output"') || calls.mayConcern(line);
    },
    events(record) {
      const at = timeAt(record, 'timestamp');
      const payload = valueAt(record, 'payload');
      const type = textAt(record, 'type');
      if (type === 'session_meta') {
        state.isSubagent = typeof valueAt(payload, 'source') === 'object';
        return state.isSubagent
          ? []
          : [{ kind: 'session', id: textAt(payload, 'id'), cwd: textAt(payload, 'cwd') }];
      }
      if (type === 'turn_context') return [{ kind: 'session', id: undefined, cwd: textAt(payload, 'cwd') }];
      if (type === 'event_msg') return eventOf(payload, at, state, calls);
      return type === 'response_item' ? itemOf(payload, at, state, calls) : [];
    },
  };
}

interface State {
  hasTurns: boolean;
}

function eventOf(payload: unknown, at: number, state: State, calls: CallFilter): TranscriptEvent[] {
  switch (textAt(payload, 'type')) {
    case 'task_started':
      state.hasTurns = true;
      return [{ kind: 'prompt', at }];
    case 'turn_aborted':
      return [{ kind: 'interrupted', at }];
    case 'item_completed': {
      // A command that went on in the background ends here.
      const [call, exit] = [textAt(payload, 'item', 'id'), numberAt(payload, 'item', 'exit_code')];
      if (call === undefined || exit === undefined) return [];
      calls.take(call);
      return [{ kind: 'result', at, call, exit }];
    }
    default:
      return [];
  }
}

function itemOf(payload: unknown, at: number, state: State, calls: CallFilter): TranscriptEvent[] {
  const [type, call = ''] = [textAt(payload, 'type'), textAt(payload, 'call_id')];
  if (type === 'message') return messageOf(payload, at, state);
  if (type === 'custom_tool_call' && textAt(payload, 'name') === 'apply_patch')
    return [calls.expect({ kind: 'edit', at, call, path: patchedFile(textAt(payload, 'input') ?? '') })];
  if (type === 'function_call' || type === 'local_shell_call') {
    const command = commandOf(payload);
    if (command === undefined) return [];
    // Models without the tool call the program of this name, which Codex intercepts.
    const isPatch = /^\s*(?:cd [^\n;&]+&&\s*)?apply_patch\b/.test(command);
    return isPatch
      ? [calls.expect({ kind: 'edit', at, call, path: patchedFile(command) })]
      : [calls.expect({ kind: 'command', at, call, command })];
  }
  if (type !== 'function_call_output' && type !== 'custom_tool_call_output') return [];
  return calls.take(call) ? [{ kind: 'result', at, call, exit: exitCodeIn(valueAt(payload, 'output')) }] : [];
}

function messageOf(payload: unknown, at: number, { hasTurns }: State): TranscriptEvent[] {
  const text = listAt(payload, 'content')
    .map((part) => textAt(part, 'text') ?? '')
    .join('\n');
  const role = textAt(payload, 'role');
  if (role === 'assistant') return [{ kind: 'message', at, text }];
  const isPrompt = role === 'user' && !hasTurns && !NO_PROMPT.test(text) && !isHookFeedback(text);
  return isPrompt ? [{ kind: 'prompt', at }] : [];
}

/** `exec_command {cmd}`, `shell {command: [bash, -lc, …]}`, or a call of the API's own shell. */
function commandOf(payload: unknown): string | undefined {
  let given: unknown = valueAt(payload, 'action');
  try {
    given ??= JSON.parse(textAt(payload, 'arguments') ?? '');
  } catch {
    return undefined;
  }
  const words = listAt(given, 'command').filter((word) => typeof word === 'string');
  if (words.length === 0) return textAt(given, 'cmd') ?? textAt(given, 'command');
  const isShell = /(?:^|\/)(?:ba|z|da)?sh$/.test(words[0] ?? '') && /^-\w*c$/.test(words[1] ?? '');
  return isShell ? words[2] : words.join(' ');
}

function patchedFile(patch: string): string | undefined {
  const [, path] = /^\*\*\* (?:Update|Add|Delete) File: (.+)$/m.exec(patch) ?? [];
  return path?.trim();
}

/** The exit code is before the output, or in older versions in an object around it. */
function exitCodeIn(output: unknown): number | null {
  const text = typeof output === 'string' ? output : (textAt(output, 'content') ?? textAt(output, 0, 'text'));
  if (text === undefined) return null;
  const pattern = text.startsWith('{')
    ? /"exit_code":\s*(-?\d+)[^{}"]*(?:"[^"]*"[^{}"]*)*\}\s*\}\s*$/
    : /^(?:Chunk ID: .*\n)?(?:Wall time: .*\n)?(?:Exit code: |Process exited with code )(-?\d+)$/m;
  const [, code] = pattern.exec(text) ?? [];
  return code === undefined ? null : Number(code);
}
