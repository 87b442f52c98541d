import { describe, expect, test } from 'vitest';
import { readEvent } from '../../../src/hosts/hosts.ts';

const read = (input: unknown, env: NodeJS.ProcessEnv = {}) => readEvent(input, env);
const readSubagent = (fields: object, env?: NodeJS.ProcessEnv) =>
  read({ hook_event_name: 'SubagentStop', agent_type: 'check', ...fields }, env);

test('an event of today is read', () => {
  const input = {
    hook_event_name: 'SubagentStop',
    session_id: 's',
    agent_id: 'a',
    agent_type: 'check',
    cwd: '/repo',
    last_assistant_message: 'done',
    stop_hook_active: true,
  };

  expect(read(input, { CLAUDECODE: '1' })).toEqual({
    event: {
      host: 'claude-code',
      isMain: false,
      agent: 'check',
      agentId: 'a',
      sessionId: 's',
      cwd: '/repo',
      message: 'done',
      isWholeTurn: false,
      transcriptPath: undefined,
      skipReason: undefined,
      finishPhase: false,
      continuing: true,
    },
  });
});

test('an event of the generation before is read', () => {
  const input = {
    hook_event_name: 'SubagentStop',
    subagent_type: 'check',
    agent_output: 'done',
    prompt: 'go',
  };

  expect(read(input)).toEqual({
    event: {
      host: 'unknown',
      isMain: false,
      agent: 'check',
      agentId: undefined,
      sessionId: undefined,
      cwd: undefined,
      message: 'done',
      isWholeTurn: false,
      transcriptPath: undefined,
      skipReason: undefined,
      finishPhase: false,
      continuing: undefined,
    },
  });
});

describe('whose stop it is', () => {
  test.each([
    ['the main agent', { hook_event_name: 'Stop' }, 'main'],
    ['the main agent, whatever its type', { hook_event_name: 'Stop', agent_type: 'check' }, 'main'],
    ['a subagent', { agent_type: 'check' }, 'check'],
    ['a subagent as it is spelled', { agent_type: ' Check ' }, ' Check '],
    ['a subagent that is called main', { agent_type: 'main' }, 'main'],
    ['no one', {}, ''],
    ['no one with an empty type', { agent_type: '' }, ''],
    [
      'no one with an empty type and an old one',
      { agent_type: '', subagent_type: 'check', prompt: 'go' },
      '',
    ],
    ['no one with null', { agent_type: null }, ''],
    ['no one with a number', { agent_type: 5 }, ''],
    ['no one with a list', { agent_type: ['check'] }, ''],
    ['the new type before the old', { agent_type: 'a', subagent_type: 'check', prompt: 'go' }, 'a'],
    [
      'the old type where the new is null',
      { agent_type: null, subagent_type: 'check', prompt: 'go' },
      'check',
    ],
    ['the old type without a prompt', { subagent_type: 'check' }, 'check'],
    ['no one by the old type with an empty prompt', { subagent_type: 'check', prompt: '' }, ''],
    ['no one by an old type that is no text', { subagent_type: 5, prompt: 'go' }, ''],
  ])('%s', (_, fields, agent) => {
    expect(read({ hook_event_name: 'SubagentStop', ...fields })).toMatchObject({ event: { agent } });
  });

  // A subagent must never pass for the main agent, by either generation's field.
  test.each([
    [{ hook_event_name: 'SubagentStop', agent_type: 'main' }, false],
    [{ hook_event_name: 'SubagentStop', subagent_type: 'main', prompt: 'go' }, false],
    [{ hook_event_name: 'SubagentStop', agent_type: 'check' }, false],
    [{ hook_event_name: 'SubagentStop' }, false],
    [{ hook_event_name: 'Stop' }, true],
    [{ hook_event_name: 'Stop', agent_type: 'check' }, true],
  ])('whether it is the main agent is told by the event, not by a name: %j', (fields, isMain) => {
    expect(read(fields)).toMatchObject({ event: { isMain } });
  });
});

