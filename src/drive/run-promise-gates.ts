import { join } from 'node:path';
import { blockReason, gateLine } from '../feedback/block-reason.ts';
import { followOutput } from '../feedback/follow-output.ts';
import type { GateResult } from '../gates/gate.ts';
import { gateSecrets } from '../gates/gate-secrets.ts';
import { logPathsIn } from '../gates/log-paths.ts';
import { runGates } from '../gates/run-gates.ts';
import { lookBack, rememberFailedRun } from '../look-back.ts';
import { forgetFailures, hasMemory } from '../loop/failure-file.ts';
import { memoryPath, outputDirectory } from '../loop/loop-location.ts';
import type { PromiseLoop } from '../loop/promise-loop.ts';
import { taskFileName } from '../loop/promise-loop-file.ts';
import type { StopEffects } from '../stop-effects.ts';
import { type LoopPlan, readGates } from './plan-loop.ts';

/** What the project's gates say of a promise. */
export interface PromiseGates {
  readonly results: readonly GateResult[];
  /** What the agent is to know of those that failed, or of a config that cannot be read; undefined where all passed. */
  readonly failed: FailedGates | undefined;
}

export interface FailedGates {
  /** For a line of the log. */
  readonly headline: string;
  readonly text: string;
  /** The same for the same failure. */
  readonly key: string;
}

/** The directory that a loop's files are kept in: prompts, outputs of its agents and of its gates. */
export function promiseOutput(root: string, { task_id }: Pick<PromiseLoop, 'task_id'>): string {
  return join(outputDirectory(root), `promise-${taskFileName(task_id)}`);
}

/** Runs the project's gates on a promise, as they are configured now: the agent may have changed that too. */
export async function runPromiseGates(
  { root, taskFile }: Pick<LoopPlan, 'root' | 'taskFile'>,
  loop: PromiseLoop,
  effects: StopEffects,
  onGate: (name: string) => void,
): Promise<PromiseGates> {
  const read = await readGates(root);
  if ('problems' in read) {
    const text = ['The config of the gates cannot be read:', ...read.problems].join('\n');
    return { results: [], failed: { headline: 'the config of the gates cannot be read', text, key: text } };
  }
  const { gates, failFast } = read;
  if (gates.length === 0) return { results: [], failed: undefined };
  const stop = {
    loop: {
      key: `promise:${loop.id}:${loop.stage}`,
      memoryPath: memoryPath(root, `promise-${taskFileName(loop.task_id)}`),
    },
    attempt: { iteration: loop.iteration, maxIterations: loop.max_iterations },
    root,
    resultsPath: taskFile?.path,
    effects,
  };
  const last = hasMemory(stop.loop.memoryPath) ? await lookBack(stop) : undefined;
  const output = followOutput();
  const summary = await runGates(gates, {
    ...effects,
    failFast,
    onEvent(event) {
      output.onEvent(event);
      if (event.type === 'started') onGate(event.gate.name);
    },
    // Loops that run at once have gates of the same names.
    logPathOf: logPathsIn(join(promiseOutput(root, loop), 'gates'), gates, gateSecrets(gates, effects.env)),
  });
  if (summary.verdict === 'passed') {
    forgetFailures(stop.loop.memoryPath);
    return { results: summary.results, failed: undefined };
  }
  const failed = await rememberFailedRun(summary, await output.findings(), last, stop);
  const key = failed.remembered.map(({ name, outcome, errors }) =>
    [name, outcome.reason, ...errors].join('\n'),
  );
  return {
    results: summary.results,
    failed: {
      headline: `Gates: ${gateLine(summary)}`,
      text: blockReason(summary, failed, 'when you promise again'),
      key: key.join('\n'),
    },
  };
}
