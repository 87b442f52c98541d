import { followOutput } from '../diagnostics/follow-output.ts';
import type { Findings, GateCondensers, GateFindings } from '../diagnostics/output/condenser.ts';
import type { Settled } from '../gates/known-results.ts';
import { gateSecrets } from '../gates/plan.ts';
import { runGates } from '../gates/run-gates.ts';
import { jobCount } from '../gates/schedule.ts';
import type { Gate, GateEvent, GateResult, RunResult } from '../gates/types.ts';
import { HeapGrowth } from '../process/heap-growth.ts';
import { recordTree } from '../state/running-trees.ts';
import type { RunContext, VerificationRequest } from './types.ts';

/** What is known about a run before a gate runs: plain data, which another process can be given. */
export interface RunPlan
  extends Pick<
    VerificationRequest,
    'root' | 'gates' | 'failFast' | 'jobs' | 'reuse' | 'message' | 'resultsPath' | 'ignoredPath'
  > {
  /** Absolute directory of the gates' full outputs; undefined for none. */
  readonly outputDirectory: string | undefined;
  /** The results that are known without running the gate. */
  readonly settled: ReadonlyMap<Gate, Settled>;
  /** Fingerprint of the working tree; undefined without git. */
  readonly tree: string | undefined;
  /** Gates with the same key have the same result. */
  readonly keys: ReadonlyMap<Gate, string>;
}

/** The gates of a run, evaluated. */
export interface Evaluated {
  readonly result: RunResult;
  /** What was found in the outputs of the gates. */
  readonly findings: GateFindings;
}

interface Listeners {
  readonly condensers?: GateCondensers | undefined;
  readonly onEvent?: ((event: GateEvent) => void) | undefined;
  /** Called for each gate that ran, with what was found in its output. */
  readonly onEnded?: (result: GateResult, findings: Findings | undefined) => void;
}

/** For gates with retries only, which take longer. */
const FINGERPRINT_MS = 10_000;

/** What reads the reports of the gates; undefined if none has one. */
async function reportsOf(gates: readonly Gate[], root: string, env: NodeJS.ProcessEnv) {
  if (!gates.some((gate) => gate.kind === 'command' && gate.report !== undefined)) return undefined;
  const { GateReports } = await import('../diagnostics/reports/gate-reports.ts');
  return new GateReports(root, gateSecrets(gates, env));
}

/** Runs the gates in this process. */
export async function runHere(
  { root, gates, failFast, jobs: wantedJobs, message = '', outputDirectory, settled }: RunPlan,
  { condensers, onEvent, onEnded }: Listeners,
  { runCommand, env, signal, deadline }: Pick<RunContext, 'runCommand' | 'env' | 'signal' | 'deadline'>,
): Promise<Evaluated> {
  const tree = recordTree(root, env);
  const output = followOutput(condensers, await reportsOf(gates, root, env));
  const heap = new HeapGrowth();
  let reported = Promise.resolve();
  const report = async (result: GateResult) => onEnded?.(result, await output.findingsOf(result.gate));
  const jobs = await jobCount(wantedJobs);
  // Where all gates can start at once, their order decides nothing.
  const history =
    jobs > 1 && gates.length - settled.size > jobs
      ? (await import('../state/gate-history.ts')).readGateHistory(root)
      : undefined;
  const result = await runGates(gates, {
    runCommand,
    env: tree.env,
    signal,
    deadline,
    failFast,
    jobs,
    history,
    message,
    settled,
    review: output.review,
    treeNow: async () => {
      const { fingerprintTree } = await import('../checkpoint/fingerprint-tree.ts');
      return fingerprintTree(root, { env, signal, timeoutMs: FINGERPRINT_MS });
    },
    ...(outputDirectory !== undefined && { logDirectory: outputDirectory }),
    onEvent: (event) => {
      if (event.type === 'output') heap.read(event.bytes.length);
      output.onEvent(event);
      onEvent?.(event);
      if (event.type === 'ended') reported = reported.then(() => report(event.result));
    },
  });
  heap.end();
  tree.ended();
  await reported;
  return { result, findings: await output.findings() };
}
