import { describe, expect, test } from 'vitest';
import type { GateResult } from '../../../src/gates/types.ts';
import {
  endedMarkdown,
  escalatedMarkdown,
  failedMarkdown,
  nextStepMarkdown,
  reviewFailedMarkdown,
  reviewMarkdown,
  stepMarkdown,
} from '../../../src/messages/mcp.ts';
import type { Chain } from '../../../src/state/chain.ts';
import { rememberGates } from '../../../src/verification/record-failure.ts';
import { chainOf, commandReport, step } from '../../helpers/chain.ts';
import { findingsOf } from '../../helpers/condensed.ts';
import { OUTCOMES, printed, resultOf, summaryOf } from '../../helpers/gate-results.ts';
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

test('a step shows its task, the call that follows, and its gates', () => {
  const gate = verifyGate('npm test', { maxAttempts: 1, timeoutSeconds: 60, workingDir: './app' });
  const chain = chainOf({ steps: [{ ...step('Do it\n\nwell', gate), criteria }] });

  expect(stepMarkdown(chain)).toBe(`Do it

well

---
When this is done, call prompt_engine with chain_id "k3x9-7f2a" and a user_response that says what you did. Then this is verified:
- \`npm test\` in ./app exits with 0 (1 attempt, 60 s each)
- review: each bug has a test
- review: they are right
Do not weaken a check to make it pass.`);
});

test('a step without gates says so', () => {
  const text = stepMarkdown(chainOf({ steps: [step('Plan it'), step('Do it', verifyGate('a'))] }));
  expect(text).toMatch(/what you did\. This step has no gates: the next one follows\.$/);
});

