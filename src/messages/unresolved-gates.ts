import type { GateResult, RunResult } from '../gates/types.ts';

/** The blocking gates that ran and did not pass, in the order they ran. */
export function unresolvedGates({ results }: RunResult): GateResult[] {
  return results.filter(
    ({ gate, outcome }) => gate.blocking && outcome.reason !== 'passed' && outcome.reason !== 'skipped',
  );
}