describe("the stop of Trellis's finish phase is told by an old-style prompt", () => {
  test.each([
    [{ subagent_type: 'check', prompt: 'please [finish] it' }, true],
    [{ subagent_type: 'check', prompt: '[Finish]' }, true],
    [{ subagent_type: 'check', prompt: 'finish' }, false],
    [{ subagent_type: 'check', prompt: 5 }, false],
    [{ subagent_type: 'check', agent_output: '[finish]' }, false],
    [{ agent_type: 'check', prompt: '[finish]' }, false],
    [{ agent_type: 'check', last_assistant_message: '[finish]' }, false],
  ])('%j: %s', (fields, finishPhase) => {
    expect(read({ hook_event_name: 'SubagentStop', ...fields })).toMatchObject({ event: { finishPhase } });
  });

  test('but never that of the main agent', () => {
    const input = { hook_event_name: 'Stop', subagent_type: 'check', prompt: '[finish]' };

    expect(read(input)).toMatchObject({ event: { finishPhase: false } });
  });
});

describe('a field that is not of its kind is as if it were not there', () => {
  const nothing = {
    agentId: undefined,
    sessionId: undefined,
    cwd: undefined,
    message: '',
    continuing: undefined,
  };
  test.each([null, 5, true, [], {}, ['x']])('%j', (value) => {
    const fields = { agent_id: value, session_id: value, cwd: value, last_assistant_message: value };

    expect(
      readSubagent({ ...fields, agent_output: value, stop_hook_active: value === true ? 'true' : value }),
    ).toMatchObject({
      event: nothing,
    });
  });

  test.each([
    ['\0', undefined],
    ['/repo\0/x', undefined],
    ['', ''],
    ['relative', 'relative'],
    ['/with blank/é', '/with blank/é'],
  ])('a directory that no file call can take: %j', (cwd, expected) => {
    expect(readSubagent({ cwd })).toMatchObject({ event: { cwd: expected } });
  });

  test.each([
    [4095, true],
    [4096, false],
    [1_000_000, false],
  ])('a directory of %d characters, longer than the system takes', (length, isUsed) => {
    const cwd = '/'.padEnd(length, 'x');

    expect(readSubagent({ cwd })).toMatchObject({ event: { cwd: isUsed ? cwd : undefined } });
  });

  test.each([
    [{ last_assistant_message: '', agent_output: 'old' }, ''],
    [{ last_assistant_message: null, agent_output: 'old' }, 'old'],
    [{ agent_output: 'old' }, 'old'],
  ])('the message of %j is %j', (fields, message) => {
    expect(readSubagent(fields)).toMatchObject({ event: { message } });
  });
});

describe('what is no stop says why', () => {
  test.each([
    [null, 'stdin holds no JSON object'],
    [[], 'stdin holds no JSON object'],
    [5, 'stdin holds no JSON object'],
    ['Stop', 'stdin holds no JSON object'],
    [undefined, 'stdin holds no JSON object'],
    [{}, 'event without a name is no stop'],
    [{ hook_event_name: null }, 'event without a name is no stop'],
    [{ hook_event_name: ['Stop'] }, 'event without a name is no stop'],
    [{ hook_event_name: 'subagentstop' }, 'event "subagentstop" is no stop'],
    [{ hook_event_name: 'SubagentStop ' }, 'event "SubagentStop " is no stop'],
    [{ hook_event_name: 'PreToolUse' }, 'event "PreToolUse" is no stop'],
    [{ hook_event_name: 'a "b"\n' }, 'event "a \\"b\\"\\n" is no stop'],
  ])('%j: %s', (input, why) => {
    expect(read(input)).toEqual({ why });
  });

  test('in few words', () => {
    expect(read({ hook_event_name: 'x'.repeat(500) })).toEqual({
      why: `event "${'x'.repeat(60)}" is no stop`,
    });
  });
});

describe('Claude Code is known by the environment that it sets', () => {
  test.each([
    [{ CLAUDECODE: '1' }, 's', 'claude-code'],
    [{ CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 's' }, 's', 'claude-code'],
    [{ CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 's' }, 'of another agent in its shell', 'unknown'],
    [{ CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 's' }, undefined, 'unknown'],
    [{ CLAUDECODE: '0' }, 's', 'unknown'],
    [{ CLAUDE_PROJECT_DIR: '/repo' }, 's', 'unknown'],
    [{}, 's', 'unknown'],
  ])('%j, session %j: %s', (env, session, host) => {
    expect(readSubagent({ session_id: session }, env)).toMatchObject({ event: { host } });
  });
});
