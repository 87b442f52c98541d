import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeDirectory, realPathInside, reasonOf, writeFileAtomic } from '../base/files.ts';
import {
  markerOutcome,
  markerResult,
  type Settled,
  settledResult,
  verdictOf,
} from '../gates/known-results.ts';
import { gateSecrets, maskGate, needsChanges } from '../gates/plan.ts';
import { type RunReport, runReport } from '../gates/report.ts';
import type { Gate, GateResult, RunResult } from '../gates/types.ts';
import { makeSelfIgnored } from '../state/execution-log.ts';
import { hasFailures, removeAllFailures, removeFailures } from '../state/failures.ts';
import { ralphDirectory } from '../state/paths.ts';
import { endLeftoverTrees } from '../state/running-trees.ts';
import { compareWithEarlier } from './compare-with-earlier.ts';
import { gateKeys } from './gate-keys.ts';
import { recordLastRun } from './record-run.ts';
import { reusedResults } from './reuse.ts';
import type { RunPlan } from './run-here.ts';
import type { Joined } from './start-or-join.ts';
import type { RunContext, VerificationRequest, VerificationRun } from './types.ts';

/**
 * Runs gates once and records the results: outputs, results file, and what failed. Hook, `verify`, MCP, chains and agent
 * runs all call this function; they differ in what they count before it and decide after it.
 *
 * A run that is aborted records nothing: an earlier record is better than one of gates that were cut off.
 */
export async function runAndRecord(
  given: VerificationRequest,
  context: RunContext,
): Promise<VerificationRun> {
  const { failures, resultsPath } = given;
  const { signal, now } = context;
  const outputDirectory = makeOutputDirectory(given);
  await endLeftoverTrees(given.root);
  const affected = given.gates.some(needsChanges)
    ? await (await import('./affected.ts')).affectedGates(given, context)
    : undefined;
  const request = affected ? { ...given, gates: affected.gates } : given;
  const keys = await gateKeys(request, context, given.knownTree);
  // Compared before the gates run, because they may change files.
  const previous =
    failures.loop && hasFailures(failures.path)
      ? await (await import('./record-failure.ts')).previousFailure(request, keys, context)
      : undefined;
  const settled = new Map<Gate, Settled>([
    ...(await reusedResults(request, keys)),
    ...(affected?.settled ?? []),
    ...(await strictMarkers(request)),
  ]);
  const plan: RunPlan = planOf(request, { outputDirectory, settled, ...keys });
  const { result: evaluated, findings, running, notes: lost = [] } = await evaluate(plan, request, context);
  if (running)
    return { result: evaluated, findings, failed: undefined, report: undefined, notes: lost, running };
  const result = await compareWithEarlier(request, evaluated, previous, signal);
  const recorded = await recordLastRun(given, keys, result, context);
  const report = resultsPath === undefined ? undefined : runReport(result, now());
  const unwritten =
    report && resultsPath !== undefined && !signal.aborted ? writeReport(resultsPath, report, now()) : [];
  const notes = [...lost, ...unwritten];
  if (result.verdict === 'passed' && failures.covers !== 'some') {
    removeRecord(request, result);
    if (failures.covers === 'all') affected?.passed();
    return { result, findings, failed: undefined, report, recorded, notes };
  }
  const { recordFailure } = await import('./record-failure.ts');
  const failed = await recordFailure(request, { result, findings, previous }, context);
  return { result, findings, failed, report, recorded, notes };
}

/** Where every result is known, nothing is loaded that starts, follows or writes runs. */
async function evaluate(plan: RunPlan, request: VerificationRequest, context: RunContext): Promise<Joined> {
  const results = knownResults(plan, context.env);
  if (results) {
    for (const result of results) request.onEvent?.({ type: 'ended', result });
    return { result: { verdict: verdictOf(results), results, durationMs: 0 }, findings: new Map() };
  }
  const { startOrJoin } = await import('./start-or-join.ts');
  return startOrJoin(plan, request, context);
}

