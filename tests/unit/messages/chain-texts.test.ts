import { describe, expect, test } from 'vitest';
import { newChain } from '../../../src/chain/transitions.ts';
import { chainLine, escalatedText } from '../../../src/messages/chain-person-texts.ts';
import { actionText, chainBegunText, nextStepText } from '../../../src/messages/chain-texts.ts';
import { fits } from '../../../src/messages/reason-frame.ts';
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

test('the agent is told what will be verified', () => {
  const text = chainBegunText(
    chainOf([{ ...STEP, criteria: [{ name: 'a', text: 'follows REST' }] }]),
    'fix it',
  );
  expect(text).toContain('- `npm test` exits with 0 (3 attempts, 300 s each)');
  expect(text).toContain('- to be reviewed: follows REST');
});

test('of several steps it is told the first, and then each', () => {
  const second = { ...STEP, text: 'document it', verify: [{ ...verify, workingDir: 'docs' }] };
  const chain = chainOf([STEP, second]);
  expect(chainBegunText(chain, 'fix it')).toMatch(/^This task has 2 steps\. .*\nfix it\n/);
  expect(nextStepText({ ...chain, step: 1 }, second)).toBe(
    [
      'Step 1 of 2 holds.',
      'Step 2 of 2:',
      'document it',
      '',
      'When you stop, this is verified:',
      '- `npm test` in docs exits with 0 (3 attempts, 300 s each)',
    ].join('\n'),
  );
});

describe('a text that no host would hand on whole is cut, and what is verified stays', () => {
  const long = { ...STEP, text: 'wörter '.repeat(5000) };
  const chain = chainOf([long, long]);
  test.for([
    ['at the beginning', chainBegunText(chain, ''), 0],
    ['at the next step', nextStepText({ ...chain, step: 1 }, long), 1],
    ['behind a step that is skipped', actionText('skip', { chain: { ...chain, step: 1 } }, long), 1],
  ] as const)('%s', ([, text, index]) => {
    expect(fits(text)).toBe(true);
    expect(text.length).toBeGreaterThan(4000);
    expect(text).toContain(`[… The rest is in .trellis/.ralph/chain-k3-1.json, steps[${index}].text]`);
    expect(text).toContain('- `npm test` exits with 0 (3 attempts, 300 s each)');
  });

  test('and so is a command', () => {
    const command = `true ${'x'.repeat(100_000)}`;
    expect(fits(chainBegunText(chainOf([{ ...STEP, verify: [{ ...verify, command }] }]), 'fix it'))).toBe(
      true,
    );
  });
});

describe('a person reads how it went', () => {
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
  ] as const)('a command that %s', ([, result, says]) => {
    const chain = chainOf([STEP], { status: 'escalated', attempts: 3, results: [result] });
    expect(escalatedText(chain)).toContain(`ralph-loop gave up after 3 attempts: ${says}. Type`);
    expect(escalatedText(chain)).toContain('ralph-loop gate retry k3-1');
  });

  test('on one line', () => {
    const line = (more: Partial<Chain>, steps = [STEP]) => chainLine(reportChain(chainOf(steps, more)));
    expect(line({ step: 1, attempts: 2, status: 'failed' }, [STEP, STEP])).toBe(
      'k3-1  npm test, step 2/2, attempt 2/3, failed',
    );
    expect(line({ running: 7 })).toBe('k3-1  npm test, attempt 0/3, being verified');
    expect(line({ unverified: [0] })).toBe('k3-1  npm test, attempt 0/3, awaiting, 1 step unverified');
  });
});
