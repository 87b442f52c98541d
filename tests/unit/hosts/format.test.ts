import { describe, expect, test } from 'vitest';
import {
  isBlock,
  writeAnswer,
  writePromptContext,
  writePromptRefusal,
  writeTrellisAnswer,
} from '../../../src/hosts/format.ts';
import type { AllowReason, Answer, PromptEvent } from '../../../src/hosts/types.ts';

const block: Answer = { decision: 'block', why: 'gates-failed', reason: 'a\n"b" é\u2028' };
const ignore: Answer = { decision: 'ignore', why: 'x' };
const allow = (fields: { why?: AllowReason; toPerson?: string } = {}): Answer => ({
  decision: 'allow',
  why: 'commands-passed',
  ...fields,
});

describe('writeAnswer', () => {
  test.each([
    ['a block', block, 'claude-code', { decision: 'block', reason: 'a\n"b" é\u2028' }],
    ['a block for an unknown host', block, 'unknown', { decision: 'block', reason: 'a\n"b" é\u2028' }],
    ['a message for the person', allow({ toPerson: 'x' }), 'claude-code', { systemMessage: 'x' }],
  ] as const)('writes %s as one line of JSON', (_, answer, host, document) => {
    expect(JSON.parse(writeAnswer(answer, host))).toEqual(document);
    expect(writeAnswer(answer, host)).not.toContain('\n');
  });

  const all: Answer = { ...block, toPerson: 'x', warnings: ['w'] };
  const { reason } = all;
  test.each([
    ['claude-code', { decision: 'block', reason, warnings: ['w'], systemMessage: 'x' }],
    ['codex', { decision: 'block', reason, systemMessage: 'x' }],
    ['gemini', { decision: 'block', reason, warnings: ['w'], systemMessage: 'x' }],
    ['qwen', { decision: 'block', reason, warnings: ['w'], systemMessage: 'x' }],
    [
      'copilot',
      {
        decision: 'block',
        reason,
        hookSpecificOutput: { hookEventName: 'Stop', decision: 'block', reason },
        warnings: ['w'],
      },
    ],
    ['droid', { decision: 'block', reason, warnings: ['w'] }],
    ['devin', { decision: 'block', reason }],
    ['goose', { decision: 'block', reason }],
    ['openhands', { decision: 'deny', reason, additionalContext: reason }],
    ['cursor', { followup_message: reason }],
    ['unknown', { decision: 'block', reason }],
  ] as const)('blocks with the keys that %s accepts', (host, document) => {
    expect(JSON.parse(writeAnswer(all, host))).toEqual(document);
  });

  test.each([
    [
      'claude-code',
      {
        hookSpecificOutput: { hookEventName: 'SubagentStop', additionalContext: reason },
        warnings: ['w'],
        systemMessage: 'x',
      },
    ],
    ['codex', { decision: 'block', reason, systemMessage: 'x' }],
    ['cursor', { followup_message: reason }],
    ['unknown', { decision: 'block', reason }],
  ] as const)('adds context in place of a block only where %s accepts it', (host, document) => {
    expect(JSON.parse(writeAnswer(all, host, 'SubagentStop'))).toEqual(document);
  });

  test('adds no context to an allowed stop', () => {
    expect(JSON.parse(writeAnswer(allow({ toPerson: 'x' }), 'claude-code', 'Stop'))).toEqual({
      systemMessage: 'x',
    });
  });

  test.each([
    ['an allowed stop', allow(), 'claude-code'],
    ['a message to a host that does not show it', allow({ toPerson: 'x' }), 'cursor'],
    ['an allowed stop of an unknown host', allow(), 'unknown'],
    ['a message to an unknown host, which may reject it', allow({ toPerson: 'x' }), 'unknown'],
    ['a stop that is not guarded', ignore, 'claude-code'],
  ] as const)('writes nothing for %s', (_, answer, host) => {
    expect(writeAnswer(answer, host)).toBe('');
  });
});

