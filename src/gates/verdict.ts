import type { GateResult, Verdict } from './types.ts';

/** What the results say together. Gates that do not block have no say. */
export function verdictOf(results: readonly GateResult[]): Verdict {
  const reasons = results.filter(({ gate }) => gate.blocking).map(({ outcome }) => outcome.reason);
  const unfinished = ['skipped', 'out-of-time', 'interrupted'];
  if (reasons.some((reason) => reason !== 'passed' && !unfinished.includes(reason))) return 'failed';
  return reasons.every((reason) => reason === 'passed') ? 'passed' : 'incomplete';
}
