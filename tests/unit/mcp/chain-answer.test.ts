import { describe, expect, test } from 'vitest';
import { answerAbout, chainAnswer } from '../../../src/mcp/chain-answer.ts';
import type { CommandReport } from '../../../src/state/chain.ts';
import { chainOf, commandReport, step } from '../../helpers/chain.ts';
import { verifyGate } from '../../helpers/typed-prompt.ts';

const end = (command: string, passed: boolean) =>
  commandReport({ command, passed, stdout: 'out', stderr: 'err' });
const resultOf = ({ command: _, passed: __, ...result }: CommandReport) => result;

test.for([
  ['awaiting', false],
  ['passed', true],
  ['review', false],
  ['failed', false],
  ['escalated', false],
  ['skipped', false],
  ['aborted', false],
] as const)('an answer with the status %s has success %s', ([status, success]) => {
  const answer = answerAbout(chainOf(), status, 'text');
  expect(answer).toMatchObject({ chain_id: 'k3x9-7f2a', status, success, content: 'text' });
  expect(chainAnswer.parse(answer)).toEqual(answer);
});

describe('the verification in an answer', () => {
  const steps = [step('x', verifyGate('a'), verifyGate('b'))];

  test('is about the first command if none has run', () => {
    expect(answerAbout(chainOf({ steps }), 'awaiting', '').verification).toEqual({
      command: 'a',
      attempts: 0,
      passed: false,
      lastResult: null,
    });
  });

  test.for([
    ['the command that failed', [end('a', false)], end('a', false)],
    ['the last command if all pass', [end('a', true), end('b', true)], end('b', true)],
  ] as const)('is about %s', ([, results, last]) => {
    expect(answerAbout(chainOf({ steps, attempts: 3, results }), 'failed', '').verification).toEqual({
      command: last.command,
      attempts: 3,
      passed: last.passed,
      lastResult: resultOf(last),
    });
  });

  test('is null if the step has no command', () => {
    expect(answerAbout(chainOf({ steps: [step('x')] }), 'awaiting', '').verification).toBeNull();
  });
});
