import { jsonText } from '../../base/text.ts';
import { uptimeMs } from '../../base/time.ts';
import { GateCondensers } from '../../diagnostics/output/condenser.ts';
import { environmentOfGates, isStartedByGateOf } from '../../gates/nesting.ts';
import { gateSecrets, maskGate, needsChanges } from '../../gates/plan.ts';
import { userShell } from '../../gates/run-gates.ts';
import { RunningGates } from '../../gates/running-gates.ts';
import { jobCount } from '../../gates/schedule.ts';
import {
  type Gate,
  type GateEvent,
  type GateOutcome,
  holds,
  type RunningGate,
  type RunResult,
} from '../../gates/types.ts';
import { fixedLines } from '../../messages/known-failures.ts';
import type { Paint } from '../../messages/paint.ts';
import {
  failureDetails,
  gateName,
  interruptedText,
  nestedText,
  planLines,
  resultLine,
  summaryLine,
  waitAgainText,
} from '../../messages/results.ts';
import { testNotes } from '../../messages/tests.ts';
import type { OutputStream } from '../../process/output.ts';
import { runCommand } from '../../process/run-command.ts';
import { secretsIn } from '../../process/secrets/environment.ts';
import { maskTexts } from '../../process/secrets/masker.ts';
import { usualDurations } from '../../state/usual-durations.ts';
import { planVerification } from '../../verification/plan.ts';
import { recordNothingRun, runAndRecord } from '../../verification/run-and-record.ts';
import { gateAsJson, NOTHING_RUN, runAsJson } from '../../verification/run-as-json.ts';
import type { RunContext, VerificationRequest } from '../../verification/types.ts';
import {
  EXIT,
  fail,
  LiveOutput,
  liveLine,
  onInterrupt,
  print,
  stdoutColumns,
  stdoutPaint,
  warn,
} from '../terminal.ts';
import type { CiOptions, CiRun } from './verify-ci.ts';

interface VerifyOptions extends CiOptions {
  /** Names of the gates to run; empty: all gates. */
  readonly only: readonly string[];
  readonly dryRun?: boolean;
  readonly verbose?: boolean;
  /** Print only what failed. */
  readonly quiet?: boolean;
  readonly failFast: boolean;
  /** Run all gates, also those that have passed with the same files. */
  readonly force?: boolean;
  readonly json?: boolean;
  /** Path of a gate config. */
  readonly config?: string | undefined;
  /** `wait`: join the run of the same files, for at most so many seconds, and let it go on after that. */
  readonly waitSeconds?: number;
  /** `ralph-gate`: use a gate config only; without one there is nothing to run, which is no failure. */
  readonly gatesOnly?: boolean;
  /** Compare with a base, and use nothing that this machine knows of earlier runs. */
  readonly ci?: boolean;
}

/**
 * `ralph-loop verify`: runs the gates of the project now. It does not change the state of a loop.
 *
 * @returns the exit code: 0 passed, 1 failed, 2 usage or configuration error, 124 still running, 130 interrupted
 */
export async function verify(options: VerifyOptions): Promise<number> {
  const { gatesOnly = false, config: named, only, failFast, force, json = false } = options;
  const planned = await planVerification(process.cwd(), { only, named, gatesOnly, failFast, force });
  if (!planned.ok) {
    const { problems, isProject, resultsPath } = planned.failure;
    const notes = options.dryRun ? [] : recordNothingRun(resultsPath, new Date());
    const exitCode = refuse([...problems, ...notes], json);
    return !isProject && gatesOnly && only.length === 0 ? EXIT.ok : exitCode;
  }
  const { request, config, nothing } = planned.value;
  if (options.dryRun) {
    print(await planText(request, json));
    return EXIT.ok;
  }
  const opened = options.ci
    ? await (await import('./verify-ci.ts')).openCiRun(planned.value, options)
    : undefined;
  if (opened && !opened.ok) return refuse([opened.failure.message], json);
  const ci = opened?.value;
  if (nothing !== undefined && (ci?.request ?? request).gates.length === 0) {
    const notes = recordNothingRun(request.resultsPath, new Date());
    if (notes.length > 0) warn(notes);
    // A change may have removed every gate.
    if (ci) return reportNothing(nothing, ci, json);
    print(json ? jsonText(NOTHING_RUN) : nothing);
    return EXIT.ok;
  }
  if (isStartedByGateOf(request.root, process.env))
    return refuse([nestedText(gatesOnly ? 'ralph-gate' : 'ralph-loop verify', config)], json);
  const isWait = options.waitSeconds !== undefined;
  return run({ ...(ci?.request ?? request), isWait, mayGoOn: isWait }, options, ci);
}

