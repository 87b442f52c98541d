import { describe, expect, test } from 'vitest';
import type { GateResult } from '../../../src/gates/types.ts';
import { escalatedMarkdown, failedMarkdown } from '../../../src/messages/failure-markdown.ts';
import type { Chain, CommandReport } from '../../../src/state/chain.ts';
import { chainOf, step } from '../../helpers/chain.ts';
import { findingsOf } from '../../helpers/condensed.ts';
import { OUTCOMES, printed, resultOf, summaryOf } from '../../helpers/gate-results.ts';
import { verifyGate } from '../../helpers/typed-prompt.ts';

const ROOT = '/the/project';
const commandEnd = (fields: Partial<CommandReport> = {}): CommandReport => ({
  command: 'npm test',
  passed: false,
  exitCode: 1,
  stdout: '',
  stderr: '',
  durationMs: 7,
  timedOut: false,
  ...fields,
});

/** What is said of a run at the second attempt. */
function failedBy(...results: GateResult[]): string {
  const chain = chainOf({ status: 'failed', attempts: 2, results: [commandEnd()] });
  const run = { root: ROOT, findings: findingsOf(results), remembered: [], untouched: false };
  return failedMarkdown(chain, summaryOf(...results), {
    ...run,
    attempt: { iteration: 2, maxIterations: 5 },
  });
}

test('a failure in full', () => {
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

Repair the cause, not the gate. Then call prompt_engine with chain_id "k3x9-7f2a" and user_response; all of it is verified again then.`);
});

test.for([
  [OUTCOMES.failed, '1'],
  [{ reason: 'failed', exitCode: 137 }, '137 (128 + 9: killed by SIGKILL)'],
  [OUTCOMES['not-found'], '127: a program it calls was not found'],
  [OUTCOMES['not-executable'], '126: a program it calls is not executable'],
  [OUTCOMES.killed, 'none, it was killed by SIGKILL'],
  [OUTCOMES['timed-out'], 'none, it timed out: it was still running after 120 s and was ended'],
  [OUTCOMES['not-started'], 'none, it could not be started: spawn EACCES'],
] as const)('the exit code is told, or why there is none: %j', ([outcome, told]) => {
  expect(failedBy(resultOf('npm test', outcome))).toContain(`\n**Exit Code**: ${told}\n`);
});

describe('a failure', () => {
  test('of several commands tells how the others are', () => {
    const text = failedBy(
      resultOf('a', 'passed', { durationMs: 2100 }),
      resultOf('b', 'failed', { durationMs: 8000 }),
      resultOf('c', 'skipped'),
    );
    expect(text).toContain(
      '**Command**: `b`\n**Exit Code**: 1\n**Gates**: a ✓ 2.1 s · b ✗ 8 s · c – not run\n',
    );
  });

  test('that the code is not to blame for tells what helps', () => {
    expect(failedBy(resultOf('a', 'not-found'))).toMatch(/\n\nA program that it calls is not installed here/);
  });

  test('that printed nothing says so', () => {
    expect(failedBy(resultOf('a', 'failed'))).toContain('\n```\nIt printed nothing.\n```\n');
  });

  test('is never longer than a host takes', () => {
    const output = printed(`${'error: '.padEnd(100, 'x')}\n`.repeat(1000));
    expect(failedBy(resultOf('x'.repeat(10_000), 'failed', { output })).length).toBeLessThanOrEqual(6000);
  });

  test('stands in marks of its own, whatever is printed', () => {
    const text = failedBy(resultOf('echo `a`', 'failed', { output: printed('```\nfoo\n````\n') }));
    expect(text).toContain('**Command**: `` echo `a` ``\n');
    expect(text).toContain('\n`````\n```\nfoo\n````\n`````\n');
  });
});

describe('what is escalated', () => {
  const escalated = (fields: Partial<Chain>) =>
    escalatedMarkdown(chainOf({ status: 'escalated', attempts: 5, ...fields }));

  test('is told in full, with the three ways out', () => {
    expect(
      escalated({ results: [commandEnd({ stdout: 'out\n', stderr: 'err\n' })] }),
    ).toBe(`## Shell Verification FAILED - Maximum Attempts Reached

**Command**: \`npm test\`
**Attempts**: 5/5
**Exit Code**: 1

### Recent Output

\`\`\`
out
err
\`\`\`

Nothing is run any more until one of these is chosen. Ask the person which, then call prompt_engine with chain_id "k3x9-7f2a" and gate_action:
- \`retry\`: count the attempts anew, and go on with the work
- \`skip\`: go on without this verification; the step counts as unverified
- \`abort\`: call the whole chain off`);
  });

  test.for([
    [{ exitCode: null, timedOut: true }, 'none, it timed out'],
    [{ exitCode: null }, 'none'],
    [{ exitCode: 0, passed: false }, '0'],
  ] as const)('has an exit code, or none: %j', ([fields, told]) => {
    expect(escalated({ results: [commandEnd(fields)] })).toContain(`\n**Exit Code**: ${told}\n`);
  });

  test('counts the attempts of the command that failed, and none that was broken off', () => {
    const steps = [step('x', verifyGate('a'), verifyGate('b', { maxAttempts: 3 }))];
    const results = [commandEnd({ command: 'a', passed: true }), commandEnd({ command: 'b' })];
    expect(escalated({ steps, results, attempts: 4 })).toContain('**Command**: `b`\n**Attempts**: 3/3\n');
  });

  test('shows the last lines, and no more of them than anyone reads', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n');
    const text = escalated({ results: [commandEnd({ stdout: `${lines}\n` })] });
    expect(text).toContain('\n```\nline 70\n');
    expect(text).toContain('\nline 99\n```\n');
    expect(escalated({ results: [commandEnd({ stdout: '🎉'.repeat(5000) })] }).isWellFormed()).toBe(true);
    expect(escalated({ results: [commandEnd({ stdout: 'x'.repeat(9000) })] }).length).toBeLessThan(4000);
  });

  test('may be a review', () => {
    const text = escalated({ reviews: 5, results: [commandEnd({ passed: true, exitCode: 0 })] });
    expect(text).toMatch(
      /^## Gate Review FAILED - Maximum Attempts Reached\n\n\*\*Reviews\*\*: 5\n\nNothing is run/,
    );
  });
});
