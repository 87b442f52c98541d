import { describe, expect, test } from 'vitest';
import { newChain } from '../../../src/chain/transitions.ts';
import { fits } from '../../../src/messages/agent.ts';
import {
  actionText,
  chainBegunText,
  chainEndedText,
  chainLine,
  escalatedText,
  nextStepText,
} from '../../../src/messages/chain.ts';
import { type Chain, type PromptStep, reportChain } from '../../../src/state/chain.ts';

const verify = {
  command: 'npm test',
  maxAttempts: 3,
  timeoutSeconds: 300,
  loop: undefined,
  checkpoint: false,
  rollback: false,
  workingDir: undefined,
};
const STEP: PromptStep = { text: 'fix it', verify: [verify], criteria: [] };
const chainOf = (steps: readonly PromptStep[], more: Partial<Chain> = {}): Chain => ({
  ...newChain({ id: 'k3-1', session: 's', atStop: 'block', steps, checkpoint: null }, new Date(0)),
  ...more,
});

test('the text for a new chain lists its gates', () => {
  const text = chainBegunText(
    chainOf([{ ...STEP, criteria: [{ name: 'a', text: 'follows REST' }] }]),
    'fix it',
  );
  expect(text).toContain('- `npm test` exits with 0 (3 attempts, 300 s each)');
  expect(text).toContain('- review: follows REST');
});

test('a step without gates is not followed by a list', () => {
  const chain = chainOf([{ ...STEP, verify: [] }, STEP]);
  const says = 'This step has no gates: the next one follows when you stop.';
  for (const text of [chainBegunText(chain, ''), nextStepText(chain, { ...STEP, verify: [] })]) {
    expect(text).toContain(says);
    expect(text).not.toMatch(/^-|verifies/m);
  }
});

describe('criteria that the agent has reviewed itself are labelled', () => {
  const reviewed = { ...STEP, criteria: [{ name: 'rest', text: 'follows REST' }] };
  const criteriaOnly = { ...reviewed, verify: [] };

  test('in the text of the next step', () => {
    expect(nextStepText({ ...chainOf([reviewed, STEP]), step: 1 }, STEP)).toMatch(
      /^Step 1 of 2 passed \(self-reviewed: rest\)\.\n/,
    );
  });

  test.each([
    ['a command and a criterion', [reviewed], '`npm test` passed; self-reviewed: rest.'],
    ['several commands', [reviewed, STEP], 'all typed commands passed; self-reviewed: rest.'],
    ['a criterion alone', [criteriaOnly], 'no command has verified the work; self-reviewed: rest.'],
  ])('at the end of a chain with %s', (_, steps, text) => {
    expect(chainEndedText(chainOf(steps), 'passed')).toBe(`ralph-loop: ${text}`);
  });

  test('at the end of a chain whose other step was skipped', () => {
    const chain = { ...chainOf([reviewed, reviewed]), unverified: [0] };
    expect(chainEndedText(chain, 'skipped')).toBe(
      'ralph-loop: 1 step unverified, all others passed; self-reviewed: rest.',
    );
  });
});

test('the agent gets the first step of a chain first, and each next one when the step before has passed', () => {
  const second = { ...STEP, text: 'document it', verify: [{ ...verify, workingDir: 'docs' }] };
  const chain = chainOf([STEP, second]);
  expect(chainBegunText(chain, 'fix it')).toMatch(/^This task has 2 steps\. .*\nfix it\n/);
  expect(nextStepText({ ...chain, step: 1 }, second)).toBe(
    [
      'Step 1 of 2 passed.',
      'Step 2 of 2:',
      'document it',
      '',
      'ralph-loop verifies this step when you stop:',
      '- `npm test` in docs exits with 0 (3 attempts, 300 s each)',
    ].join('\n'),
  );
});

describe('a task that is too long for the host is cut, but its gates are not', () => {
  const long = { ...STEP, text: 'wörter '.repeat(5000) };
  const chain = chainOf([long, long]);
  test.for([
    ['in the text for a new chain', chainBegunText(chain, ''), 0],
    ['in the text for the next step', nextStepText({ ...chain, step: 1 }, long), 1],
    [
      'in the text for the step after a skipped one',
      actionText('skip', { chain: { ...chain, step: 1 } }, long, '/'),
      1,
    ],
  ] as const)('%s', ([, text, index]) => {
    expect(fits(text)).toBe(true);
    expect(text.length).toBeGreaterThan(4000);
    expect(text).toContain(`[… The rest is in .trellis/.ralph/chain-k3-1.json, steps[${index}].text]`);
    expect(text).toContain('- `npm test` exits with 0 (3 attempts, 300 s each)');
  });

  test('a long command is cut', () => {
    const command = `true ${'x'.repeat(100_000)}`;
    expect(fits(chainBegunText(chainOf([{ ...STEP, verify: [{ ...verify, command }] }]), 'fix it'))).toBe(
      true,
    );
  });
});

describe('a person reads', () => {
  const end = {
    command: 'npm test',
    passed: false,
    exitCode: 1,
    stdout: '',
    stderr: '',
    durationMs: 1,
    timedOut: false,
  };
  test.for([
    ['failed', end, '`npm test` failed with exit code 1'],
    ['timed out', { ...end, exitCode: null, timedOut: true }, '`npm test` timed out'],
    ['was killed', { ...end, exitCode: null }, '`npm test` failed'],
  ] as const)('the failure of a command that %s', ([, result, says]) => {
    const chain = chainOf([STEP], { status: 'escalated', attempts: 3, results: [result] });
    const text = escalatedText(chain, undefined, '/');
    expect(text).toContain(`ralph-loop: limit of 3 attempts reached: ${says}. Type`);
    expect(text).toContain('ralph-loop gate retry k3-1');
  });

  test('the position and the status of a chain on one line', () => {
    const line = (more: Partial<Chain>, steps = [STEP]) => chainLine(reportChain(chainOf(steps, more)));
    expect(line({ step: 1, attempts: 2, status: 'failed' }, [STEP, STEP])).toBe(
      'k3-1  npm test, step 2/2, attempt 2/3, failed',
    );
    expect(line({ running: { pid: 7, started: '1' } })).toBe('k3-1  npm test, attempt 0/3, running');
    expect(line({ unverified: [0] })).toBe('k3-1  npm test, attempt 0/3, awaiting, 1 step unverified');
  });
});