function reportNothing(nothing: string, ci: CiRun, json: boolean): number {
  ci.begin(json);
  if (!json) print(nothing);
  return ci.report({ verdict: 'passed', results: [], durationMs: 0 }, new Map(), json);
}

/** Reports problems where people and programs look for them: on stderr, or with `--json` on stdout. */
function refuse(problems: readonly string[], json: boolean): number {
  if (!json) return fail(problems, EXIT.usage);
  const masked = maskTexts(problems, secretsIn(process.env));
  print(jsonText({ verdict: 'refused', problems: masked }));
  return EXIT.usage;
}

async function run(
  request: VerificationRequest,
  { json = false, verbose = false, quiet = false, waitSeconds }: VerifyOptions,
  ci: CiRun | undefined,
): Promise<number> {
  const { gates: plan, root } = request;
  const interrupted = new AbortController();
  onInterrupt((signal) => interrupted.abort(signal));
  // The reader of a pipe may leave before the gates are done, as `head` does.
  process.stdout.on('error', () => interrupted.abort());
  ci?.begin(json);
  const paint = stdoutPaint();
  const secrets = gateSecrets(plan, process.env);
  const nameWidth = Math.max(...plan.map((gate) => gateName(maskGate(gate, secrets)).length));
  const condensers = new GateCondensers();
  const prefixed = plan.length > 1 && (await jobCount(request.jobs)) > 1;
  const progress = json
    ? undefined
    : showProgress(process.stdout, { nameWidth, paint, condensers, verbose, prefixed, quiet });
  const {
    result: summary,
    findings,
    recorded,
    notes,
    running,
  } = await runAndRecord(
    { ...request, condensers, onEvent: progress?.onEvent },
    {
      runCommand,
      env: environmentOfGates(root, process.env),
      now: () => new Date(),
      signal: interrupted.signal,
      ...(waitSeconds !== undefined && waiting(waitSeconds)),
    },
  );
  progress?.stop();
  if (running && !interrupted.signal.aborted) return reportRunning(running, summary, root, json);
  if (notes.length > 0) warn(notes);
  if (ci && recorded) await ci.record(recorded);
  if (ci && json && !interrupted.signal.aborted) return ci.report(summary, findings, json);
  if (json) print(jsonText(runAsJson(summary, root)));
  else if (!quiet || summary.verdict !== 'passed')
    print([
      '',
      ...(interrupted.signal.aborted
        ? [paint('red', interruptedText(running !== undefined))]
        : [summaryLine(summary, paint, new Date()), ...fixedLines(summary)]),
      ...testNotes(summary).map((note) => paint('yellow', note)),
    ]);
  if (interrupted.signal.aborted) return EXIT.interrupted;
  if (ci) return ci.report(summary, findings, json);
  return summary.verdict === 'passed' ? EXIT.ok : EXIT.failed;
}

/** A process of its own has the run, so that it goes on when the time is up. */
function waiting(seconds: number): Pick<RunContext, 'deadline' | 'loadRunner'> {
  return {
    deadline: { seconds, atMs: uptimeMs() + seconds * 1000 },
    loadRunner: async () => (await import('../../verification/runner.ts')).startRunner,
  };
}

