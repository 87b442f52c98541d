import type { GateCondensers, GateFindings } from '../diagnostics/condenser.ts';
import { gateSecrets } from '../gates/gate-secrets.ts';
import { logPathsIn } from '../gates/log-paths.ts';
import { runGates } from '../gates/run-gates.ts';
import type { GateEvent, RunResult } from '../gates/types.ts';
import { makeSelfIgnored } from '../state/execution-log.ts';
import { readFailures, removeAllFailures, removeFailures, writeFailures } from '../state/failures.ts';
import { failuresPath, outputDirectory, ralphDirectory } from '../state/loop-location.ts';
import type { StopContext } from './context.ts';
import type { Verification } from './plan-verification.ts';
import { rememberGates } from './remember-gates.ts';
import { reportRun } from './report-run.ts';

export interface VerificationOptions extends Pick<StopContext, 'runCommand' | 'env' | 'now' | 'signal'> {
  readonly failFast: boolean;
  /** They have read what the gates printed when an event is told. */
  readonly condensers: GateCondensers;
  readonly onEvent?: ((event: GateEvent) => void) | undefined;
}

/** How a verification ended, and what went wrong in writing it down. */
export interface VerificationRun {
  readonly summary: RunResult;
  readonly notes: readonly string[];
}

/** Runs the gates that were planned, and leaves their results and failures where people look for them. */
export async function runVerification(
  { root, plan, settings, resultsPath, ofSome }: Verification,
  { runCommand, env, now, signal, failFast, condensers, onEvent }: VerificationOptions,
): Promise<VerificationRun> {
  ignoreInGit(root);
  const summary = await runGates(plan, {
    runCommand,
    env,
    failFast: failFast && settings.failFast,
    logPathOf: logPathsIn(outputDirectory(root), plan, gateSecrets(plan, env)),
    signal,
    onEvent: (event) => {
      condensers.take(event);
      onEvent?.(event);
    },
  });
  const notes = resultsPath === undefined ? [] : reportRun(summary, resultsPath, { now, signal }).notes;
  if (!signal.aborted) rememberRun(summary, condensers.findings(), root, { ofSome });
  return { summary, notes };
}

/** The gates' output lies in a directory that git is told to pass over; on a read-only disk there is none. */
function ignoreInGit(root: string): void {
  try {
    makeSelfIgnored(ralphDirectory(root));
  } catch {
    // The gates run all the same, without logs.
  }
}

/** For `why`. A run of some gates says nothing of the others: what is known of them stays. */
function rememberRun(
  summary: RunResult,
  findings: GateFindings,
  root: string,
  { ofSome }: Pick<Verification, 'ofSome'>,
): void {
  const path = failuresPath(root, 'verify');
  const known = ofSome ? (readFailures(path)?.gates ?? []) : [];
  const others = known.filter(({ name }) => !summary.results.some(({ gate }) => gate.name === name));
  const run = { iteration: null, time: new Date() };
  const gates = [...rememberGates(summary, findings, [], run), ...others];
  if (gates.length > 0) writeFailures(path, { task: null, iteration: null, tree: null, gates });
  else if (ofSome) removeFailures(path);
  else removeAllFailures(root);
}
