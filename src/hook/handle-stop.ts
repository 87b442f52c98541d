import { type ProjectConfig, readProject } from '../config/read-project.ts';
import { followOutput } from '../diagnostics/follow-output.ts';
import { planGates } from '../gates/plan.ts';
import { runGates } from '../gates/run-gates.ts';
import type { GateEvent, RunResult } from '../gates/types.ts';
import { type Answer, hasLastMessage, type StopEvent } from '../hosts/stop-event.ts';
import type { Attempt } from '../messages/reason-frame.ts';
import { countAttempt } from '../state/count-attempt.ts';
import { hasFailures, removeAllFailures, removeFailures } from '../state/failures.ts';
import { type LoopLocation, locateLoop, outputDirectory } from '../state/loop-location.ts';
import { unguardedReason } from '../state/policy.ts';
import type { StopContext } from '../verification/context.ts';
import { reportRun } from '../verification/report-run.ts';
import { decideStop } from './decide-stop.ts';
import type { GuardedStop } from './triage-stop.ts';

/** The answer to a stop, and what the execution log is to know of how it came about. */
export interface StopResult {
  readonly answer: Answer;
  /** Directory of the project whose log tells of it; undefined where it is the user's. */
  readonly root: string | undefined;
  readonly task?: string;
  readonly attempt?: Attempt;
  readonly summary?: RunResult | undefined;
  readonly notes?: readonly string[];
  /** The chain that let the stop go on to the project's own gates. */
  readonly chain?: StopResult;
}

const CANCELLED: Answer = {
  decision: 'allow',
  why: 'cancelled',
  toPerson: 'The loop was cancelled by hand: nothing was verified.',
};

/** The story of one stop that is guarded: is it ours, how often was it tried, do the gates hold now, what do we say. */
export async function handleStop(
  event: StopEvent,
  { project, task, only, anyAgent }: GuardedStop,
  effects: StopContext,
): Promise<StopResult> {
  const { root } = project;
  const read = await readProject(project, task);
  const config =
    only === undefined ? read : (await import('../config/only-gates.ts')).onlyGates(read, [only]);
  const notOurs = anyAgent ? undefined : unguardedReason(event, config.settings.agents);
  if (notOurs !== undefined) return { answer: { decision: 'ignore', why: notOurs }, root };
  if (config.gates.length === 0 && config.problems.length === 0)
    return { answer: { decision: 'allow', why: 'no-gates' }, root, notes: config.notes };
  // Ralph Gate knows no tasks: its loops are those of sessions.
  const loop = await locateLoop(root, project.gateConfig ? undefined : task, event);
  const { now, signal, deadline } = effects;
  const message = await messageOf(event, config);
  const attempt = await countAttempt(loop, event, config.settings, now(), {
    signal,
    waitMs: deadline.seconds * 500,
  });
  if (attempt.cancelled) {
    await attempt.reset();
    return { answer: CANCELLED, root, task: loop.key, attempt };
  }
  const stop = { loop, attempt, root, resultsPath: config.resultsPath, effects };
  const last = hasFailures(loop.failuresPath) ? await (await lookingBack()).lookBack(stop) : undefined;
  const output = followOutput();
  const summary =
    config.problems.length > 0
      ? undefined
      : await runProjectGates(config, root, message, output.onEvent, effects);
  const report =
    summary && config.resultsPath !== undefined ? reportRun(summary, config.resultsPath, effects) : undefined;
  const remember = async (failed: RunResult) =>
    (await lookingBack()).rememberFailedRun(failed, await output.findings(), last, stop);
  const answer = await decideStop({ summary, report, config, attempt, root, remember });
  if (answer.decision === 'allow' && !signal.aborted) await attempt.reset();
  else await attempt.keep();
  if (summary?.verdict === 'passed') forgetFailed(summary, loop, root);
  const notes = [...attempt.notes, ...config.problems, ...config.notes, ...(report?.notes ?? [])];
  return { answer, root, task: loop.key, attempt, summary, notes };
}

function runProjectGates(
  config: ProjectConfig,
  root: string,
  message: string,
  onEvent: (event: GateEvent) => void,
  { runCommand, env, deadline, signal }: StopContext,
): Promise<RunResult> {
  return runGates(planGates(config.gates), {
    runCommand,
    env,
    deadline,
    signal,
    failFast: config.settings.failFast,
    message,
    onEvent,
    logDirectory: outputDirectory(root),
  });
}

/** What the agent said last, where a gate asks for it. */
async function messageOf(event: StopEvent, { gates }: ProjectConfig): Promise<string> {
  if (!gates.some(({ kind }) => kind === 'marker') || hasLastMessage(event)) return event.message;
  return (await import('./read-last-message.ts')).readLastMessage(event);
}

/** Markers that were found say that this agent is done, and nothing of what other runs saw fail. */
function forgetFailed({ results }: RunResult, { failuresPath }: LoopLocation, root: string): void {
  if (results.some(({ gate }) => gate.kind === 'command')) removeAllFailures(root);
  else removeFailures(failuresPath);
}

/** Loaded for stops that failed, or that come after one. */
function lookingBack(): Promise<typeof import('../verification/look-back.ts')> {
  return import('../verification/look-back.ts');
}
