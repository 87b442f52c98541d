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

const EDITS = ['edit', 'create', 'str_replace_editor', 'apply_patch', 'write'];

/** One event of the session a line. */
export function copilotReader(): LineReader {
  const calls = new CallFilter('"toolCallId":"');
  return {
    matters: (line) =>
      [
        '"type":"session.start"',
        '"type":"user.message"',
        '"type":"assistant.message"',
        '"type":"abort"',
      ].some((type) => line.includes(type)) ||
      (line.includes('"type":"tool.execution_complete"') && calls.mayConcern(line)),
    events(record) {
      const [at, data] = [timeAt(record, 'timestamp'), valueAt(record, 'data')];
      switch (textAt(record, 'type')) {
        case 'session.start':
          return [{ kind: 'session', id: textAt(data, 'sessionId'), cwd: textAt(data, 'context', 'cwd') }];
        case 'user.message':
          return isHookFeedback(textAt(data, 'content') ?? '') ? [] : [{ kind: 'prompt', at }];
        case 'assistant.message':
          return [
            ...saidIn(data, at),
            ...listAt(data, 'toolRequests').flatMap((call) => callOf(call, at, calls)),
          ];
        case 'tool.execution_complete': {
          const call = textAt(data, 'toolCallId') ?? '';
          return calls.take(call) ? [{ kind: 'result', at, call, exit: exitCodeOf(data) }] : [];
        }
        case 'abort':
          return [{ kind: 'interrupted', at }];
        default:
          return [];
      }
    },
  };
}

/** What a subagent says is not said to the person. */
function saidIn(data: unknown, at: number): TranscriptEvent[] {
  const text = textAt(data, 'content') ?? '';
  const isSubagent = textAt(data, 'parentToolCallId') !== undefined;
  return text.trim() === '' || isSubagent ? [] : [{ kind: 'message', at, text }];
}

function callOf(record: unknown, at: number, calls: CallFilter): TranscriptEvent[] {
  const [call = '', name = ''] = [textAt(record, 'toolCallId'), textAt(record, 'name')];
  const [command, path] = [textAt(record, 'arguments', 'command'), textAt(record, 'arguments', 'path')];
  if (name === 'bash' && command !== undefined) return [calls.expect({ kind: 'command', at, call, command })];
  // The editor that has commands also has one that only shows a file.
  if (!EDITS.includes(name) || command === 'view') return [];
  return [calls.expect({ kind: 'edit', at, call, path })];
}

function exitCodeOf(data: unknown): number | null {
  if (valueAt(data, 'success') !== true) return null;
  const exit = numberAt(data, 'shellExecution', 'exitCode');
  if (exit !== undefined) return exit;
  const end = (textAt(data, 'result', 'content') ?? '').slice(-400);
  const [, code] = /<(?:shellId: \S+ completed|exited) with exit code (-?\d+)>\s*$/.exec(end) ?? [];
  if (code !== undefined) return Number(code);
  // A shell that goes on is named at the end too.
  return /<[^<>]*\bshellId\b[^<>]*>\s*$/.test(end) ? null : 0;
}
