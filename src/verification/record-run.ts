import { relative } from 'node:path';
import { commitOf } from '../checkpoint/fingerprint-tree.ts';
import type { GateResult, RunResult } from '../gates/types.ts';
import { loggedGate } from '../state/execution-log.ts';
import { type RecordedRun, recordRun } from '../state/last-run.ts';
import { type GateKeys, gateKeys, treeOf } from './gate-keys.ts';
import type { RunContext, VerificationRequest } from './types.ts';

const GIT_MS = 5000;

/**
 * Records a run for receipts.
 *
 * @param given the gates as the config has them: with their changed files they would be others at the next change
 * @param keys those at the beginning of the run
 * @returns undefined if nothing is recorded: without git, for a pass of some gates, and for an aborted run
 */
export async function recordLastRun(
  given: VerificationRequest,
  keys: GateKeys,
  result: RunResult,
  context: RunContext,
): Promise<RecordedRun | undefined> {
  const { root, gates, receipt, resultsPath, ignoredPath } = given;
  const except = resultsPath ?? ignoredPath;
  if (receipt === undefined || keys.tree === undefined || context.signal.aborted) return undefined;
  const isPart = receipt === 'some';
  if (isPart && result.verdict === 'passed') return undefined;
  const own = gates.every((gate) => gate.kind === 'marker' || keys.keys.has(gate))
    ? keys
    : await gateKeys(given, context, keys.tree);
  const after = result.results.some(hasRun) ? await treeOf(given, context) : keys.tree;
  const { env, signal } = context;
  const run: RecordedRun = {
    at: context.now().toISOString(),
    commit: (await commitOf(root, { env, signal, timeoutMs: GIT_MS })).trim() || null,
    tree: after === keys.tree ? keys.tree : null,
    except: except === undefined ? null : relative(root, except),
    verdict: result.verdict,
    isPart,
    gates: result.results.map((each, index) => {
      const gate = gates[index];
      return {
        ...loggedGate(each),
        blocking: each.gate.blocking,
        key: (gate && own.keys.get(gate)) ?? null,
      };
    }),
    findings: null,
    escalated: null,
  };
  await recordRun(root, run);
  return run;
}

function hasRun({ gate, outcome, reused }: GateResult): boolean {
  return gate.kind === 'command' && reused === undefined && outcome.reason !== 'unaffected';
}
