import type { GateFindings } from '../feedback/gate-condensers.ts';
import { rememberGates } from '../feedback/remember-gates.ts';
import type { GateRunSummary } from '../gates/gate.ts';
import { forgetAllFailures, forgetFailures, recallFailures, rememberFailures } from '../loop/failure-file.ts';
import { memoryPath } from '../loop/loop-location.ts';

/** For `why`. A run of some gates says nothing of the others: what is known of them stays. */
export function rememberRun(
  summary: GateRunSummary,
  findings: GateFindings,
  root: string,
  { ofSome }: { readonly ofSome: boolean },
): void {
  const path = memoryPath(root, 'verify');
  const known = ofSome ? (recallFailures(path)?.gates ?? []) : [];
  const others = known.filter(({ name }) => !summary.results.some(({ gate }) => gate.name === name));
  const run = { iteration: null, time: new Date() };
  const gates = [...rememberGates(summary, findings, [], run), ...others];
  if (gates.length > 0) rememberFailures(path, { task: null, iteration: null, tree: null, gates });
  else if (ofSome) forgetFailures(path);
  else forgetAllFailures(root);
}
