import { describe, expect, test } from 'vitest';
import {
  internalErrorMessage,
  limitReachedConfigMessage,
  limitReachedMessage,
  passedMessage,
} from '../../../src/messages/person.ts';
import { markerGate, OUTCOMES, printed, resultOf, shellGate, summaryOf } from '../../helpers/gate-results.ts';

const warning = (name: string) => shellGate(name, { blocking: false });
const CAP = { why: 'cap-reached', iterations: 5 } as const;
const logged = { output: printed('x', { logPath: '/the/project/.trellis/.ralph/output/test.log' }) };

describe('a pass is told', () => {
  test.each([
    ['of one gate', [resultOf('a')], 'ralph-loop: 1 gate passed in 12.3 s'],
    ['of several', [resultOf('a'), resultOf('b')], 'ralph-loop: 2 gates passed in 12.3 s'],
    [
      'with what only warns',
      [resultOf('a'), resultOf(warning('w'), 'failed')],
      'ralph-loop: 1 gate passed in 12.3 s; failed without blocking: w',
    ],
    [
      'with all of them',
      [resultOf(warning('v'), 'failed'), resultOf(warning('w x'), 'timed-out')],
      'ralph-loop: 0 gates passed in 12.3 s; failed without blocking: v, w x',
    ],
  ])('%s', (_, results, message) => {
    expect(passedMessage(summaryOf(...results))).toBe(message);
  });
});

describe('a stop that is let go is told', () => {
  test.each([
    [
      'with the gate and its output',
      [resultOf('pnpm test', 'failed', logged)],
      CAP,
      'ralph-loop gave up after 5 iterations: `pnpm test` still fails, output in .trellis/.ralph/output/test.log',
    ],
    [
      'with how many more',
      [resultOf('a', 'failed'), resultOf('b', 'failed')],
      CAP,
      'ralph-loop gave up after 5 iterations: `a` still fails, and 1 other too',
    ],
    [
      'with another end than a failure',
      [resultOf('a', 'timed-out')],
      CAP,
      'ralph-loop gave up after 5 iterations: `a` timed out: it was still running after 120 s and was ended',
    ],
    [
      'with a marker',
      [resultOf(markerGate('M'), 'marker-missing')],
      CAP,
      'ralph-loop gave up after 5 iterations: `M` is missing from the last message',
    ],
    [
      'after one iteration',
      [resultOf('a', 'failed')],
      { why: 'cap-reached', iterations: 1 },
      'ralph-loop gave up after 1 iteration: `a` still fails',
    ],
    [
      'past what only warns and what was skipped',
      [resultOf(warning('w'), 'failed'), resultOf('a', 'failed'), resultOf('b', 'skipped')],
      CAP,
      'ralph-loop gave up after 5 iterations: `a` still fails',
    ],
    [
      'without a gate that came to an end',
      [resultOf('b', 'skipped')],
      CAP,
      'ralph-loop gave up after 5 iterations: the gates did not finish',
    ],
    [
      'since nothing can be counted',
      [resultOf('a', 'failed')],
      { why: 'cannot-count' },
      'ralph-loop let the agent stop, since its loop state cannot be written: `a` still fails',
    ],
  ] as const)('%s', (_, results, letGo, message) => {
    expect(limitReachedMessage(summaryOf(...results), letGo, '/the/project')).toBe(message);
  });

  test('with the first thing that is wrong in the config', () => {
    expect(limitReachedConfigMessage(['worktree.yaml:1:1: x', 'worktree.yaml:2:1: y'], CAP)).toBe(
      'ralph-loop gave up after 5 iterations: the config is still broken: worktree.yaml:1:1: x',
    );
  });
});

test.each([
  [new Error('x\n y'), 'ralph-loop: internal error, the stop was allowed unverified: Error: x y'],
  ['text', 'ralph-loop: internal error, the stop was allowed unverified: text'],
  [undefined, 'ralph-loop: internal error, the stop was allowed unverified: undefined'],
])('an internal error is told: %s', (error, message) => {
  expect(internalErrorMessage(error)).toBe(message);
});

test('whatever comes in, the person gets a line of a few hundred characters', () => {
  const long = 'x\n'.repeat(10_000);
  const messages = [
    internalErrorMessage(new Error(long)),
    limitReachedConfigMessage([long], CAP),
    limitReachedMessage(summaryOf(resultOf(long, 'failed')), CAP, '/'),
    limitReachedMessage(summaryOf(resultOf('a', { ...OUTCOMES['not-started'], message: long })), CAP, '/'),
    passedMessage(
      summaryOf(...Array.from({ length: 200 }, (_, i) => resultOf(warning(`${i}${long}`), 'failed'))),
    ),
  ];

  for (const message of messages) {
    expect(message).not.toContain('\n');
    expect(message.length).toBeLessThan(1000);
  }
});
