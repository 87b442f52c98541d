import {
  isHookFeedback,
  type LineReader,
  listAt,
  type TranscriptEvent,
  textAt,
  timeAt,
  valueAt,
} from '../events.ts';
import { CallFilter } from './call-filter.ts';

const EDITS = ['Edit', 'MultiEdit', 'Write', 'NotebookEdit'];
/** What the client writes in a person's place, and what is no prompt: output of its own commands, notices. */
const NO_PROMPT = /^\s*<(?:local-command-|command-|bash-|task-notification|system-reminder)/;
const INTERRUPTED = '[Request interrupted by user';

/** One message or a part of one a line, with `type` of `user` for prompts and results of tools. */
export function claudeCodeReader(): LineReader {
  const calls = new CallFilter('"tool_use_id":"');
  return {
    matters: (line) =>
      line.includes('"type":"assistant"') || (line.includes('"type":"user"') && calls.mayConcern(line)),
    events(record) {
      const type = textAt(record, 'type');
      const at = timeAt(record, 'timestamp');
      // A subagent works within the turn: its calls count, and its words do not.
      const isSubagent = valueAt(record, 'isSidechain') === true;
      const content = valueAt(record, 'message', 'content');
      const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : listAt(content);
      const place: TranscriptEvent = {
        kind: 'session',
        id: textAt(record, 'sessionId'),
        cwd: textAt(record, 'cwd'),
      };
      if (type === 'assistant')
        return [place, ...parts.flatMap((part) => saidBy(record, part, at, isSubagent, calls))];
      if (type !== 'user') return [];
      return [place, ...parts.flatMap((part) => answered(record, part, at, isSubagent, calls))];
    },
  };
}

function saidBy(
  record: unknown,
  part: unknown,
  at: number,
  isSubagent: boolean,
  calls: CallFilter,
): TranscriptEvent[] {
  const [type, call = '', name = ''] = [textAt(part, 'type'), textAt(part, 'id'), textAt(part, 'name')];
  if (type === 'text' && !isSubagent) {
    if (valueAt(record, 'isApiErrorMessage') === true) return [{ kind: 'interrupted', at }];
    return [{ kind: 'message', at, text: textAt(part, 'text') ?? '' }];
  }
  if (type !== 'tool_use') return [];
  const command = textAt(part, 'input', 'command');
  if (name === 'Bash' && command !== undefined) return [calls.expect({ kind: 'command', at, call, command })];
  if (!EDITS.includes(name)) return [];
  const path = textAt(part, 'input', 'file_path') ?? textAt(part, 'input', 'notebook_path');
  return [calls.expect({ kind: 'edit', at, call, path })];
}

function answered(
  record: unknown,
  part: unknown,
  at: number,
  isSubagent: boolean,
  calls: CallFilter,
): TranscriptEvent[] {
  const type = textAt(part, 'type');
  if (type === 'tool_result') {
    const call = textAt(part, 'tool_use_id') ?? '';
    return calls.take(call) ? [{ kind: 'result', at, call, exit: exitCodeOf(record, part) }] : [];
  }
  if (isSubagent || valueAt(record, 'isMeta') === true || valueAt(record, 'isCompactSummary') === true)
    return [];
  const text = textAt(part, 'text') ?? '';
  if (text.startsWith(INTERRUPTED)) return [{ kind: 'interrupted', at }];
  return NO_PROMPT.test(text) || isHookFeedback(text) ? [] : [{ kind: 'prompt', at }];
}

/** A failure begins with its exit code; one without it did not run: it was refused, or timed out. */
function exitCodeOf(record: unknown, part: unknown): number | null {
  if (valueAt(record, 'toolUseResult', 'interrupted') === true) return null;
  if (textAt(record, 'toolUseResult', 'backgroundTaskId') !== undefined) return null;
  if (valueAt(part, 'is_error') !== true) return 0;
  const text = textAt(part, 'content') ?? textAt(part, 'content', 0, 'text') ?? '';
  const [, code] = /^(?:Error: )?Exit code (\d+)/.exec(text) ?? [];
  return code === undefined ? null : Number(code);
}
