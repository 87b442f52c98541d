import { describe, expect, test } from 'vitest';
import { defaultDeadlineSeconds, HOSTS, readEvent } from '../../../src/hosts/hosts.ts';

const CURSOR = {
  conversation_id: 'c',
  generation_id: 'g',
  hook_event_name: 'stop',
  cursor_version: '3.1',
  workspace_roots: ['/repo', '/other'],
  status: 'completed',
  loop_count: 0,
};

describe("Cursor's events, as its documentation has them", () => {
  test('a stop of the main agent', () => {
    expect(readEvent(CURSOR, {})).toMatchObject({
      event: { host: 'cursor', isMain: true, sessionId: 'c', cwd: '/repo', continuing: false },
    });
    expect(readEvent({ ...CURSOR, loop_count: 2 }, {})).toMatchObject({ event: { continuing: true } });
  });

  test('a stop of a subagent', () => {
    const event = { ...CURSOR, hook_event_name: 'subagentStop', subagent_type: 'check', summary: 'done' };
    expect(readEvent(event, {})).toMatchObject({ event: { isMain: false, agent: 'check', message: 'done' } });
  });

  test.each(['aborted', 'error'])('a turn that was %s is not judged', (status) => {
    expect(readEvent({ ...CURSOR, status }, {})).toMatchObject({
      event: { skipReason: `the turn was ${status}` },
    });
  });

  test("through Claude Code's hooks", () => {
    const event = { hook_event_name: 'Stop', session_id: 's', cwd: '/repo', cursor_version: '3.1' };
    expect(readEvent(event, { CLAUDECODE: '1' })).toMatchObject({
      event: { host: 'cursor', sessionId: 's' },
    });
  });
});

test("Copilot's events of subagents without names", () => {
  const event = { sessionId: 's', cwd: '/repo', stopReason: 'end_turn', agentId: 'a' };
  expect(readEvent(event, {})).toMatchObject({
    event: { skipReason: "it is a subagent's, whose own event comes too" },
  });
  expect(readEvent({ ...event, agentName: 'check', lastAssistantMessage: 'done' }, {})).toMatchObject({
    event: { host: 'copilot', isMain: false, agent: 'check', agentId: 'a', message: 'done' },
  });
});

describe('whose event it is', () => {
  const stop = { hook_event_name: 'Stop', session_id: 's' };
  const inside = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'outer' };
  test.each([
    ['of Claude Code', stop, { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 's' }, 'claude-code'],
    ['of Claude Code, before it told its session', stop, { CLAUDECODE: '1' }, 'claude-code'],
    ['of nobody that is known', stop, {}, 'unknown'],
    ['of an unknown agent that Claude Code started', stop, inside, 'unknown'],
    ['of Codex that Claude Code started', { ...stop, turn_id: 't' }, inside, 'codex'],
    ['of Droid that Claude Code started', stop, { ...inside, FACTORY_PROJECT_DIR: '/r' }, 'droid'],
    [
      'of Claude Code that Droid started',
      stop,
      { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 's', FACTORY_PROJECT_DIR: '/r' },
      'claude-code',
    ],
    ['of nobody: all set CLAUDE_PROJECT_DIR', stop, { CLAUDE_PROJECT_DIR: '/r' }, 'unknown'],
  ])('%s', (_, event, env, host) => {
    expect(readEvent(event, env)).toMatchObject({ event: { host } });
  });

  test.each(HOSTS.map(({ name }) => name))('is as the command line says: %s', (name) => {
    expect(readEvent({ ...stop, turn_id: 't' }, {}, name)).toMatchObject({ event: { host: name } });
  });
});

test('an answer is out before the host gives up', () => {
  expect(Object.fromEntries(HOSTS.map(({ name }) => [name, defaultDeadlineSeconds(name)]))).toEqual({
    'claude-code': 570,
    codex: 570,
    qwen: 57,
    gemini: 57,
    droid: 57,
    copilot: 27,
    cursor: 27,
  });
  expect(defaultDeadlineSeconds('unknown')).toBe(570);
});