test('a step of several has a heading with its number', () => {
  expect(stepMarkdown(two)).toMatch(/^## Step 2 of 2\n\nTest it\n/);
});

test.for([
  ['passed', 'Step 1 of 2 passed.'],
  ['skipped', 'Step 1 of 2 was skipped. It counts as unverified: do not claim that its checks pass.'],
] as const)('the next step follows the result of the one before it: %s', ([ended, result]) => {
  expect(nextStepMarkdown(two, ended)).toBe(`${result}\n\n${stepMarkdown(two)}`);
});

describe('a review', () => {
  test('lists the criteria and the form of the verdicts', () => {
    expect(reviewMarkdown(chainOf(), reviewed)).toBe(`## Gate Review

The commands pass. Review your work honestly against each criterion, and fix what does not meet it:
- **tests**: each bug has a test
- **docs**: they are right

Then call prompt_engine with chain_id "k3x9-7f2a" and gate_verdicts, one line for each criterion, with the reason on the same line:
GATE tests: PASS - <reason>   (or FAIL - <reason>)
GATE docs: PASS - <reason>   (or FAIL - <reason>)`);
  });

  test('does not mention commands if the step has none', () => {
    expect(reviewMarkdown(chainOf(), { ...reviewed, verify: [] })).toMatch(/\n\nReview your work /);
  });

  test('that fails shows the verdicts and asks for a fix', () => {
    const verdicts = [
      { name: 'tests', passed: true, reason: 'two\nof them' },
      { name: 'docs', passed: false, reason: 'old' },
    ];
    expect(
      reviewFailedMarkdown(chainOf({ status: 'failed' }), criteria, verdicts),
    ).toBe(`## Gate Review FAILED

- **tests**: PASS (self-reviewed) - two of them (each bug has a test)
- **docs**: FAIL - old (they are right)

Fix what does not meet its criterion. Then call prompt_engine with chain_id "k3x9-7f2a" and user_response; the commands run again, followed by another review.`);
  });

  test('without a verdict for each criterion is requested again', () => {
    const verdicts = [{ name: 'tests', passed: true, reason: ' ' }];
    const text = reviewFailedMarkdown(chainOf({ status: 'review' }), criteria, verdicts);
    expect(text).toMatch(/^## Gate Review INCOMPLETE\n/);
    expect(text).toContain('- **tests**: PASS without a reason, which does not count (each bug has a test)');
    expect(text).toContain('- **docs**: no verdict (they are right)');
    expect(text).toMatch(/gate_verdicts, one line for each/);
  });
});

test.for([
  ['passed', '## Verification PASSED\n\nralph-loop: `npm test` passed.'],
  [
    'skipped',
    '## Verification SKIPPED\n\nralph-loop: 1 step unverified, all others passed.\n\nDo not claim that all checks pass.',
  ],
  [
    'aborted',
    '## Verification ABORTED\n\nralph-loop: the typed gates were aborted.\n\nDo not claim that all checks pass.',
  ],
] as const)('the end of a chain has a heading and its result: %s', ([ended, text]) => {
  expect(endedMarkdown(chainOf({ unverified: [0] }), ended)).toBe(text);
});

const ROOT = '/the/project';
/** The answer to a failed run at the second attempt. */
function failedBy(...results: GateResult[]): string {
  const chain = chainOf({ status: 'failed', attempts: 2, results: [commandReport()] });
  const run = { root: ROOT, findings: findingsOf(results), remembered: [], earlier: [], untouched: false };
  return failedMarkdown(chain, summaryOf(...results), {
    ...run,
    attempt: { iteration: 2, maxIterations: 5 },
  });
}

test('an attempt that ran no test shows its exit code, and what to do', () => {
  const text = failedBy(resultOf('npm test', 'empty', { tests: 0 }));

  expect(text).toContain('\n**Exit Code**: 0, but it ran no test\n');
  expect(text).toContain('It shows nothing without a test.');
});

test('a failed attempt shows the command, its exit code, its output and the call that follows', () => {
  const output = printed('1 of 3 failed\n', { logPath: `${ROOT}/.trellis/.ralph/output/npm-test.log` });

  expect(
    failedBy(resultOf('npm test', 'failed', { output })),
  ).toBe(`## Shell Verification FAILED (Attempt 2/5)

**Command**: \`npm test\`
**Exit Code**: 1

### Error Output

\`\`\`
1 of 3 failed
\`\`\`
Full output: .trellis/.ralph/output/npm-test.log

Fix the cause, not the gate. Then call prompt_engine with chain_id "k3x9-7f2a" and user_response; all gates run again.`);
});

test.for([
  [OUTCOMES.failed, '1'],
  [{ reason: 'failed', exitCode: 137 }, '137 (128 + 9: killed by SIGKILL)'],
  [OUTCOMES['not-found'], '127: a program it calls was not found'],
  [OUTCOMES['not-executable'], '126: a program it calls is not executable'],
  [OUTCOMES.killed, 'none, it was killed by SIGKILL'],
  [OUTCOMES['timed-out'], 'none, it timed out: it was still running after 120 s and was ended'],
  [OUTCOMES['not-started'], 'none, it could not be started: spawn EACCES'],
] as const)('a failed attempt shows the exit code, or why there is none: %j', ([outcome, shown]) => {
  expect(failedBy(resultOf('npm test', outcome))).toContain(`\n**Exit Code**: ${shown}\n`);
});

test('an attempt that failed as an earlier one says so, and shows what remains', () => {
  const output = printed('✗ adds\n  Error: a\n    Expected: 4\n    Received: 3\n  12 | the code\n');
  const result = resultOf('npm test', 'failed', { output });
  const findings = findingsOf([result]);
  const [gate] = rememberGates(summaryOf(result), findings, [], { iteration: 1, time: new Date(0) });
  const run = { root: ROOT, findings, remembered: gate ? [gate] : [], earlier: [], untouched: false };
  const attempt = { iteration: 2, maxIterations: 5 };

  expect(failedMarkdown(chainOf({ attempts: 2 }), summaryOf(result), { ...run, attempt })).toContain(
    `### Error Output

\`\`\`
✗ adds
  Error: a
    Expected: 4
    Received: 3
\`\`\`

Unchanged since attempt 1: your changes since then did not fix the cause.
`,
  );
});

describe('a failed attempt', () => {
  test('of several commands shows the results of all', () => {
    const text = failedBy(
      resultOf('a', 'passed', { durationMs: 2100 }),
      resultOf('b', 'failed', { durationMs: 8000 }),
      resultOf('c', 'skipped'),
    );
    expect(text).toContain(
      '**Command**: `b`\n**Exit Code**: 1\n**Gates**: a ✓ 2.1 s · b ✗ 8 s · c – not run\n',
    );
  });

  test('shows advice if the code is not at fault', () => {
    expect(failedBy(resultOf('a', 'not-found'))).toMatch(/\n\nA program that it calls is not installed here/);
  });

  test('without output says so', () => {
    expect(failedBy(resultOf('a', 'failed'))).toContain('\n```\nIt printed nothing.\n```\n');
  });

  test('is at most 6000 characters long', () => {
    const output = printed(`${'error: '.padEnd(100, 'x')}\n`.repeat(1000));
    expect(failedBy(resultOf('x'.repeat(10_000), 'failed', { output })).length).toBeLessThanOrEqual(6000);
  });

  test('quotes output and commands that contain backticks', () => {
    const text = failedBy(resultOf('echo `a`', 'failed', { output: printed('```\nfoo\n````\n') }));
    expect(text).toContain('**Command**: `` echo `a` ``\n');
    expect(text).toContain('\n`````\n```\nfoo\n````\n`````\n');
  });
});

describe('an escalated chain', () => {
  const escalated = (fields: Partial<Chain>) =>
    escalatedMarkdown(chainOf({ status: 'escalated', attempts: 5, ...fields }));

  test('shows the last failure and the three actions', () => {
    expect(
      escalated({ results: [commandReport({ stdout: 'out\n', stderr: 'err\n' })] }),
    ).toBe(`## Shell Verification FAILED - Maximum Attempts Reached

**Command**: \`npm test\`
**Attempts**: 5/5
**Exit Code**: 1

### Recent Output

\`\`\`
out
err
\`\`\`

No gate runs until one of these is chosen. Ask the user which, then call prompt_engine with chain_id "k3x9-7f2a" and gate_action:
- \`retry\`: reset the attempts and continue the work
- \`skip\`: continue without this verification; the step counts as unverified
- \`abort\`: cancel the whole chain`);
  });

  test.for([
    [{ exitCode: null, timedOut: true }, 'none, it timed out'],
    [{ exitCode: null }, 'none'],
    [{ exitCode: 2 }, '2'],
    [{ exitCode: 0, passed: false }, '0, but it ran no test'],
  ] as const)('shows the exit code, or that there is none: %j', ([fields, shown]) => {
    expect(escalated({ results: [commandReport(fields)] })).toContain(`\n**Exit Code**: ${shown}\n`);
  });

  test('shows the attempts of the command that failed, without an interrupted one', () => {
    const steps = [step('x', verifyGate('a'), verifyGate('b', { maxAttempts: 3 }))];
    const results = [commandReport({ command: 'a', passed: true }), commandReport({ command: 'b' })];
    expect(escalated({ steps, results, attempts: 4 })).toContain('**Command**: `b`\n**Attempts**: 3/3\n');
  });

  test('shows the last 30 lines of the output', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n');
    const text = escalated({ results: [commandReport({ stdout: `${lines}\n` })] });
    expect(text).toContain('\n```\nline 70\n');
    expect(text).toContain('\nline 99\n```\n');
    expect(escalated({ results: [commandReport({ stdout: '🎉'.repeat(5000) })] }).isWellFormed()).toBe(true);
    expect(escalated({ results: [commandReport({ stdout: 'x'.repeat(9000) })] }).length).toBeLessThan(4000);
  });

  test('shows the number of reviews if the review failed', () => {
    const text = escalated({ reviews: 5, results: [commandReport({ passed: true, exitCode: 0 })] });
    expect(text).toMatch(
      /^## Gate Review FAILED - Maximum Attempts Reached\n\n\*\*Reviews\*\*: 5\n\nNo gate runs/,
    );
  });
});
