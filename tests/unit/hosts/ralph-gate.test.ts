import { describe, expect, test } from 'vitest';
import { readGateEvent, writeGateAnswer } from '../../../src/hosts/ralph-gate.ts';
import type { Answer, HostName } from '../../../src/hosts/stop-event.ts';
import { writeAnswer } from '../../../src/hosts/write-answer.ts';
import { stopEvent } from '../../helpers/stop-event.ts';

const MAIN = stopEvent({ agent: 'main', host: 'unknown' });
const HOSTS: HostName[] = ['claude-code', 'codex', 'unknown'];

describe('the event of the hook', () => {
  test.each([
    ['nothing', ''],
    ['a blank', ' \n'],
    ['no JSON', 'not json'],
    ['half an event', '{"hook_event_name": "Stop", '],
    ['null', 'null'],
    ['a text', '"Stop"'],
    ['a number', '5'],
    ['a list', '[{"hook_event_name": "SubagentStop"}]'],
    ['an empty object', '{}'],
    ['an event of another name', '{"hook_event_name": "PostToolUse"}'],
    ['a name that is none', '{"hook_event_name": 5}'],
    ["fields of other types than the host's", '{"session_id": 5, "cwd": null, "agent_id": []}'],
    ['a directory that no file lies in', '{"cwd": "/a\\u0000b"}'],
  ])("is the main agent's stop, whatever is read: %s", (_, text) => {
    expect(readGateEvent(text, {})).toEqual({ event: MAIN });
  });

  test('is read as any other', () => {
    const fields = {
      hook_event_name: 'Stop',
      session_id: 's',
      cwd: '/x',
      stop_hook_active: true,
      last_assistant_message: 'Done.',
    };

    expect(readGateEvent(JSON.stringify(fields), { CLAUDECODE: '1' })).toEqual({
      event: { ...MAIN, host: 'claude-code', sessionId: 's', cwd: '/x', continuing: true, message: 'Done.' },
    });
  });

  test("is a subagent's where it says so", () => {
    const text = '{"hook_event_name": "SubagentStop", "agent_type": "check", "agent_id": "a"}';

    expect(readGateEvent(text, {})).toEqual({
      event: stopEvent({ agent: 'check', agentId: 'a', host: 'unknown' }),
    });
  });

  test.each([
    ['claude-code', '{}', { CLAUDECODE: '1' }],
    ['codex', '{"turn_id": "t"}', {}],
    ['unknown', '{}', {}],
  ] as const)('comes from a host: %s', (host, text, env) => {
    expect(readGateEvent(text, env)).toMatchObject({ event: { host } });
  });
});

const pass: Answer = { decision: 'allow', why: 'commands-passed', warnings: [] };
const warned: Answer = { ...pass, warnings: ['style', 'docs'], toPerson: 'x' };
const block: Answer = { decision: 'block', why: 'gates-failed', reason: 'a\n"b" é\u2028', warnings: [] };

describe("the answer in Ralph Gate's form", () => {
  const rows: [what: string, answer: Answer, document: object, onCodex: object][] = [
    ['none of its business', { decision: 'ignore', why: 'x' }, {}, {}],
    ['a pass', pass, {}, {}],
    ['nothing to run', { decision: 'allow', why: 'no-gates' }, {}, {}],
    [
      'a pass with warnings',
      warned,
      { warnings: ['style', 'docs'], systemMessage: 'x' },
      { systemMessage: 'x' },
    ],
    [
      'a pass with a word to the person',
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
      'letting go',
      { decision: 'allow', why: 'cap-reached', warnings: ['style'], toPerson: 'x' },
      { warnings: ['style'], systemMessage: 'x' },
      { systemMessage: 'x' },
    ],
  ];

  test.each(rows)('%s', (_, answer, document, onCodex) => {
    expect(JSON.parse(writeGateAnswer(answer, 'claude-code'))).toEqual(document);
    // A host that is not known is taken for Claude Code.
    expect(JSON.parse(writeGateAnswer(answer, 'unknown'))).toEqual(document);
    // Codex rejects an answer that has a key it does not know.
    expect(JSON.parse(writeGateAnswer(answer, 'codex'))).toEqual(onCodex);
  });

  test.each(rows)('is one line: %s', (_, answer) => {
    for (const host of HOSTS) expect(writeGateAnswer(answer, host)).not.toContain('\n');
  });

  test.each(HOSTS)('has no warnings where there are none: %s', (host) => {
    expect(writeGateAnswer(pass, host)).toBe('{}');
    expect(JSON.parse(writeGateAnswer(block, host))).not.toHaveProperty('warnings');
  });
});

describe("the answer of a gate config's gates for ralph-loop's own hook", () => {
  test.each([
    ['a pass', pass, 'claude-code', ''],
    ['a pass, elsewhere', pass, 'unknown', ''],
    ['warnings', warned, 'claude-code', { warnings: ['style', 'docs'], systemMessage: 'x' }],
    ['warnings, elsewhere', warned, 'unknown', ''],
    [
      'a block',
      { ...block, warnings: ['style'] },
      'claude-code',
      { decision: 'block', reason: 'a\n"b" é\u2028', warnings: ['style'] },
    ],
    [
      'a block, elsewhere',
      { ...block, warnings: ['style'] },
      'unknown',
      { decision: 'block', reason: 'a\n"b" é\u2028' },
    ],
    [
      'a block, on Codex',
      { ...block, warnings: ['style'] },
      'codex',
      { decision: 'block', reason: 'a\n"b" é\u2028' },
    ],
  ] as const)('%s', (_, answer, host, document) => {
    const text = writeAnswer(answer, host);

    expect(text === '' ? '' : JSON.parse(text)).toEqual(document);
  });
});

describe('a status', () => {
  const event = { hook_event_name: 'Stop', session_id: 's', status: 'aborted' };
  test('of a host that is not known says nothing: it is a stop', () => {
    expect(readGateEvent(JSON.stringify(event), {})).toMatchObject({ event: { isMain: true } });
    expect(readGateEvent(JSON.stringify({ ...event, hook_event_name: 'x' }), {})).toMatchObject({
      event: { isMain: true },
    });
  });

  test("of Cursor's says whether the turn is to be judged", () => {
    for (const hook_event_name of ['Stop', 'stop'])
      expect(
        readGateEvent(JSON.stringify({ ...event, hook_event_name, cursor_version: '3.1' }), {}),
      ).toMatchObject({ event: { skipReason: 'the turn was aborted' } });
  });
});

test("what Droid's child sessions are judged by is not judged twice", () => {
  const event = JSON.stringify({ hook_event_name: 'SubagentStop', session_id: 's' });
  expect(readGateEvent(event, { FACTORY_PROJECT_DIR: '/repo' })).toMatchObject({
    event: { skipReason: expect.stringContaining('child session') },
  });
});
