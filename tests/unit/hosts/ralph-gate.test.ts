import { describe, expect, test } from 'vitest';
import { success } from '../../../src/base/result.ts';
import { writeAnswer } from '../../../src/hosts/format.ts';
import { readGateEvent, writeGateAnswer } from '../../../src/hosts/ralph-gate.ts';
import type { HostName } from '../../../src/hosts/registry.ts';
import type { Answer } from '../../../src/hosts/types.ts';
import { stopEvent } from '../../helpers/stop-event.ts';

const MAIN = stopEvent({ agent: 'main', host: 'unknown' });
const HOSTS: HostName[] = ['claude-code', 'codex', 'unknown'];

describe('readGateEvent', () => {
  test.each([
    ['empty input', ''],
    ['blank input', ' \n'],
    ['text that is not JSON', 'not json'],
    ['incomplete JSON', '{"hook_event_name": "Stop", '],
    ['null', 'null'],
    ['a string', '"Stop"'],
    ['a number', '5'],
    ['a list', '[{"hook_event_name": "SubagentStop"}]'],
    ['an empty object', '{}'],
    ['an event with another name', '{"hook_event_name": "PostToolUse"}'],
    ['a name that is a number', '{"hook_event_name": 5}'],
    ['fields of other types', '{"session_id": 5, "cwd": null, "agent_id": []}'],
    ['a directory with a NUL', '{"cwd": "/a\\u0000b"}'],
  ])("reads %s as the main agent's stop", (_, text) => {
    expect(readGateEvent(text, {})).toEqual(success(MAIN));
  });

  test('reads the fields of a stop', () => {
    const fields = {
      hook_event_name: 'Stop',
      session_id: 's',
      cwd: '/x',
      stop_hook_active: true,
      last_assistant_message: 'Done.',
    };

    expect(readGateEvent(JSON.stringify(fields), { CLAUDECODE: '1' })).toEqual(
      success({
        ...MAIN,
        host: 'claude-code',
        sessionId: 's',
        cwd: '/x',
        continuing: true,
        message: 'Done.',
      }),
    );
  });

  test("reads a subagent's stop", () => {
    const text = '{"hook_event_name": "SubagentStop", "agent_type": "check", "agent_id": "a"}';

    expect(readGateEvent(text, {})).toEqual(
      success(stopEvent({ agent: 'check', agentId: 'a', host: 'unknown' })),
    );
  });

  test.each([
    ['claude-code', '{}', { CLAUDECODE: '1' }],
    ['codex', '{"turn_id": "t"}', {}],
    ['unknown', '{}', {}],
  ] as const)('detects the host %s', (host, text, env) => {
    expect(readGateEvent(text, env)).toMatchObject({ value: { host } });
  });
});

const pass: Answer = { decision: 'allow', why: 'commands-passed', warnings: [] };
const warned: Answer = { ...pass, warnings: ['style', 'docs'], toPerson: 'x' };
const block: Answer = { decision: 'block', why: 'gates-failed', reason: 'a\n"b" é\u2028', warnings: [] };

describe('writeGateAnswer', () => {
  const rows: [what: string, answer: Answer, document: object, onCodex: object][] = [
    ['a stop that is not guarded', { decision: 'ignore', why: 'x' }, {}, {}],
    ['a pass', pass, {}, {}],
    ['a stop without gates', { decision: 'allow', why: 'no-gates' }, {}, {}],
    [
      'a pass with warnings',
      warned,
      { warnings: ['style', 'docs'], systemMessage: 'x' },
      { systemMessage: 'x' },
    ],
    [
      'a pass with a message for the person',
      { ...pass, toPerson: 'x' },
      { systemMessage: 'x' },
      { systemMessage: 'x' },
    ],
    [
      'a block',
      block,
      { decision: 'block', reason: 'a\n"b" é\u2028' },
      { decision: 'block', reason: 'a\n"b" é\u2028' },
    ],
    [
      'a block with warnings',
      { ...block, warnings: ['style'], toPerson: 'x' },
      { decision: 'block', reason: 'a\n"b" é\u2028', warnings: ['style'], systemMessage: 'x' },
      { decision: 'block', reason: 'a\n"b" é\u2028', systemMessage: 'x' },
    ],
    [
      'a stop that is allowed after the limit',
      { decision: 'allow', why: 'cap-reached', warnings: ['style'], toPerson: 'x' },
      { warnings: ['style'], systemMessage: 'x' },
      { systemMessage: 'x' },
    ],
  ];

  test.each(rows)('writes the keys that the host accepts for %s', (_, answer, document, onCodex) => {
    expect(JSON.parse(writeGateAnswer(answer, 'claude-code'))).toEqual(document);
    // An unknown host gets the answer for Claude Code.
    expect(JSON.parse(writeGateAnswer(answer, 'unknown'))).toEqual(document);
    // Codex rejects an answer with an unknown key.
    expect(JSON.parse(writeGateAnswer(answer, 'codex'))).toEqual(onCodex);
  });

  test.each(rows)('writes one line for %s', (_, answer) => {
    for (const host of HOSTS) expect(writeGateAnswer(answer, host)).not.toContain('\n');
  });

  test.each(HOSTS)('omits empty warnings for %s', (host) => {
    expect(writeGateAnswer(pass, host)).toBe('{}');
    expect(JSON.parse(writeGateAnswer(block, host))).not.toHaveProperty('warnings');
  });
});

describe('writeAnswer', () => {
  test.each([
    ['a pass', pass, 'claude-code', ''],
    ['a pass of an unknown host', pass, 'unknown', ''],
    ['warnings', warned, 'claude-code', { warnings: ['style', 'docs'], systemMessage: 'x' }],
    ['warnings for an unknown host', warned, 'unknown', ''],
    [
      'a block',
      { ...block, warnings: ['style'] },
      'claude-code',
      { decision: 'block', reason: 'a\n"b" é\u2028', warnings: ['style'] },
    ],
    [
      'a block of an unknown host',
      { ...block, warnings: ['style'] },
      'unknown',
      { decision: 'block', reason: 'a\n"b" é\u2028' },
    ],
    [
      'a block of Codex',
      { ...block, warnings: ['style'] },
      'codex',
      { decision: 'block', reason: 'a\n"b" é\u2028' },
    ],
  ] as const)('leaves out the warnings that the host does not accept: %s', (_, answer, host, document) => {
    const text = writeAnswer(answer, host);

    expect(text === '' ? '' : JSON.parse(text)).toEqual(document);
  });
});

describe('the status of a turn', () => {
  const event = { hook_event_name: 'Stop', session_id: 's', status: 'aborted' };
  test('does not matter for an unknown host', () => {
    expect(readGateEvent(JSON.stringify(event), {})).toMatchObject({ value: { isMain: true } });
    expect(readGateEvent(JSON.stringify({ ...event, hook_event_name: 'x' }), {})).toMatchObject({
      value: { isMain: true },
    });
  });

  test('decides whether a stop of Cursor is checked', () => {
    for (const hook_event_name of ['Stop', 'stop'])
      expect(
        readGateEvent(JSON.stringify({ ...event, hook_event_name, cursor_version: '3.1' }), {}),
      ).toMatchObject({ value: { skipReason: 'the turn was aborted' } });
  });
});

test('the SubagentStop of Droid is not checked, because the Stop of the child session is', () => {
  const event = JSON.stringify({ hook_event_name: 'SubagentStop', session_id: 's' });
  expect(readGateEvent(event, { FACTORY_PROJECT_DIR: '/repo' })).toMatchObject({
    value: { skipReason: expect.stringContaining('child session') },
  });
});
