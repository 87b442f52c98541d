import { describe, expect, test } from 'vitest';
import {
  endedMarkdown,
  nextStepMarkdown,
  reviewFailedMarkdown,
  reviewMarkdown,
  stepMarkdown,
} from '../../../src/messages/mcp.ts';
import { chainOf, step } from '../../helpers/chain.ts';
import { verifyGate } from '../../helpers/typed-prompt.ts';

const criteria = [
  { name: 'tests', text: 'each bug\nhas a test' },
  { name: 'docs', text: 'they are right' },
];
const reviewed = { ...step('Do it', verifyGate('npm test')), criteria };
const two = chainOf({
  steps: [step('Write it', verifyGate('a')), step('Test it', verifyGate('b'))],
  step: 1,
});

test('a step tells what to do, what is verified then, and how to have it verified', () => {
  const gate = verifyGate('npm test', { maxAttempts: 1, timeoutSeconds: 60, workingDir: './app' });
  const chain = chainOf({ steps: [{ ...step('Do it\n\nwell', gate), criteria }] });

  expect(stepMarkdown(chain)).toBe(`Do it

well

---
When this is done, call prompt_engine with chain_id "k3x9-7f2a" and user_response, which says what you did. This is verified then:
- \`npm test\` in ./app exits with 0 (1 attempt, 60 s each)
- to be reviewed: each bug has a test
- to be reviewed: they are right
Do not weaken a check in order to pass it.`);
});

test('of several steps it is told which one it is', () => {
  expect(stepMarkdown(two)).toMatch(/^## Step 2 of 2\n\nTest it\n/);
});

test.for([
  ['holds', 'Step 1 of 2 holds.'],
  ['skipped', 'Step 1 of 2 is skipped: it counts as unverified, so do not claim that its checks pass.'],
] as const)('the next step begins with what became of the last: %s', ([how, word]) => {
  expect(nextStepMarkdown(two, how)).toBe(`${word}\n\n${stepMarkdown(two)}`);
});

describe('a review', () => {
  test('is asked for, with the form that verdicts have', () => {
    expect(reviewMarkdown(chainOf(), reviewed)).toBe(`## Gate Review

The commands pass. Review your work by each of these, honestly; repair what does not hold:
- **tests**: each bug has a test
- **docs**: they are right

Then call prompt_engine with chain_id "k3x9-7f2a" and gate_verdicts, a line for each, with the reason on it:
GATE tests: PASS - <reason>   (or FAIL - <reason>)
GATE docs: PASS - <reason>   (or FAIL - <reason>)`);
  });

  test('speaks of no commands where there are none', () => {
    expect(reviewMarkdown(chainOf(), { ...reviewed, verify: [] })).toMatch(/\n\nReview your work /);
  });

  test('that fails sends the agent back to work', () => {
    const verdicts = [
      { name: 'tests', passed: true, reason: 'two\nof them' },
      { name: 'docs', passed: false, reason: 'old' },
    ];
    expect(
      reviewFailedMarkdown(chainOf({ status: 'failed' }), criteria, verdicts),
    ).toBe(`## Gate Review FAILED

- **tests**: PASS - two of them (each bug has a test)
- **docs**: FAIL - old (they are right)

Repair what does not hold. Then call prompt_engine with chain_id "k3x9-7f2a" and user_response; the commands run again, and the review is asked for again.`);
  });

  test('that leaves something open is asked for again', () => {
    const verdicts = [{ name: 'tests', passed: true, reason: ' ' }];
    const text = reviewFailedMarkdown(chainOf({ status: 'review' }), criteria, verdicts);
    expect(text).toMatch(/^## Gate Review INCOMPLETE\n/);
    expect(text).toContain('- **tests**: PASS without a reason, which is no verdict (each bug has a test)');
    expect(text).toContain('- **docs**: no verdict (they are right)');
    expect(text).toMatch(/gate_verdicts, a line for each/);
  });
});

test.for([
  ['passed', '## Verification PASSED\n\nralph-loop: `npm test` passes.'],
  [
    'skipped',
    '## Verification SKIPPED\n\nralph-loop: 1 step went unverified, the rest holds.\n\nDo not claim that all checks pass.',
  ],
  [
    'aborted',
    '## Verification ABORTED\n\nralph-loop: the typed gates were called off.\n\nDo not claim that all checks pass.',
  ],
] as const)('the end is told: %s', ([ended, text]) => {
  expect(endedMarkdown(chainOf({ unverified: [0] }), ended)).toBe(text);
});