/** @returns undefined if a command has to run */
function knownResults(
  { gates, settled, message = '' }: RunPlan,
  env: NodeJS.ProcessEnv,
): GateResult[] | undefined {
  const secrets = gateSecrets(gates, env);
  const results = gates.flatMap((gate) => {
    const known = settled.get(gate);
    if (known) return settledResult(maskGate(gate, secrets), known);
    return gate.kind === 'marker' ? markerResult(gate, message) : [];
  });
  return results.length === gates.length ? results : undefined;
}

/** The results of the markers that count only where the agent states them. */
async function strictMarkers({ gates, message = '' }: VerificationRequest): Promise<[Gate, Settled][]> {
  const strict = gates.flatMap((gate) => (gate.kind === 'marker' && gate.strict ? gate : []));
  if (strict.length === 0) return [];
  const { statedMarkers } = await import('../gates/words/markers.ts');
  const stated = statedMarkers(
    message,
    strict.map(({ marker }) => marker),
  );
  return strict.map((gate) => [
    gate,
    { outcome: markerOutcome(stated.includes(gate.marker)), durationMs: 0 },
  ]);
}

function planOf(
  { root, gates, failFast, jobs, reuse, message, resultsPath, ignoredPath }: VerificationRequest,
  known: Pick<RunPlan, 'outputDirectory' | 'settled' | 'tree' | 'keys'>,
): RunPlan {
  return { root, gates, failFast, jobs, reuse, message, resultsPath, ignoredPath, ...known };
}

/** Markers alone show that this agent is done; they do not show that a recorded failure is fixed. */
function removeRecord({ root, failures }: VerificationRequest, { results }: RunResult): void {
  const hasCommand = results.some(({ gate }) => gate.kind === 'command');
  if (failures.covers === 'all' && hasCommand) removeAllFailures(root);
  else removeFailures(failures.path);
}

/** @returns undefined if a link leads out of the project. On a read-only disk the gates run without logs, too. */
function makeOutputDirectory({ root, outputDirectory }: VerificationRequest): string | undefined {
  try {
    realPathInside(root, outputDirectory);
  } catch {
    return undefined;
  }
  try {
    makeSelfIgnored(ralphDirectory(root));
  } catch {
    // The directory cannot be written.
  }
  return outputDirectory;
}

/** The file names that a config without `outputPath` gives. A run removes the files of earlier days. */
const DEFAULT_NAME = /^gate-results-\d+\.json$/;
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/**
 * Records in the results file of a gate config that no gate was run, because there is none or the config is broken: the
 * pass of an earlier run must not stay there. Returns what went wrong.
 *
 * @param path undefined if there is no such file
 */
export function recordNothingRun(path: string | undefined, now: Date): string[] {
  if (path === undefined) return [];
  return writeReport(path, runReport({ verdict: 'failed', results: [], durationMs: 0 }, now), now);
}

/** Writes the report of a gate config's run, whole or not at all. Returns what went wrong. */
export function writeReport(path: string, report: RunReport, now: Date): string[] {
  try {
    makeDirectory(dirname(path));
    writeFileAtomic(path, `${JSON.stringify(report, null, 2)}\n`);
  } catch (error) {
    return [`ralph-loop: the results file ${path} cannot be written: ${reasonOf(error)}`];
  }
  if (DEFAULT_NAME.test(basename(path))) removeOldFiles(dirname(path), now);
  return [];
}

/** Removes the default files of earlier days. A file or directory that cannot be read or removed stays. */
function removeOldFiles(directory: string, now: Date): void {
  try {
    for (const name of readdirSync(directory).filter((file) => DEFAULT_NAME.test(file))) {
      const path = join(directory, name);
      const writtenAt = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now.getTime();
      if (now.getTime() - writtenAt > MAX_AGE_MS) removeIfAllowed(path);
    }
  } catch {
    // The directory cannot be listed.
  }
}

function removeIfAllowed(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The file belongs to another user.
  }
}
