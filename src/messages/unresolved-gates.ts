import type { GateResult, GateRunSummary } from '../gates/gate.ts';

/** The blocking gates that ran and did not pass, in the order they ran. */
export function unresolvedGates({ results }: GateRunSummary): GateResult[] {
  return results.filter(
    ({ gate, outcome }) => gate.blocking && outcome.reason !== 'passed' && outcome.reason !== 'skipped',
  );
}
