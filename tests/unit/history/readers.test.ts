import { describe, expect, test } from 'vitest';
import type { LineReader, TranscriptEvent } from '../../../src/history/events.ts';
import { claudeCodeReader } from '../../../src/history/transcripts/claude-code.ts';
import { codexReader } from '../../../src/history/transcripts/codex.ts';
import { copilotReader } from '../../../src/history/transcripts/copilot.ts';

// Forms that the recorded versions do not write: those of older versions, and of interrupted and background work.

const timestamp = '2026-01-31T10:30:00.000Z';

function eventsOf(reader: LineReader, records: readonly object[]): TranscriptEvent[] {
  return records.flatMap((record) => {
    const line = Buffer.from(JSON.stringify({ timestamp, ...record }));
    const events = reader.matters(line) ? reader.events(JSON.parse(line.toString())) : [];
    return events.filter(({ kind }) => kind !== 'session');
  });
}

function kindsOf(events: readonly TranscriptEvent[]): string[] {
  return events.map((event) => (event.kind === 'result' ? `exit ${event.exit}` : event.kind));
}

describe('in a transcript of Claude Code', () => {
  const user = (content: unknown, more = {}) => ({ type: 'user', message: { content }, ...more });
  const bash = {
    type: 'assistant',
    message: { content: [{ type: 'tool_use', id: 'a', name: 'Bash', input: { command: 'npm test' } }] },
  };
  const result = (content: string, isError: boolean, toolUseResult?: object) =>
    user([{ type: 'tool_result', tool_use_id: 'a', content, is_error: isError }], { toolUseResult });

  test.each<[string, object, readonly string[]]>([
    ['a text is a prompt', user('go'), ['prompt']],
    [
      'an interruption is no prompt',
      user([{ type: 'text', text: '[Request interrupted by user]' }]),
      ['interrupted'],
    ],
    [
      'the reason of a block continues the turn',
      user('Stop hook feedback:\nIteration 1/5. Verification failed:'),
      [],
    ],
    ['a note of the client is no prompt', user('Caveat: …', { isMeta: true }), []],
    ['a summary is no prompt', user('This session is being continued', { isCompactSummary: true }), []],
    ['the end of background work is no prompt', user('<task-notification>…'), []],
    ['what a subagent is asked is no prompt', user('Check it', { isSidechain: true }), []],
  ])('%s', (_, record, kinds) => {
    expect(kindsOf(eventsOf(claudeCodeReader(), [record]))).toEqual(kinds);
  });

  test.each<[string, object, string]>([
    ['passed', result('ok', false), 'exit 0'],
    ['failed', result('Exit code 3\nFAIL', true), 'exit 3'],
    ['was refused', result("The user doesn't want to proceed", true), 'exit null'],
    ['goes on in the background', result('', false, { backgroundTaskId: 'b' }), 'exit null'],
    ['was interrupted', result('', false, { interrupted: true }), 'exit null'],
  ])('a command that %s', (_, record, kind) => {
    expect(kindsOf(eventsOf(claudeCodeReader(), [bash, record]))).toEqual(['command', kind]);
  });

  test('a large result of a tool that decides nothing is not parsed', () => {
    const reader = claudeCodeReader();
    const line = Buffer.from(JSON.stringify(result('x'.repeat(20_000), false)));
    expect(reader.matters(line)).toBe(false);
    eventsOf(reader, [bash]);
    expect(reader.matters(line)).toBe(true);
  });
});

describe('in a transcript of Codex', () => {
  const item = (payload: object) => ({ type: 'response_item', payload });
  const shell = (command: readonly string[]) =>
    item({ type: 'function_call', name: 'shell', arguments: JSON.stringify({ command }), call_id: 'a' });
  const output = (text: string) => item({ type: 'function_call_output', call_id: 'a', output: text });
  const user = (text: string) =>
    item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });

  test.each<[string, readonly object[], readonly string[]]>([
    [
      'a shell of an older version has its exit code around the output',
      [
        shell(['bash', '-lc', 'npm test']),
        output(
          '{"output":"2 failed, {\\"exit_code\\":0}","metadata":{"exit_code":1,"duration_seconds":0.4}}',
        ),
      ],
      ['command', 'exit 1'],
    ],
    [
      'the exit code is before the output',
      [shell(['npm', 'test']), output('Exit code: 2\nWall time: 0 seconds\nOutput:\nExit code: 0')],
      ['command', 'exit 2'],
    ],
    [
      'a command that goes on has no exit code yet',
      [shell(['npm', 'test']), output('Wall time: 1 seconds\nProcess running with session ID 7\nOutput:\n')],
      ['command', 'exit null'],
    ],
    [
      'a patch in the shell is an edit',
      [
        shell(['bash', '-lc', "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.ts\nEOF"]),
        output('Exit code: 0\nSuccess.'),
      ],
      ['edit', 'exit 0'],
    ],
    ['a message begins a turn in a version that marks none', [user('go')], ['prompt']],
    ['what Codex adds begins none', [user('<environment_context>…'), user('# AGENTS.md instructions')], []],
    [
      'a message within a marked turn begins none',
      [{ type: 'event_msg', payload: { type: 'task_started' } }, user('also this')],
      ['prompt'],
    ],
    [
      'a turn that was aborted is interrupted',
      [{ type: 'event_msg', payload: { type: 'turn_aborted' } }],
      ['interrupted'],
    ],
    [
      'the session of a subagent has nothing',
      [{ type: 'session_meta', payload: { source: { subagent: 'review' } } }, user('go')],
      [],
    ],
  ])('%s', (_, records, kinds) => {
    expect(kindsOf(eventsOf(codexReader(), records))).toEqual(kinds);
  });
});

describe('in a transcript of Copilot CLI', () => {
  const call = (name: string, args: object) => ({
    type: 'assistant.message',
    data: { content: '', toolRequests: [{ toolCallId: 'a', name, arguments: args }] },
  });
  const complete = (data: object) => ({
    type: 'tool.execution_complete',
    data: { toolCallId: 'a', success: true, ...data },
  });

  test.each<[string, readonly object[], readonly string[]]>([
    [
      'an older version has the exit code at the end of the output',
      [
        call('bash', { command: 'npm test' }),
        complete({ result: { content: 'FAIL\n<exited with exit code 1>' } }),
      ],
      ['command', 'exit 1'],
    ],
    [
      'a command that goes on has no exit code',
      [
        call('bash', { command: 'npm test' }),
        complete({ result: { content: '<command with shellId: 0 is still running>' } }),
      ],
      ['command', 'exit null'],
    ],
    [
      'an editor that shows a file edits nothing',
      [call('str_replace_editor', { command: 'view', path: 'a' })],
      [],
    ],
    ['an abort is an interruption', [{ type: 'abort', data: {} }], ['interrupted']],
  ])('%s', (_, records, kinds) => {
    expect(kindsOf(eventsOf(copilotReader(), records))).toEqual(kinds);
  });
});
