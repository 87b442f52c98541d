import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  isHookFeedback,
  type LineReader,
  listAt,
  type TranscriptEvent,
  textAt,
  timeAt,
  valueAt,
} from '../events.ts';

const EDITS = ['replace', 'write_file', 'edit'];
/** What the client writes in the person's place. */
const NO_PROMPT = /^\s*<session_context>/;

/**
 * One message a line; one that changes is written again. A call of a tool is in the line that has its result. The
 * directory of the project is in a file beside the transcripts.
 *
 * @param path of the transcript
 */
export function geminiReader(path: string): LineReader {
  const done = new Set<string>();
  let isFirst = true;
  return {
    matters: (line) =>
      isFirst ||
      line.includes('"type":"gemini"') ||
      line.includes('"type":"info"') ||
      (line.includes('"type":"user"') && !line.includes('{"functionResponse":')),
    events(record) {
      const place: TranscriptEvent[] = isFirst
        ? [{ kind: 'session', id: textAt(record, 'sessionId'), cwd: projectOf(path) }]
        : [];
      isFirst = false;
      return [...place, ...geminiMessage(record, done)];
    },
  };
}

function projectOf(path: string): string | undefined {
  try {
    return readFileSync(join(dirname(path), '..', '.project_root'), 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

/** @param done the calls that have been read */
function geminiMessage(record: unknown, done: Set<string>): TranscriptEvent[] {
  const at = timeAt(record, 'timestamp');
  const text = textIn(valueAt(record, 'content'));
  switch (textAt(record, 'type')) {
    case 'user':
      return text === '' || NO_PROMPT.test(text) || isHookFeedback(text) ? [] : [{ kind: 'prompt', at }];
    case 'info':
      return /^Request cancelled/.test(text) ? [{ kind: 'interrupted', at }] : [];
    case 'gemini':
      return [
        ...(text.trim() === '' ? [] : [{ kind: 'message', at, text } as const]),
        ...listAt(record, 'toolCalls').flatMap((call) => callOf(call, at, done)),
      ];
    default:
      return [];
  }
}

function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  return listAt(content)
    .map((part) => textAt(part, 'text') ?? '')
    .join('');
}

function callOf(record: unknown, at: number, done: Set<string>): TranscriptEvent[] {
  const [call, status] = [textAt(record, 'id'), textAt(record, 'status')];
  if (call === undefined || !/^(?:success|error|cancelled)$/.test(status ?? '') || done.has(call)) return [];
  done.add(call);
  const started = calledTool(textAt(record, 'name') ?? '', valueAt(record, 'args'), { at, call });
  if (!started) return [];
  const output = valueAt(record, 'result', 0, 'functionResponse', 'response');
  // Only a command that failed has an exit code in its output.
  const exit = exitCodeIn(output) ?? (status === 'success' ? 0 : null);
  return [started, { kind: 'result', at, call, exit }];
}

/** A call of the shell or of a tool that edits, in Gemini CLI and in its fork Qwen Code. */
export function calledTool(
  name: string,
  args: unknown,
  { at, call }: { readonly at: number; readonly call: string },
): (TranscriptEvent & { readonly kind: 'command' | 'edit' }) | undefined {
  const [command, path] = [textAt(args, 'command'), textAt(args, 'file_path')];
  if (name === 'run_shell_command' && command !== undefined) return { kind: 'command', at, call, command };
  return EDITS.includes(name) ? { kind: 'edit', at, call, path } : undefined;
}

/** Only other facts about the command follow it: the command itself may print the same words. */
const EXIT_CODE =
  /\nExit Code: (-?\d+)(?:\n(?:Signal|Process Group PGID|Background PIDs|<\/untrusted_context).*)*\s*$/;

/** The exit code after the output of a command; null where there is none. */
export function exitCodeIn(response: unknown): number | null {
  const text = textAt(response, 'output') ?? textAt(response, 'error') ?? '';
  const [, code] = EXIT_CODE.exec(text.slice(-1000)) ?? [];
  return code === undefined ? null : Number(code);
}
