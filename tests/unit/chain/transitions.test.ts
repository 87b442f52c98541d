import { describe, expect, test } from 'vitest';
import {
  applyAction,
  endReview,
  endRun,
  interruptRun,
  startRun,
  type Transition,
} from '../../../src/chain/transitions.ts';
import type { Chain, PromptStep } from '../../../src/state/chain.ts';
import { chainOf, commandReport, step } from '../../helpers/chain.ts';
import { verifyGate } from '../../helpers/typed-prompt.ts';

const NOW = new Date('2026-11-21T10:00:00Z');

/** A step of one command with two attempts. */
const twoAttempts = (...criteria: readonly string[]): PromptStep => ({
  ...step('do it', verifyGate('npm test', { maxAttempts: 2 })),
  criteria: criteria.map((name) => ({ name, text: name })),
});
const started = (...steps: readonly PromptStep[]): Chain => chainOf({ steps }, NOW);
const report = (passed: boolean) => commandReport({ passed });

/** Runs one after the other, each of one command. */
function run(chain: Chain, ...passes: readonly boolean[]): Transition {
  return passes.reduce<Transition>(
    (moved, passed) => endRun(startRun(moved.chain, 7, NOW), [report(passed)], NOW),
    { chain, event: 'waiting' },
  );
}

describe('a run', () => {
  test('is counted at its start, with the pid of its process', () => {
    expect(startRun(started(twoAttempts()), 7, NOW)).toMatchObject({ attempts: 1, running: 7 });
  });

  test.for([
    ['passes', [true], { event: 'passed', ended: 'passed', chain: { attempts: 1, running: null } }],
    ['fails', [false], { event: 'failed', chain: { status: 'failed', attempts: 1 } }],
    ['passes at the last attempt', [false, true], { event: 'passed' }],
    ['fails at the last attempt', [false, false], { event: 'escalated', chain: { status: 'escalated' } }],
  ] as const)('that %s moves the chain accordingly', ([, passes, moved]) => {
    expect(run(started(twoAttempts()), ...passes)).toMatchObject(moved);
  });

  test('that is interrupted stays counted, and another process may start one', () => {
    expect(interruptRun(startRun(started(twoAttempts()), 7, NOW), NOW)).toMatchObject({
      event: 'interrupted',
      chain: { attempts: 1, running: null, status: 'awaiting' },
    });
  });

  test('is limited by the attempts of the command that failed', () => {
    const commands = [verifyGate('npm test', { maxAttempts: 9 }), verifyGate('lint', { maxAttempts: 1 })];
    const chain = startRun(started(step('do it', ...commands)), 7, NOW);
    expect(endRun(chain, [report(true), report(false)], NOW).event).toBe('escalated');
  });

  test('has one attempt in a chain that is verified once', () => {
    expect(run({ ...started(twoAttempts()), atStop: 'tell' }, false).event).toBe('escalated');
  });
});

test('each step starts with its own attempts', () => {
  const first = run(started(twoAttempts(), twoAttempts()), false, true);
  expect(first).toMatchObject({
    event: 'step-passed',
    chain: { step: 1, attempts: 0, status: 'awaiting', results: [] },
  });
  expect(first.ended).toBeUndefined();
  expect(run(first.chain, false, true).ended).toBe('passed');
});

describe('a review', () => {
  const inReview = (...more: readonly PromptStep[]) =>
    run(started(twoAttempts('a', 'b'), ...more), true).chain;
  const verdict = (name: string, passed: boolean, reason = 'seen') => ({ name, passed, reason });
  const BOTH = [verdict('a', true), verdict('b', true)];

  test('is requested once the commands pass', () => {
    expect(run(started(twoAttempts('a')), true)).toMatchObject({
      event: 'review',
      chain: { status: 'review', reviews: 1 },
    });
  });

  test.for([
    ['passes with two verdicts', BOTH, 'passed'],
    ['is incomplete without a verdict', [verdict('a', true)], 'review-incomplete'],
    ['is incomplete without a reason', [verdict('a', true), verdict('b', true, ' ')], 'review-incomplete'],
    ['is incomplete without any verdict', [], 'review-incomplete'],
    ['fails with a FAIL', [verdict('a', true), verdict('b', false)], 'review-failed'],
    ['goes by the last verdict', [...BOTH, verdict('b', false), verdict('b', true)], 'passed'],
  ] as const)('%s', ([, verdicts, event]) => {
    expect(endReview(inReview(), verdicts, NOW).event).toBe(event);
  });

  test('that is incomplete is requested again', () => {
    expect(endReview(inReview(), [], NOW).chain).toMatchObject({ status: 'review', reviews: 2 });
  });

  test('that passes leads to the next step', () => {
    expect(endReview(inReview(twoAttempts()), BOTH, NOW)).toMatchObject({
      event: 'step-passed',
      chain: { step: 1, reviews: 0 },
    });
  });

  test('without an answer is escalated after five requests', () => {
    let moved: Transition = { chain: inReview(), event: 'review' };
    for (let asked = 0; asked < 5; asked++) moved = endReview(moved.chain, [], NOW);
    expect(moved).toMatchObject({ event: 'escalated', chain: { status: 'escalated' } });
  });

  test('that never passes is escalated, though the commands pass', () => {
    let chain = started(twoAttempts('a'));
    for (let asked = 0; asked < 5; asked++) {
      ({ chain } = run(chain, true));
      ({ chain } = endReview(chain, [verdict('a', false)], NOW));
    }
    expect(run(chain, true)).toMatchObject({ event: 'escalated', chain: { status: 'escalated' } });
  });
});

describe('a person’s decision', () => {
  test.for([
    ['retry', 'retried', { status: 'awaiting', attempts: 0, step: 0, results: [] }],
    ['skip', 'step-skipped', { status: 'awaiting', attempts: 0, step: 1, unverified: [0] }],
    ['abort', 'aborted', { status: 'escalated' }],
  ] as const)('to %s an escalated chain has the event %s', ([action, event, chain]) => {
    const escalated = run(started(twoAttempts(), twoAttempts()), false, false).chain;
    expect(applyAction(escalated, action, NOW)).toMatchObject({ event, chain });
  });

  test('to skip the last step ends the chain, which has not passed', () => {
    const { chain } = run(started(twoAttempts()), false, false);
    expect(applyAction(chain, 'skip', NOW)).toMatchObject({ event: 'skipped', ended: 'skipped' });
  });

  test('to skip a step leaves the chain unverified, though the next step passes', () => {
    const { chain } = applyAction(started(twoAttempts(), twoAttempts()), 'skip', NOW);
    expect(run(chain, true)).toMatchObject({ event: 'skipped', ended: 'skipped' });
  });
});