describe('isBlock', () => {
  test.each([
    ['claude-code', '{"decision":"block","reason":"has the text in it"}', true],
    ['claude-code', '{"decision":"block","reason":"the text","systemMessage":"x"}', true],
    ['claude-code', '{"decision":"block","reason":"another"}', false],
    ['claude-code', '{"decision":"allow","reason":"the text"}', false],
    ['claude-code', '{"followup_message":"the text"}', false],
    ['claude-code', '{"decision":"block","reason":["the text"]}', false],
    ['cursor', '{"followup_message":"the text"}', true],
    ['cursor', '{"decision":"block","reason":"the text"}', false],
    ['claude-code', 'null', false],
    ['claude-code', '"the text"', false],
    ['claude-code', 'the text', false],
    ['claude-code', '', false],
  ])('for %s and %s is %s', (host, stdout, expected) => {
    expect(isBlock(stdout, host, 'the text')).toBe(expected);
  });
});

describe('the answer to a prompt', () => {
  const event = (host: PromptEvent['host'], name = 'UserPromptSubmit'): PromptEvent => ({
    host,
    name,
    prompt: '',
    byPerson: false,
    sessionId: undefined,
    cwd: undefined,
    projectDirectories: [],
  });

  test('adds context under the name of the event', () => {
    expect(JSON.parse(writePromptContext(event('gemini', 'BeforeAgent'), { context: 'x' }))).toEqual({
      hookSpecificOutput: { hookEventName: 'BeforeAgent', additionalContext: 'x' },
    });
  });

  test.each(['claude-code', 'codex', 'gemini', 'qwen'] as const)('adds context for %s', (host) => {
    expect(writePromptContext(event(host), { context: 'x' })).not.toBe('');
  });

  test.each(['copilot', 'cursor', 'droid', 'unknown'] as const)(
    'is empty for %s, which does not pass context to the agent',
    (host) => {
      expect(writePromptContext(event(host), { context: 'x', toPerson: 'y' })).toBe('');
    },
  );

  test.each([
    ['claude-code', { decision: 'block', reason: 'x' }],
    ['cursor', { continue: false, user_message: 'x' }],
    ['unknown', { decision: 'block', reason: 'x' }],
  ] as const)('rejects the prompt with the keys of %s', (host, document) => {
    expect(JSON.parse(writePromptRefusal(event(host), 'x'))).toEqual(document);
  });
});

describe("the answer in the form of Trellis's Python hook", () => {
  test.each([
    ['commands-passed', 'All verify commands passed. Check phase complete.'],
    ['markers-found', 'All completion markers found. Check phase complete.'],
    ['cap-reached', 'Max iterations (5) reached. Stopping to prevent infinite loop.'],
    ['no-gates', 'No gates are configured.'],
    ['internal-error', 'ralph-loop had an internal error.'],
    ['cannot-count', 'The loop state cannot be written.'],
  ] as const)('contains allow and its reason: %s', (why, reason) => {
    expect(JSON.parse(writeTrellisAnswer(allow({ why }), 5))).toEqual({ decision: 'allow', reason });
  });

  test('has the unresolved gates after the limit', () => {
    expect(
      JSON.parse(writeTrellisAnswer(allow({ why: 'cap-reached', toPerson: '`a` still fails' }), 7)).reason,
    ).toBe('Max iterations (7) reached. Stopping to prevent infinite loop.\n`a` still fails');
  });

  test('has no other message for the person', () => {
    expect(writeTrellisAnswer(allow({ toPerson: 'secret' }), 5)).not.toContain('secret');
  });

  test('blocks as for an unknown host', () => {
    expect(writeTrellisAnswer(block, 5)).toBe(writeAnswer(block, 'unknown'));
  });

  test('is empty for a stop that is not guarded', () => {
    expect(writeTrellisAnswer(ignore, 5)).toBe('');
  });
});
