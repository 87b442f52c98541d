import type { Settled } from '../gates/known-results.ts';
import type { Gate, RunResult } from '../gates/types.ts';
import { continueSeries, type Pass, readPasses, recordPasses } from '../state/passes.ts';
import { type GateKeys, gateKeys } from './gate-keys.ts';
import type { RunContext, VerificationRequest } from './types.ts';

/**
 * The results of the gates that need not run: they have passed with the same key.
 *
 * Where other gates have to run, they find what these have left in ignored files, such as a build. Then only a pass counts
 * since which no gate has run on other files.
 */
export async function reusedResults(
  { root, gates, reuse = true }: Pick<VerificationRequest, 'root' | 'gates' | 'reuse'>,
  { tree, keys }: GateKeys,
): Promise<Map<Gate, Settled>> {
  if (tree === undefined) return new Map();
  const passes = reuse ? await readPasses(root) : undefined;
  const found = [...keys].flatMap(([gate, key]) => {
    const pass = mayReuse(gate) ? passes?.get(key) : undefined;
    return pass ? [{ gate, pass }] : [];
  });
  const isRunning = found.length < gates.filter(({ kind }) => kind === 'command').length;
  const series = isRunning ? await continueSeries(root, tree) : undefined;
  const kept = isRunning ? found.filter(({ pass }) => pass.series === series) : found;
  return new Map(kept.map(({ gate, pass }) => [gate, settledBy(pass)]));
}

function mayReuse(gate: Gate): boolean {
  return gate.kind === 'command' && gate.reuse !== false;
}

function settledBy({ passedAt, durationMs, tests }: Pass): Settled {
  const known = tests === undefined ? {} : { tests };
  return { outcome: { reason: 'passed' }, durationMs, reused: passedAt, ...known };
}

/**
 * Records the gates that have passed, unless the tree has changed since the run began: a result belongs to the files that
 * it began with.
 */
export async function recordNewPasses(
  request: Pick<VerificationRequest, 'root' | 'gates' | 'reuse' | 'resultsPath' | 'ignoredPath'>,
  { tree, keys }: GateKeys,
  { results }: RunResult,
  context: RunContext,
): Promise<void> {
  // The gates of results have their secrets masked.
  const passed = request.gates.flatMap((gate, index) => {
    const [key, result] = [keys.get(gate), results[index]];
    return key !== undefined && result && isNewPass(result) && mayReuse(gate) ? [{ gate, key, result }] : [];
  });
  if (tree === undefined || passed.length === 0 || context.signal.aborted) return;
  const after = await gateKeys({ ...request, gates: passed.map(({ gate }) => gate) }, context);
  const passedAt = context.now().toISOString();
  const unchanged = passed.filter(({ gate, key }) => after.keys.get(gate) === key);
  await recordPasses(
    request.root,
    tree,
    new Map(
      unchanged.map(({ key, result: { durationMs, tests } }) => [
        key,
        { passedAt, durationMs: Math.round(durationMs), ...(tests !== undefined && { tests }) },
      ]),
    ),
  );
}

/** A pass that says the same about every run: not one after a failure, nor one in spite of known failures. */
function isNewPass({ outcome, reused, flaky, known }: RunResult['results'][number]): boolean {
  return outcome.reason === 'passed' && reused === undefined && !flaky && !known;
}
