import { followOutput } from '../diagnostics/follow-output.ts';
import { runReport } from '../gates/report.ts';
import { runGates } from '../gates/run-gates.ts';
import type { RunResult } from '../gates/types.ts';
import { makeSelfIgnored } from '../state/execution-log.ts';
import { hasFailures, removeAllFailures, removeFailures } from '../state/failures.ts';
import { ralphDirectory } from '../state/paths.ts';
import { writeReport } from './results-file.ts';
import type { RunContext, VerificationRequest, VerificationRun } from './types.ts';

/**
 * Runs gates once and records the results: outputs, results file, and what failed. Hook, `verify`, MCP, chains and agent
 * runs all call this function; they differ in what they count before it and decide after it.
 *
 * A run that is aborted records nothing: an earlier record is better than one of gates that were cut off.
 */
export async function runAndRecord(
  request: VerificationRequest,
  context: RunContext,
): Promise<VerificationRun> {
  const { root, gates, failures, resultsPath } = request;
  const { signal, env, now } = context;
  makeRalphDirectory(root);
  // Compared before the gates run, because they may change files.
  const previous =
    failures.loop && hasFailures(failures.path)
      ? await (await import('./record-failure.ts')).previousFailure(request, context)
      : undefined;
  const output = followOutput(request.condensers);
  const result = await runGates(gates, {
    runCommand: context.runCommand,
    env,
    signal,
    deadline: context.deadline,
    failFast: request.failFast,
    message: request.message ?? '',
    logDirectory: request.outputDirectory,
    onEvent: (event) => {
      output.onEvent(event);
      request.onEvent?.(event);
    },
  });
  const findings = await output.findings();
  const report = resultsPath === undefined ? undefined : runReport(result, now());
  const notes =
    report && resultsPath !== undefined && !signal.aborted ? writeReport(resultsPath, report, now()) : [];
  if (result.verdict === 'passed' && failures.covers !== 'some') {
    removeRecord(request, result);
    return { result, findings, failed: undefined, report, notes };
  }
  const { recordFailure } = await import('./record-failure.ts');
  const failed = await recordFailure(request, { result, findings, previous }, context);
  return { result, findings, failed, report, notes };
}

/** Markers alone show that this agent is done; they do not show that a recorded failure is fixed. */
function removeRecord({ root, failures }: VerificationRequest, { results }: RunResult): void {
  const hasCommand = results.some(({ gate }) => gate.kind === 'command');
  if (failures.covers === 'all' && hasCommand) removeAllFailures(root);
  else removeFailures(failures.path);
}

/** On a read-only disk the gates run without logs. */
function makeRalphDirectory(root: string): void {
  try {
    makeSelfIgnored(ralphDirectory(root));
  } catch {
    // The directory cannot be written.
  }
}
