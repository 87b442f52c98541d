import { describe, expect, test } from 'vitest';
import type { AllowReason, Answer } from '../../../src/hosts/stop-event.ts';
import { writeTrellisAnswer } from '../../../src/hosts/trellis.ts';
import { writeAnswer } from '../../../src/hosts/write-answer.ts';

const block: Answer = { decision: 'block', why: 'gates-failed', reason: 'a\n"b" é\u2028' };
const ignore: Answer = { decision: 'ignore', why: 'x' };
const allow = (fields: { why?: AllowReason; toPerson?: string } = {}): Answer => ({
  decision: 'allow',
  why: 'commands-passed',
  ...fields,
});

describe('the answer for hosts', () => {
  test.each([
    ['a block', block, 'claude-code', { decision: 'block', reason: 'a\n"b" é\u2028' }],
    ['a block, elsewhere', block, 'unknown', { decision: 'block', reason: 'a\n"b" é\u2028' }],
    ['a word to the person', allow({ toPerson: 'x' }), 'claude-code', { systemMessage: 'x' }],
  ] as const)('is one JSON document: %s', (_, answer, host, document) => {
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
    ['copilot', { decision: 'block', reason, warnings: ['w'] }],
    ['droid', { decision: 'block', reason, warnings: ['w'] }],
    ['cursor', { followup_message: reason }],
    ['unknown', { decision: 'block', reason }],
  ] as const)('says a block in the words that the host takes: %s', (host, document) => {
    expect(JSON.parse(writeAnswer(all, host))).toEqual(document);
  });

  test.each([
    ['allow', allow(), 'claude-code'],
    ['a word to the person, where nobody is shown it', allow({ toPerson: 'x' }), 'cursor'],
    ['allow, elsewhere', allow(), 'unknown'],
    ['a word to the person, where the host may reject it', allow({ toPerson: 'x' }), 'unknown'],
    ['not ours', ignore, 'claude-code'],
  ] as const)('is silence: %s', (_, answer, host) => {
    expect(writeAnswer(answer, host)).toBe('');
  });
});

describe("the answer in the Python hook's form", () => {
  test.each([
    ['commands-passed', 'All verify commands passed. Check phase complete.'],
    ['markers-found', 'All completion markers found. Check phase complete.'],
    ['cap-reached', 'Max iterations (5) reached. Stopping to prevent infinite loop.'],
    ['no-gates', 'No gates are configured.'],
    ['internal-error', 'ralph-loop had an internal error.'],
    ['cannot-count', 'The loop state cannot be written.'],
  ] as const)('spells out allow: %s', (why, reason) => {
    expect(JSON.parse(writeTrellisAnswer(allow({ why }), 5))).toEqual({ decision: 'allow', reason });
  });

  test('says at the cap what is left', () => {
    expect(
      JSON.parse(writeTrellisAnswer(allow({ why: 'cap-reached', toPerson: '`a` still fails' }), 7)).reason,
    ).toBe('Max iterations (7) reached. Stopping to prevent infinite loop.\n`a` still fails');
  });

  test('leaves out what it has for the person otherwise', () => {
    expect(writeTrellisAnswer(allow({ toPerson: 'secret' }), 5)).not.toContain('secret');
  });

  test('blocks as everywhere', () => {
    expect(writeTrellisAnswer(block, 5)).toBe(writeAnswer(block, 'unknown'));
  });

  test('is silence where the stop is not ours', () => {
    expect(writeTrellisAnswer(ignore, 5)).toBe('');
  });
});
