import { describe, expect, test } from 'vitest';
import { readStopEvent } from '../../../src/hosts/normalize.ts';
import type { HostName } from '../../../src/hosts/registry.ts';

const SUBAGENT = { hook_event_name: 'SubagentStop', agent_type: 'check' };

/** The name of the event under which a block is answered as context. */
function contextEvent(AI_AGENT: string | undefined, event: object = {}, host: HostName = 'claude-code') {
  const stop = readStopEvent({ hook_event_name: 'Stop', ...event }, { CLAUDECODE: '1', AI_AGENT }, host);
  return stop.ok ? stop.value.contextEvent : stop;
}

describe('a hook of Claude Code', () => {
  test.each([
    'claude-code_2-1-197_harness',
    'claude-code_2-1-330_harness',
    'claude-code_2-2-0_harness',
    'claude-code_3-0-0_harness',
    'claude-code_10-0-1_harness',
  ])('may answer a stop with context if AI_AGENT is %s', (name) => {
    expect(contextEvent(name)).toBe('Stop');
    expect(contextEvent(name, SUBAGENT)).toBe('SubagentStop');
  });

  test.each([
    ['an older version', 'claude-code_2-1-196_harness'],
    ['an older version with more digits', 'claude-code_2-0-999_harness'],
    ['an older major version', 'claude-code_1-9-999_harness'],
    ['no variable', undefined],
    ['an empty variable', ''],
    ['another agent', 'pi'],
    ['a name without a version', 'claude-code_harness'],
    ['a version with two numbers', 'claude-code_2-2_harness'],
    ['a version with four numbers', 'claude-code_2-1-330-1_harness'],
    ['a version that is not a number', 'claude-code_2-1-x_harness'],
    ['a version with dots', 'claude-code_2.1.330_harness'],
    ['what the agent starts itself', 'claude-code_2-1-330_agent'],
    ['a number of a thousand digits', `claude-code_2-1-${'9'.repeat(1000)}_harness`],
    ['more after the name', 'claude-code_2-1-330_harness\nx'],
  ])('may not with %s', (_, name) => {
    expect(contextEvent(name)).toBeUndefined();
  });
});

test.each(['codex', 'gemini', 'qwen', 'copilot', 'droid', 'cursor', 'unknown'] as const)(
  'a hook of %s may not answer a stop with context, even where Claude Code started the host',
  (host) => {
    const event = { hook_event_name: host === 'gemini' ? 'AfterAgent' : 'Stop' };
    expect(contextEvent('claude-code_2-1-330_harness', event, host)).toBeUndefined();
  },
);
