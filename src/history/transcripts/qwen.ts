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
import { calledTool, exitCodeIn } from './gemini.ts';

/** One message a line. Newer versions say who wrote a message in the person's place. */
export function qwenReader(): LineReader {
  const calls = new CallFilter('{"functionResponse":{"id":"');
  return {
    matters: (line) =>
      line.includes('"type":"assistant"') ||
      line.includes('"type":"user"') ||
      (line.includes('"type":"tool_result"') && calls.mayConcern(line)),
    events(record) {
      const [id, cwd] = [textAt(record, 'sessionId'), textAt(record, 'cwd')];
      return [{ kind: 'session', id, cwd }, ...qwenMessage(record, timeAt(record, 'timestamp'), calls)];
    },
  };
}

function qwenMessage(record: unknown, at: number, calls: CallFilter): TranscriptEvent[] {
  const parts = listAt(record, 'message', 'parts');
  const text = parts
    .filter((part) => valueAt(part, 'thought') !== true)
    .map((part) => textAt(part, 'text') ?? '')
    .join('');
  switch (textAt(record, 'type')) {
    case 'user': {
      const isOthers = !['real_user', undefined].includes(textAt(record, 'provenance'));
      return isOthers || text === '' || isHookFeedback(text) ? [] : [{ kind: 'prompt', at }];
    }
    case 'assistant':
      return [
        ...(text.trim() === '' ? [] : [{ kind: 'message', at, text } as const]),
        ...parts.flatMap((part) => callOf(part, at, calls)),
      ];
    case 'tool_result': {
      const call = textAt(record, 'toolCallResult', 'callId') ?? '';
      return calls.take(call) ? [{ kind: 'result', at, call, exit: exitCodeOf(record) }] : [];
    }
    default:
      return [];
  }
}

function callOf(part: unknown, at: number, calls: CallFilter): TranscriptEvent[] {
  const called = valueAt(part, 'functionCall');
  const call = textAt(called, 'id') ?? '';
  const found = calledTool(textAt(called, 'name') ?? '', valueAt(called, 'args'), { at, call });
  return found ? [calls.expect(found)] : [];
}

/** In version 0.15, a command that failed is a success with another exit code in its output. */
function exitCodeOf(record: unknown): number | null {
  const result = valueAt(record, 'toolCallResult');
  const isDone = textAt(result, 'status') === 'success';
  const response = valueAt(record, 'message', 'parts', 0, 'functionResponse', 'response');
  return numberAt(result, 'resultDisplay', 'exitCode') ?? exitCodeIn(response) ?? (isDone ? 0 : null);
}
