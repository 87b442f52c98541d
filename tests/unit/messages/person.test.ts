import { describe, expect, test } from 'vitest';
import {
  internalErrorMessage,
  joinOnLine,
  limitReachedMessage,
  limitReachedOnConfigMessage,
  passedMessage,
} from '../../../src/messages/person.ts';
import { markerGate, OUTCOMES, printed, resultOf, shellGate, summaryOf } from '../../helpers/gate-results.ts';

const warning = (name: string) => shellGate(name, { blocking: false });
const NOW = new Date('2026-01-31T10:30:00.000Z');
const REUSED = { reused: '2026-01-31T10:27:00.000Z' };
const CAP = { why: 'cap-reached', iterations: 5 } as const;
const logged = { output: printed('x', { logPath: '/the/project/.trellis/.ralph/output/test.log' }) };

describe('the message for a pass counts', () => {
  test.each([
    ['one gate', [resultOf('a')], 'ralph-loop: 1 gate passed in 12.3 s'],
    ['several gates', [resultOf('a'), resultOf('b')], 'ralph-loop: 2 gates passed in 12.3 s'],
    [
      'a gate that was reused',
      [resultOf('a'), resultOf('b', 'passed', REUSED)],
      'ralph-loop: 2 gates passed in 12.3 s, 1 reused',
    ],
    [
      'gates that were all reused, the earliest pass first',
      [resultOf('a', 'passed', { reused: '2026-01-31T08:30:00.000Z' }), resultOf('b', 'passed', REUSED)],
      'ralph-loop: 2 gates passed 2 h ago on the same files',
    ],
    [
      'one gate that was reused, besides a warning',
      [resultOf('a', 'passed', REUSED), resultOf(warning('w'), 'failed')],
      'ralph-loop: 1 gate passed 3 min ago on the same files; failed without blocking: w',
    ],
    [
      'known failures of all gates',
      [resultOf('a', 'passed', { known: 2 }), resultOf('b', 'passed', { known: 1 })],
      'ralph-loop: 2 gates passed in 12.3 s, with 3 known failures',
    ],
    [
      'a non-blocking gate that failed',
      [resultOf('a'), resultOf(warning('w'), 'failed')],
      'ralph-loop: 1 gate passed in 12.3 s; failed without blocking: w',
    ],
    [
      'a gate that was reused, and one that failed without blocking',
      [resultOf('a', 'passed', { durationMs: 2000, ...REUSED }), resultOf(warning('w'), 'failed')],
      'ralph-loop: 1 gate passed 3 min ago on the same files (saved 2 s); failed without blocking: w',
    ],
    [
      'only non-blocking gates that failed',
      [resultOf(warning('v'), 'failed'), resultOf(warning('w x'), 'timed-out')],
      'ralph-loop: failed without blocking: v, w x',
    ],
  ])('%s', (_, results, message) => {
    expect(passedMessage(summaryOf(...results), NOW)).toBe(message);
  });
});

describe('the message for a stop that is allowed although a gate fails', () => {
  test.each([
    [
      'names the gate and its log',
      [resultOf('pnpm test', 'failed', logged)],
      CAP,
      'ralph-loop: stop allowed after the limit of 5 iterations: `pnpm test` still fails, output in .trellis/.ralph/output/test.log',
    ],
    [
      'counts the other gates',
      [resultOf('a', 'failed'), resultOf('b', 'failed')],
      CAP,
      'ralph-loop: stop allowed after the limit of 5 iterations: `a` still fails (and 1 other gate)',
    ],
    [
      'says that the gate timed out',
      [resultOf('a', 'timed-out')],
      CAP,
      'ralph-loop: stop allowed after the limit of 5 iterations: `a` timed out: it was still running after 120 s and was ended',
    ],
    [
      'names a missing marker',
      [resultOf(markerGate('M'), 'marker-missing')],
      CAP,
      'ralph-loop: stop allowed after the limit of 5 iterations: `M` is missing from the last message',
    ],
    [
      'counts one iteration',
      [resultOf('a', 'failed')],
      { why: 'cap-reached', iterations: 1 },
      'ralph-loop: stop allowed after the limit of 1 iteration: `a` still fails',
    ],
    [
      'leaves out non-blocking and skipped gates',
      [resultOf(warning('w'), 'failed'), resultOf('a', 'failed'), resultOf('b', 'skipped')],
      CAP,
      'ralph-loop: stop allowed after the limit of 5 iterations: `a` still fails',
    ],
    [
      'says that the gates did not finish',
      [resultOf('b', 'skipped')],
      CAP,
      'ralph-loop: stop allowed after the limit of 5 iterations: the gates did not finish',
    ],
    [
      'says that the attempts cannot be counted',
      [resultOf('a', 'failed')],
      { why: 'cannot-count' },
      'ralph-loop: stop allowed because the loop state cannot be written: `a` still fails',
    ],
  ] as const)('%s', (_, results, limit, message) => {
    expect(limitReachedMessage(summaryOf(...results), limit, '/the/project')).toBe(message);
  });

  test('shows the first problem of an invalid config', () => {
    expect(limitReachedOnConfigMessage(['worktree.yaml:1:1: x', 'worktree.yaml:2:1: y'], CAP)).toBe(
      'ralph-loop: stop allowed after the limit of 5 iterations: the config is still invalid: worktree.yaml:1:1: x',
    );
  });
});

test.each([
  [new Error('x\n y'), 'ralph-loop: internal error, the stop was allowed unverified: Error: x y'],
  ['text', 'ralph-loop: internal error, the stop was allowed unverified: text'],
  [undefined, 'ralph-loop: internal error, the stop was allowed unverified: undefined'],
])('the message for an internal error contains it: %s', (error, message) => {
  expect(internalErrorMessage(error)).toBe(message);
});

test('every message is one line of less than 1000 characters', () => {
  const long = 'x\n'.repeat(10_000);
  const messages = [
    internalErrorMessage(new Error(long)),
    limitReachedOnConfigMessage([long], CAP),
    limitReachedMessage(summaryOf(resultOf(long, 'failed')), CAP, '/'),
    limitReachedMessage(summaryOf(resultOf('a', { ...OUTCOMES['not-started'], message: long })), CAP, '/'),
    passedMessage(
      summaryOf(...Array.from({ length: 200 }, (_, i) => resultOf(warning(`${i}${long}`), 'failed'))),
      NOW,
    ),
  ];

  for (const message of messages) {
    expect(message).not.toContain('\n');
    expect(message.length).toBeLessThan(1000);
  }
});

test('messages on one line are clauses, and name the program once', () => {
  expect(joinOnLine(['ralph-loop: `a` passed.', 'ralph-loop: b. c', '`d` ran.'])).toBe(
    'ralph-loop: `a` passed; b. c; `d` ran.',
  );
  expect(joinOnLine([])).toBe('');
});
