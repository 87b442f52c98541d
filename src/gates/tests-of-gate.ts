import type { GateResult } from './types.ts';

/**
 * A result with the number of tests that ran, where the output says it. A command that passed and ran no test is `empty`,
 * unless its gate allows that. For one that failed, only that it found no test.
 */
export async function withTests(result: GateResult): Promise<GateResult> {
  const { gate, outcome, output } = result;
  const { reason } = outcome;
  if (output.head.length === 0 || (reason !== 'passed' && reason !== 'failed')) return result;
  const { foundNoTest, testsIn } = await import('../diagnostics/test-count.ts');
  if (reason === 'failed') return foundNoTest(output) ? { ...result, tests: 0 } : result;
  const tests = testsIn(output);
  if (tests === undefined) return result;
  const isEmpty = tests === 0 && !(gate.kind === 'command' && gate.allowEmpty);
  return { ...result, tests, ...(isEmpty && { outcome: { reason: 'empty' } }) };
}
