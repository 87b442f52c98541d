import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readEditEvent, readStopEvent } from '../../../src/hosts/normalize.ts';
import { HOSTS } from '../../../src/hosts/registry.ts';

/** What real clients wrote to their hooks' stdin, with the variables that identify them. */
const EVENTS = new URL('../../fixtures/events/', import.meta.url);

interface Recorded {
  readonly event: string;
  readonly stdin: Record<string, unknown>;
  readonly env: Record<string, string>;
}

const NAMES: Readonly<Record<string, string>> = { claude: 'claude-code' };
const recorded = readdirSync(EVENTS).flatMap((file) =>
  readFileSync(new URL(file, EVENTS), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => {
      const [name = ''] = file.split('-');
      return { file, line: index + 1, host: NAMES[name] ?? name, recorded: JSON.parse(line) as Recorded };
    }),
);
const isEdit = ({ file }: (typeof recorded)[number]) => file.endsWith('-edit.jsonl');
const rows = recorded.filter((row) => !isEdit(row));
const edits = recorded.filter(isEdit);

/** The reason why a recorded stop is not checked. */
function skipReasonOf(host: string, { event, stdin }: Recorded): string | undefined {
  if (host === 'copilot' && event === 'Stop' && stdin.agent_id !== undefined)
    return 'a subagent stopped, which its own event reports too';
  if (host === 'droid' && event === 'SubagentStop')
    return 'Droid ignores a block of SubagentStop; the Stop of the child session is checked';
  return undefined;
}

/** What a recorded stop waits for. */
function backgroundOf({ event, stdin }: Recorded) {
  const [task] = Array.isArray(stdin.background_tasks) ? stdin.background_tasks : [];
  return event === 'Stop' && task?.status === 'running' ? { agents: 1, others: [] } : undefined;
}

/** They set no variable with the project's directory. */
const SILENT_ABOUT_PROJECT = ['codex', 'kimi'];
/** They report wrongly whether a hook has continued the turn. */
const UNRELIABLE = ['gemini', 'qwen', 'kimi'];

test.each(rows)('$file:$line is read as a stop of $host', ({ host, recorded }) => {
  const { event, stdin, env } = recorded;
  const isMain = event === 'Stop' || event === 'AfterAgent';
  const transcript = isMain ? (stdin.transcript_path ?? stdin.transcriptPath) : stdin.agent_transcript_path;
  expect(readStopEvent(stdin, env)).toEqual({
    ok: true,
    value: {
      host,
      isMain,
      agent: isMain ? 'main' : (stdin.agent_type ?? ''),
      agentId: stdin.agent_id,
      sessionId: stdin.session_id ?? stdin.sessionId,
      cwd: '/repo',
      projectDirectories: SILENT_ABOUT_PROJECT.includes(host) ? [] : ['/repo'],
      message: stdin.last_assistant_message ?? stdin.prompt_response ?? '',
      isWholeTurn: host === 'gemini',
      transcriptPath: transcript,
      finishPhase: false,
      skipReason: skipReasonOf(host, recorded),
      background: backgroundOf(recorded),
      continuing: UNRELIABLE.includes(host) ? undefined : stdin.stop_hook_active,
    },
  });
});

test('the recorded events include every host and every reason to skip a stop', () => {
  expect([...new Set(rows.map(({ host }) => host))]).toEqual([
    'claude-code',
    'codex',
    'copilot',
    'droid',
    'gemini',
    'kilo',
    'kimi',
    'opencode',
    'pi',
    'qwen',
  ]);
  expect(new Set(rows.map(({ host, recorded }) => skipReasonOf(host, recorded))).size).toBe(3);
  expect(rows.some(({ recorded }) => backgroundOf(recorded))).toBe(true);
});

/** The files of a recorded edit, without those of a patch. */
const filesOf = ({ tool_input: input, toolArgs = input }: Recorded['stdin']): unknown[] => {
  const { file_path, notebook_path, path } = Object(toolArgs);
  return [file_path, notebook_path, path].filter((file) => file !== undefined);
};
/** The files of the recorded patches. */
const PATCHED = [
  ['tests/a.test.js', 'tests/b.test.js'],
  ['tests/b.test.js', 'tests/b2.test.js', 'd.txt'],
];

/** The texts before and after the recorded edits of Claude Code: an `Edit`, and a `Write` of a new file. */
const TEXTS = [{ before: 'one\n', after: 'two\n' }, { before: null, after: 'new\n' }, undefined];

test.each(edits)('$file:$line is read as an edit in $host', ({ host, recorded: { event, stdin, env } }) => {
  const files = filesOf(stdin);
  expect(readEditEvent(stdin, env)).toEqual({
    host,
    name: event === 'postToolUse' ? 'PostToolUse' : event,
    paths: files.length > 0 ? files : expect.toBeOneOf(PATCHED),
    texts: host === 'claude-code' && stdin.tool_name !== 'NotebookEdit' ? expect.toBeOneOf(TEXTS) : undefined,
    sessionId: stdin.session_id ?? stdin.sessionId,
    cwd: '/repo',
    projectDirectories: SILENT_ABOUT_PROJECT.includes(host) ? [] : ['/repo'],
  });
  expect(readStopEvent(stdin, env).ok).toBe(false);
});

test('the recorded edits include every host where a note reaches the agent', () => {
  const known = HOSTS.filter(({ hookFile }) => hookFile.events.edit !== undefined).map(({ name }) => name);
  expect(new Set(edits.map(({ host }) => host))).toEqual(new Set(known));
});
