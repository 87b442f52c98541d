import type { GateOutcome, GateResult, RunResult } from '../gates/types.ts';
import { readTestCounts, recordTestCounts } from '../state/test-counts.ts';
import type { PreviousFailure } from './record-failure.ts';
import type { VerificationRequest } from './types.ts';

/**
 * Marks what earlier runs show about the results of this one: gates that are flaky, and gates that ran fewer tests.
 *
 * @param previous what failed at the loop's previous stop
 * @param signal of a run that is aborted records nothing
 */
export async function compareWithEarlier(
  request: VerificationRequest,
  result: RunResult,
  previous: PreviousFailure | undefined,
  signal: AbortSignal,
): Promise<RunResult> {
  const marked = withFlaky(result, previous);
  return marked.results.some(hasTests) ? withTestsBefore(request, marked, signal) : marked;
}

/** A gate that failed at the last stop, and passes although no file has changed, is flaky. */
function withFlaky(result: RunResult, previous: PreviousFailure | undefined): RunResult {
  if (!previous?.isTreeUnchanged) return result;
  const failed = new Set(
    previous.record.gates.filter(({ outcome }) => isOfItself(outcome)).map(({ name }) => name),
  );
  const isFlaky = ({ gate, outcome }: GateResult) => outcome.reason === 'passed' && failed.has(gate.name);
  return {
    ...result,
    results: result.results.map((each) => (isFlaky(each) ? { ...each, flaky: (each.flaky ?? 0) + 1 } : each)),
  };
}

/** A program that was missing, or a time that was up, says nothing about the gate. */
function isOfItself({ reason }: GateOutcome): boolean {
  return reason === 'failed' || reason === 'killed' || reason === 'timed-out';
}

/**
 * Compares the numbers of tests with those of the last pass, and records them when all gates have passed. A number that is
 * lower is recorded at a stop only, where a person reads about it: an agent that runs the gates itself does not make it
 * the one to compare with. Chains and agent runs record nothing.
 */
async function withTestsBefore(
  { root, failures: { covers, loop } }: VerificationRequest,
  result: RunResult,
  signal: AbortSignal,
): Promise<RunResult> {
  if (covers === 'own') return result;
  const before = readTestCounts(root);
  if (result.verdict === 'passed' && !signal.aborted) {
    const changed = result.results.filter(hasTests).flatMap(({ gate, tests }): [string, number][] => {
      const known = before.get(gate.name) ?? -1;
      return tests > known || (loop && tests < known) ? [[gate.name, tests]] : [];
    });
    if (changed.length > 0) await recordTestCounts(root, new Map(changed));
  }
  return {
    ...result,
    results: result.results.map((each) => {
      const testsBefore = before.get(each.gate.name);
      const isFewer = hasTests(each) && testsBefore !== undefined && each.tests * 2 < testsBefore;
      return isFewer ? { ...each, testsBefore } : each;
    }),
  };
}

/** Whether the number of tests of a result can be compared: that of a gate which failed early cannot. */
function hasTests(result: GateResult): result is GateResult & { readonly tests: number } {
  const { outcome, tests } = result;
  return tests !== undefined && (outcome.reason === 'passed' || outcome.reason === 'empty');
}
