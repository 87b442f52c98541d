import { join } from 'node:path';
import { oneLine } from '../base/text.ts';
import { isWeaker } from '../config/command-gate.ts';
import { environmentOfGates } from '../gates/nesting.ts';
import { gateSecrets, maskGate } from '../gates/plan.ts';
import { RunningGates } from '../gates/running-gates.ts';
import type { CommandGate, GateResult } from '../gates/types.ts';
import { blockReason, gateLine } from '../messages/agent.ts';
import { TREE_VARIABLE, treeValue } from '../process/process-group.ts';
import { type AgentRun, agentRunFailures, agentRunOutput } from '../state/agent-run.ts';
import { runAndRecord } from '../verification/run-and-record.ts';
import type { RunContext } from '../verification/types.ts';
import { type AgentRunPlan, readGates } from './plan.ts';

/** The gates that verified a promise. */
interface PromiseGates {
  readonly results: readonly GateResult[];
  /** Undefined when all gates passed. Set without results when the config is invalid, or gates were removed. */
  readonly failed: FailedGates | undefined;
}

export interface FailedGates {
  /** For a line of the log. */
  readonly summary: string;
  /** For the agent's next prompt. */
  readonly feedback: string;
  /** Identifies the failure: equal texts are the same failure. */
  readonly key: string;
}

/** Runs the project's gates, as they are configured now, to verify a promise. The agent may have changed the config. */
export async function runPromiseGates(
  { root, taskFile, gates: planned }: Pick<AgentRunPlan, 'root' | 'taskFile' | 'gates'>,
  run: AgentRun,
  context: RunContext,
  onGates: (names: readonly string[]) => void,
): Promise<PromiseGates> {
  const project = await readGates(root);
  if (!project.ok) return { results: [], failed: invalidConfig(project.failure) };
  const removed = planned.filter((gate) => {
    const present = project.value.gates.find(({ name }) => name === gate.name);
    return !present || isWeaker(gate, present);
  });
  if (removed.length > 0) return { results: [], failed: gatesChanged(removed, context.env) };
  const { gates, failFast, jobs, reuse } = project.value;
  if (gates.length === 0) return { results: [], failed: undefined };
  const running = new RunningGates();
  const { result, failed } = await runAndRecord(
    {
      root,
      gates,
      failFast,
      jobs,
      reuse,
      // Each run has its own directory: concurrent runs have gates with the same names.
      outputDirectory: join(agentRunOutput(root, run.task_id), 'gates'),
      failures: {
        path: agentRunFailures(root, run.task_id),
        loop: {
          key: `promise:${run.id}:${run.stage}`,
          attempt: { iteration: run.iteration, maxIterations: run.max_iterations },
        },
        covers: 'own',
      },
      ignoredPath: taskFile?.path,
      onEvent: (event) => {
        running.take(event);
        if (event.type !== 'output' && running.names.length > 0) onGates(running.names);
      },
    },
    { ...context, env: promiseEnvironment(root, run, context.env) },
  );
  if (!failed) return { results: result.results, failed: undefined };
  const key = failed.remembered.map(({ name, outcome, errors }) =>
    [name, outcome.reason, ...errors].join('\n'),
  );
  return {
    results: result.results,
    failed: {
      summary: `Gates: ${gateLine(result)}`,
      feedback: blockReason(result, failed, 'when you promise again'),
      key: key.join('\n'),
    },
  };
}

/** Marks the processes of the gates, so that they can be found when the run is cancelled after its process was killed. */
function promiseEnvironment(root: string, { id }: AgentRun, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return environmentOfGates(root, { ...env, [TREE_VARIABLE]: treeValue(id, env) });
}

function invalidConfig(problems: readonly string[]): FailedGates {
  const feedback = ['The config of the gates is invalid:', ...problems].join('\n');
  return { summary: 'the config of the gates is invalid', feedback, key: feedback };
}

/** An agent that removes gates has not passed them. A person who wants to change the gates interrupts the run first. */
function gatesChanged(removed: readonly CommandGate[], env: NodeJS.ProcessEnv): FailedGates {
  const secrets = gateSecrets(removed, env);
  const names = removed.map((gate) => oneLine(maskGate(gate, secrets).name, 100)).join(', ');
  const summary = `gates were removed or changed since the run started: ${names}`;
  const feedback = `The gates of the project have changed since this run started. Removed or changed: ${names}. Restore them: they verify your work.`;
  return { summary, feedback, key: summary };
}
