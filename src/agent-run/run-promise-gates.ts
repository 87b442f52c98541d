import { join } from 'node:path';
import { oneLine } from '../base/text.ts';
import { isWeaker } from '../config/command-gate.ts';
import { followOutput } from '../diagnostics/follow-output.ts';
import { gateSecrets, maskGate } from '../gates/plan.ts';
import { runGates } from '../gates/run-gates.ts';
import type { CommandGate, GateResult } from '../gates/types.ts';
import { blockReason, gateLine } from '../messages/agent.ts';
import { TREE_VARIABLE, treeValue } from '../process/process-group.ts';
import type { AgentRun } from '../state/agent-run.ts';
import { taskFileName } from '../state/agent-run-file.ts';
import { hasFailures, removeFailures } from '../state/failures.ts';
import { failuresPath, outputDirectory } from '../state/paths.ts';
import { lookBack, rememberFailedRun } from '../verification/look-back.ts';
import type { StopContext } from '../verification/types.ts';
import type { LoopPlan } from './plan-loop.ts';
import { readGates } from './read-gates.ts';

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
export function promiseOutput(root: string, { task_id }: Pick<AgentRun, 'task_id'>): string {
  return join(outputDirectory(root), `promise-${taskFileName(task_id)}`);
}

/** Runs the project's gates on a promise, as they are configured now: the agent may have changed that too. */
export async function runPromiseGates(
  { root, taskFile, gates: planned }: Pick<LoopPlan, 'root' | 'taskFile' | 'gates'>,
  loop: AgentRun,
  effects: StopContext,
  onGate: (name: string) => void,
): Promise<PromiseGates> {
  const read = await readGates(root);
  if ('problems' in read) {
    const text = ['The config of the gates cannot be read:', ...read.problems].join('\n');
    return { results: [], failed: { headline: 'the config of the gates cannot be read', text, key: text } };
  }
  const { failFast } = read;
  const missing = planned.filter((gate) => {
    const present = read.gates.find(({ name }) => name === gate.name);
    return !present || isWeaker(gate, present);
  });
  if (missing.length > 0) return { results: [], failed: notAsTheyWere(missing, effects.env) };
  const gates = read.gates.map((gate) => inTree(loop.id, gate, effects.env));
  if (gates.length === 0) return { results: [], failed: undefined };
  const stop = {
    loop: {
      key: `promise:${loop.id}:${loop.stage}`,
      failuresPath: failuresPath(root, `promise-${taskFileName(loop.task_id)}`),
    },
    attempt: { iteration: loop.iteration, maxIterations: loop.max_iterations },
    root,
    resultsPath: taskFile?.path,
    effects,
  };
  const last = hasFailures(stop.loop.failuresPath) ? await lookBack(stop) : undefined;
  const output = followOutput();
  const summary = await runGates(gates, {
    ...effects,
    failFast,
    onEvent(event) {
      output.onEvent(event);
      if (event.type === 'started') onGate(event.gate.name);
    },
    // Loops that run at once have gates of the same names.
    logDirectory: join(promiseOutput(root, loop), 'gates'),
  });
  if (summary.verdict === 'passed') {
    removeFailures(stop.loop.failuresPath);
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

/** What a gate leaves behind in a session of its own is ended with what the agent does. */
function inTree(id: string, gate: CommandGate, env: NodeJS.ProcessEnv): CommandGate {
  return { ...gate, env: { ...gate.env, [TREE_VARIABLE]: treeValue(id, env) } };
}

/** An agent that takes the gates away has not passed them; a person who means it stops the loop for a moment. */
function notAsTheyWere(missing: readonly CommandGate[], env: NodeJS.ProcessEnv): FailedGates {
  const secrets = gateSecrets(missing, env);
  const names = missing.map((gate) => oneLine(maskGate(gate, secrets).name, 100)).join(', ');
  const headline = `gates were removed or changed since the loop began: ${names}`;
  const text = `The gates of the project are not what they were when this loop began. Removed or changed: ${names}. Put them back as they were: they are what your work is verified by.`;
  return { headline, text, key: headline };
}
