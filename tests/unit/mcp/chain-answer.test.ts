import { describe, expect, test } from 'vitest';
import { answerAbout, chainAnswer } from '../../../src/mcp/chain-answer.ts';
import type { CommandReport } from '../../../src/state/chain.ts';
import { chainOf, step } from '../../helpers/chain.ts';
import { verifyGate } from '../../helpers/typed-prompt.ts';

const end = (command: string, passed: boolean): CommandReport => ({
  command,
  passed,
  exitCode: passed ? 0 : 1,
  stdout: 'out',
  stderr: 'err',
  durationMs: 7,
  timedOut: false,
});
const resultOf = ({ command: _, passed: __, ...result }: CommandReport) => result;

test.for([
  ['awaiting', true],
  ['passed', true],
  ['review', true],
  ['failed', false],
  ['escalated', false],
  ['skipped', false],
  ['aborted', false],
] as const)('%s is a success: %s', ([status, success]) => {
  const answer = answerAbout(chainOf(), status, 'text');
  expect(answer).toMatchObject({ chain_id: 'k3x9-7f2a', status, success, content: 'text' });
  expect(chainAnswer.parse(answer)).toEqual(answer);
});

describe('the verification is', () => {
  const steps = [step('x', verifyGate('a'), verifyGate('b'))];

  test('of the first command, where none has been run', () => {
    expect(answerAbout(chainOf({ steps }), 'awaiting', '').verification).toEqual({
      command: 'a',
      attempts: 0,
      passed: false,
      lastResult: null,
    });
  });

  test.for([
    ['the one that failed', [end('a', false)], end('a', false)],
    ['the last one, where all pass', [end('a', true), end('b', true)], end('b', true)],
  ] as const)('of %s', ([, results, last]) => {
    expect(answerAbout(chainOf({ steps, attempts: 3, results }), 'failed', '').verification).toEqual({
      command: last.command,
      attempts: 3,
      passed: last.passed,
      lastResult: resultOf(last),
    });
  });

  test('none, where no command is asked for', () => {
    expect(answerAbout(chainOf({ steps: [step('x')] }), 'awaiting', '').verification).toBeNull();
  });
});