function reportRunning(
  gates: readonly RunningGate[],
  summary: RunResult,
  root: string,
  json = false,
): number {
  print(json ? jsonText(runAsJson(summary, root)) : ['', waitAgainText(gates, usualDurations(root))]);
  return EXIT.stillRunning;
}

interface ProgressOptions {
  readonly nameWidth: number;
  readonly paint: Paint;
  /** They have read the output of a gate when its end is reported. */
  readonly condensers: GateCondensers;
  /** Stream the output of the gates. */
  readonly verbose: boolean;
  /** Gates run at the same time: their names are before the lines of their output. */
  readonly prefixed: boolean;
  /** Show only gates that fail. */
  readonly quiet: boolean;
}

/** Shows the gates as they run: in a terminal with a live line, else with one line at the start and one at the end. */
function showProgress(
  out: NodeJS.WriteStream,
  { nameWidth, paint, condensers, verbose, prefixed, quiet }: ProgressOptions,
): { readonly onEvent: (event: GateEvent) => void; readonly stop: () => void } {
  const live = verbose || quiet ? undefined : liveLine(out, paint);
  const running = new RunningGates();
  const outputs = new Map<Gate, Record<OutputStream, LiveOutput>>();
  const onEvent = (event: GateEvent) => {
    running.take(event);
    switch (event.type) {
      case 'started': {
        if (quiet) return;
        const name = gateName(event.gate);
        if (!live) print(paint('dim', `▸ ${name}`));
        if (!verbose) break;
        const prefix = prefixed ? paint('dim', `${name.padEnd(nameWidth)} | `) : undefined;
        outputs.set(event.gate, { stdout: new LiveOutput(prefix), stderr: new LiveOutput(prefix) });
        break;
      }
      case 'output':
        if (verbose) out.write(outputs.get(event.gate)?.[event.stream].write(event.bytes) ?? '');
        return;
      case 'ended': {
        live?.stop();
        const { result } = event;
        const output = outputs.get(result.gate);
        if (output) out.write(output.stdout.end() + output.stderr.end());
        outputs.delete(result.gate);
        if (quiet && (holds(result.outcome) || result.outcome.reason === 'skipped')) return;
        const details = verbose
          ? []
          : failureDetails(result, condensers.findingsOf(result.gate), process.cwd(), paint, stdoutColumns());
        print([resultLine(result, nameWidth, paint, new Date()), ...details]);
      }
    }
    if (running.since !== undefined) live?.start(running.names, running.since);
  };
  // A gate that still runs has no end.
  return { onEvent, stop: () => live?.stop() };
}

/** The gates of a dry run, as text or as JSON. */
async function planText({ gates: plan, root, jobs }: VerificationRequest, json: boolean): Promise<string> {
  const masked = maskTexts(plan, gateSecrets(plan, process.env));
  const outcomes = plan.some(needsChanges) ? await outcomesWithoutRun(plan, root) : [];
  if (json) return jsonText(masked.map((gate, index) => gateAsJson(gate, outcomes[index])));
  const lines = planLines(masked, root, await jobCount(jobs), outcomes);
  return [...(await shellLine(plan)), ...lines].join('\n') || 'No gate would run.';
}

/** The outcomes of the gates that would not run, in the place of each gate. */
async function outcomesWithoutRun(plan: readonly Gate[], root: string): Promise<(GateOutcome | undefined)[]> {
  const { lookAtChanges } = await import('../../verification/affected.ts');
  const { settled } = await lookAtChanges(root, plan, { env: process.env });
  return plan.map((gate) => settled.get(gate)?.outcome);
}

/** The shell in which the gates of a gate config run. */
async function shellLine(plan: readonly Gate[]): Promise<string[]> {
  if (!plan.some((gate) => gate.kind === 'command' && gate.inUserShell)) return [];
  const shell = await userShell(process.env, runCommand);
  return [shell.ok ? `Shell: ${shell.value}` : shell.failure.message];
}
