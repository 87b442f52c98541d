import { describe, expect, test } from 'vitest';
import {
  applyAction,
  endReview,
  endRun,
  interruptRun,
  startRun,
  type Transition,
} from '../../../src/chain/transitions.ts';
import { attemptsOf, type Chain, type PromptStep } from '../../../src/state/chain.ts';
import { chainOf, commandReport, step } from '../../helpers/chain.ts';
import { verifyGate } from '../../helpers/typed-prompt.ts';

const RUNNER = { pid: 7, started: '1' };
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
    (moved, passed) => endRun(startRun(moved.chain, RUNNER, NOW), [report(passed)], NOW),
    { chain, event: 'waiting' },
  );
}

describe('a run', () => {
  test('is counted at its start, with its process', () => {
    expect(startRun(started(twoAttempts()), RUNNER, NOW)).toMatchObject({ attempts: 1, running: RUNNER });
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
    expect(interruptRun(startRun(started(twoAttempts()), RUNNER, NOW), [], NOW)).toMatchObject({
      event: 'interrupted',
      chain: { attempts: 1, running: null, status: 'awaiting' },
    });
  });

  test('is limited by the attempts of the command that failed', () => {
    const commands = [verifyGate('npm test', { maxAttempts: 9 }), verifyGate('lint', { maxAttempts: 1 })];
    const chain = startRun(started(step('do it', ...commands)), RUNNER, NOW);
    expect(endRun(chain, [report(true), report(false)], NOW).event).toBe('escalated');
  });

  // Each run ends at the first command that fails: p passes, f fails.
  test.for([
    ['of the first command use up none of the second', ['f', 'f', 'f', 'pf', 'pf'], 'escalated', [3, 2]],
    ['of the second command use up none of the first', ['pf', 'f', 'f', 'f'], 'failed', [3, 1]],
    ['in turn count for each', ['f', 'pf', 'f', 'pf'], 'escalated', [2, 2]],
    ['of a command that passes again start again', ['pf', 'f', 'pp'], 'passed', [1, 1]],
  ] as const)('uses up an attempt of the command that fails: failures %s', ([, runs, event, used]) => {
    const commands = [verifyGate('a', { maxAttempts: 5 }), verifyGate('b', { maxAttempts: 2 })];
    const moves: Transition[] = [];
    for (const run of runs) {
      const chain = startRun(moves.at(-1)?.chain ?? started(step('do it', ...commands)), RUNNER, NOW);
      moves.push(
        endRun(
          chain,
          Array.from(run, (end) => report(end === 'p')),
          NOW,
        ),
      );
    }
    const last = moves.at(-1) as Transition;
    expect(moves.map((moved) => moved.event)).toEqual([...runs.slice(1).map(() => 'failed'), event]);
    expect(commands.map((_, index) => attemptsOf(last.chain, index).iteration)).toEqual(used);
  });

  test('that is interrupted uses up an attempt of the command that was running', () => {
    const commands = [verifyGate('a'), verifyGate('b')];
    const { chain } = interruptRun(
      startRun(started(step('do it', ...commands)), RUNNER, NOW),
      [report(true), report(false)],
      NOW,
    );
    expect([0, 1].map((index) => attemptsOf(chain, index).iteration)).toEqual([0, 1]);
  });

  test('of a chain of an earlier version counts its runs for every command', () => {
    const { spared: _, ...old } = startRun(started(twoAttempts()), RUNNER, NOW);
    expect(endRun({ ...old, attempts: 2 }, [report(false)], NOW).event).toBe('escalated');
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
