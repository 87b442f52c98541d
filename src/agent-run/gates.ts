import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { oneLine } from '../base/text.ts';
import { followOutput } from '../diagnostics/follow-output.ts';
import { gateSecrets, withoutSecrets } from '../gates/gate-secrets.ts';
import { logPathsIn } from '../gates/log-paths.ts';
import { runGates } from '../gates/run-gates.ts';
import type { CommandGate, GateResult } from '../gates/types.ts';
import { blockReason, gateLine } from '../messages/block-reason.ts';
import { TREE_VARIABLE, treeValue } from '../process/kill-orphans.ts';
import { type AgentRun, taskFileName } from '../state/agent-run.ts';
import { hasFailures, removeFailures } from '../state/failures.ts';
import { failuresPath, outputDirectory } from '../state/loop-location.ts';
import type { StopContext } from '../verification/context.ts';
import { lookBack, rememberFailedRun } from '../verification/look-back.ts';
import { type AgentRunPlan, readGates } from './plan.ts';

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
export function agentRunOutput(root: string, { task_id }: Pick<AgentRun, 'task_id'>): string {
  return join(outputDirectory(root), `promise-${taskFileName(task_id)}`);
}

/** Runs the project's gates on a promise, as they are configured now: the agent may have changed that too. */
export async function runPromiseGates(
  { root, taskFile, gates: planned }: Pick<AgentRunPlan, 'root' | 'taskFile' | 'gates'>,
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
  const missing = planned.filter((gate) => !read.gates.some((present) => isSameGate(gate, present)));
  if (missing.length > 0) return { results: [], failed: gatesChanged(missing, effects.env) };
  const gates = read.gates.map((gate) => withTreeId(loop.id, gate, effects.env));
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
    logPathOf: logPathsIn(join(agentRunOutput(root, loop), 'gates'), gates, gateSecrets(gates, effects.env)),
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
function withTreeId(id: string, gate: CommandGate, env: NodeJS.ProcessEnv): CommandGate {
  return { ...gate, env: { ...gate.env, [TREE_VARIABLE]: treeValue(id, env) } };
}

/** Whether a gate still asks for the same; how long it may take, and when it runs, is another matter. */
function isSameGate(one: CommandGate, other: CommandGate): boolean {
  const asked = ({ name, command, cwd, env, blocking }: CommandGate) => [name, command, cwd, env, blocking];
  return isDeepStrictEqual(asked(one), asked(other));
}

/** An agent that takes the gates away has not passed them; a person who means it stops the loop for a moment. */
function gatesChanged(missing: readonly CommandGate[], env: NodeJS.ProcessEnv): FailedGates {
  const secrets = gateSecrets(missing, env);
  const names = missing.map((gate) => oneLine(withoutSecrets(gate, secrets).name, 100)).join(', ');
  const headline = `gates were removed or changed since the loop began: ${names}`;
  const text = `The gates of the project are not what they were when this loop began. Removed or changed: ${names}. Put them back as they were: they are what your work is verified by.`;
  return { headline, text, key: headline };
}
