import { describe, expect, test } from 'vitest';
import {
  beginChain,
  beginRun,
  breakOffRun,
  endReview,
  endRun,
  takeAction,
} from '../../../src/chain/chain-steps.ts';
import { type Chain, type CommandEnd, hasExpired } from '../../../src/state/chain.ts';
import type { PromptStep } from '../../../src/state/prompt-step.ts';

const NOW = new Date('2026-11-21T10:00:00Z');

function step({ max = 2, criteria = [] as readonly string[], commands = ['npm test'] } = {}): PromptStep {
  return {
    text: 'do it',
    verify: commands.map((command) => ({
      command,
      maxAttempts: max,
      timeoutSeconds: 300,
      loop: undefined,
      checkpoint: false,
      rollback: false,
      workingDir: undefined,
    })),
    criteria: criteria.map((name) => ({ name, text: name })),
  };
}

const begun = (...steps: readonly PromptStep[]): Chain =>
  beginChain({ id: 'c', session: 's', atStop: 'block', steps, checkpoint: null }, NOW);

const command = (passed: boolean): CommandEnd => ({
  command: 'npm test',
  passed,
  exitCode: passed ? 0 : 1,
  stdout: '',
  stderr: '',
  durationMs: 5,
  timedOut: false,
});

/** One attempt after the other, each of one command. */
function run(chain: Chain, ...passes: readonly boolean[]) {
  return passes.reduce(
    (moved: { chain: Chain; ended?: string }, passed) =>
      endRun(beginRun(moved.chain, 7, NOW), [command(passed)], NOW),
    { chain },
  );
}

describe('a run', () => {
  test('is counted before it begins, and belongs to a process', () => {
    expect(beginRun(begun(step()), 7, NOW)).toMatchObject({ attempts: 1, running: 7 });
  });

  test.for([
    ['passes', [true], { ended: 'passed', chain: { attempts: 1, running: null } }],
    ['fails, and may be tried again', [false], { chain: { status: 'failed', attempts: 1 } }],
    ['passes at the last attempt', [false, true], { ended: 'passed' }],
    ['fails at the last attempt', [false, false], { chain: { status: 'escalated', attempts: 2 } }],
  ] as const)('that %s', ([, passes, moved]) => {
    expect(run(begun(step()), ...passes)).toMatchObject(moved);
  });

  test('that was broken off is counted, and another process may go on', () => {
    expect(breakOffRun(beginRun(begun(step()), 7, NOW), NOW)).toMatchObject({
      attempts: 1,
      running: null,
      status: 'awaiting',
    });
  });

  test("goes by the attempts of the command that failed, not by another's", () => {
    const [one] = step({ max: 9 }).verify;
    const [other] = step({ max: 1, commands: ['npm run lint'] }).verify;
    const both = { ...step(), verify: [one, other].flatMap((gate) => gate ?? []) };
    const moved = endRun(beginRun(begun(both), 7, NOW), [command(true), command(false)], NOW);
    expect(moved.chain.status).toBe('escalated');
  });
});

describe('steps', () => {
  test('come one after the other, each with its own attempts', () => {
    const first = run(begun(step(), step()), false, true);
    expect(first.ended).toBeUndefined();
    expect(first.chain).toMatchObject({ step: 1, attempts: 0, status: 'awaiting', results: [] });
    expect(run(first.chain, false, true).ended).toBe('passed');
  });
});

describe('a review', () => {
  const inReview = () => run(begun(step({ criteria: ['a', 'b'] })), true).chain;
  const says = (name: string, passed: boolean, reason = 'seen') => ({ name, passed, reason });

  test('is asked for once the commands pass', () => {
    expect(inReview()).toMatchObject({ status: 'review', reviews: 1 });
  });

  test.for([
    ['both hold', [says('a', true), says('b', true)], { ended: 'passed' }],
    ['one is missing', [says('a', true)], { chain: { status: 'review', reviews: 2 } }],
    ['one has no reason', [says('a', true), says('b', true, ' ')], { chain: { status: 'review' } }],
    ['one does not hold', [says('a', true), says('b', false)], { chain: { status: 'failed' } }],
    ['the last word on it counts', [says('a', true), says('b', false), says('b', true)], { ended: 'passed' }],
    ['none was given', [], { chain: { status: 'review', reviews: 2 } }],
  ] as const)('where %s', ([, verdicts, moved]) => {
    expect(endReview(inReview(), verdicts, NOW)).toMatchObject(moved);
  });

  test('that is never answered is escalated', () => {
    let chain = inReview();
    for (let asked = 0; asked < 5; asked++) ({ chain } = endReview(chain, [], NOW));
    expect(chain.status).toBe('escalated');
  });

  test('that never passes is escalated, though the commands do', () => {
    let chain = begun(step({ criteria: ['a'] }));
    for (let asked = 0; asked < 5; asked++) {
      ({ chain } = run(chain, true));
      ({ chain } = endReview(chain, [says('a', false)], NOW));
    }
    expect(run(chain, true).chain.status).toBe('escalated');
  });
});

describe('what a person says', () => {
  const escalated = () => run(begun(step(), step()), false, false).chain;
  test.for([
    ['retry', { chain: { status: 'awaiting', attempts: 0, step: 0, results: [] } }],
    ['skip', { chain: { status: 'awaiting', attempts: 0, step: 1, unverified: [0] } }],
    ['abort', { ended: 'aborted' }],
  ] as const)('%s', ([action, moved]) => {
    expect(takeAction(escalated(), action, NOW)).toMatchObject(moved);
  });

  test('a chain whose last step was skipped has not passed', () => {
    const moved = takeAction(run(begun(step()), false, false).chain, 'skip', NOW);
    expect(moved.ended).toBe('skipped');
  });
});

test.for([
  ['2026-11-22T09:59:00Z', false],
  ['2026-11-22T10:01:00Z', true],
] as const)('a chain that nobody has touched for a day has expired: %s', ([now, expired]) => {
  expect(hasExpired(begun(step()), new Date(now))).toBe(expired);
});
