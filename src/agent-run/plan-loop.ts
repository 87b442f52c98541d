import { rootAround } from '../config/discover.ts';
import { DEFAULT_AGENT_RUN, type StageSettings, stageSettings } from '../config/settings.ts';
import type { CommandGate } from '../gates/types.ts';
import type { AgentRun, AgentRunOrder } from '../state/agent-run.ts';
import { readGates } from './read-gates.ts';
import { readPromiseSettings } from './read-promise-settings.ts';
import { readSpecification, specificationFor } from './read-specification.ts';
import type { AgentRunRules } from './rules.ts';
import { takesPromptOnStdin } from './run-agent.ts';
import { findTask, type TaskFile } from './task-file.ts';

/** Linux's `MAX_ARG_STRLEN`. */
const MAX_ARGUMENT_BYTES = 128 * 1024;
/** What is said around a specification at the most: the feedback is cut at a few thousand characters. */
const FRAME_BYTES = 16 * 1024;

/** What is to be driven, before anything is started. */
export interface WantedLoop {
  readonly task: string;
  readonly stages: readonly string[];
  readonly order: AgentRunOrder;
}

/** A loop as it will be driven: plain data. */
export interface LoopPlan extends WantedLoop {
  /** Absolute. */
  readonly root: string;
  readonly taskFile: TaskFile | undefined;
  /** The text of its file when it was planned. */
  readonly specification: string;
  /** The gates of the project when it was planned: a promise must stand these at least. */
  readonly gates: readonly CommandGate[];
  readonly rules: AgentRunRules;
  readonly stageSettings: readonly StageSettings[];
  readonly verifyPromises: boolean;
  readonly iterationTimeoutSeconds: number;
}

/**
 * Plans a loop by what the person, the config and the task say.
 *
 * @param cwd absolute; the command runs in the root of the project around it
 * @returns everything that is wrong, with what to do about it
 */
export async function planLoop(
  cwd: string,
  wanted: WantedLoop,
): Promise<LoopPlan | { readonly problems: readonly string[] }> {
  const root = rootAround(cwd) ?? cwd;
  const { promises, problems: wrongConfig } = await readPromiseSettings(cwd, root);
  if (wrongConfig.length > 0) return { problems: wrongConfig };
  const task = findTask(root, wanted.task);
  const taskFile = task && 'why' in task ? undefined : task;
  const stages = wanted.stages.map((agent) => stageSettings(agent, promises));
  const specification = readSpecification({ root, order: wanted.order, taskFile });
  const gates = await readGates(root);
  const plan: LoopPlan = {
    ...wanted,
    root,
    taskFile,
    specification: 'text' in specification ? specification.text : '',
    gates: 'gates' in gates ? gates.gates : [],
    rules: {
      stages,
      maxCostUsd: promises.maxCostUsd ?? Number.POSITIVE_INFINITY,
      maxStalled: promises.maxStalled,
    },
    stageSettings: stages,
    verifyPromises: promises.verifyPromises,
    iterationTimeoutSeconds: promises.iterationTimeoutSeconds,
  };
  const problems = [
    ...(task && 'why' in task ? [`${task.why}.`] : []),
    ...('why' in specification ? [specification.why] : []),
    ...('problems' in gates ? gates.problems : []),
  ];
  if (problems.length === 0) problems.push(...whatIsMissing(plan));
  return problems.length > 0 ? { problems } : plan;
}

function whatIsMissing(plan: LoopPlan): string[] {
  const { order, specification, gates, stageSettings: stages, verifyPromises } = plan;
  const commandless = stages.filter(({ command }) => order.command === null && command === undefined);
  const names = commandless.map(({ agent }) => agent).join(', ');
  const told = specificationFor(stages[0], specification);
  const needsGates = stages.some(({ agent }) => agent === 'qa') && verifyPromises;
  return [
    ...(names === ''
      ? []
      : [
          `There is no command for ${names}: put it behind --, as in: ralph-loop run … -- claude -p; or set "command" below "ralph:" in worktree.yaml.`,
        ]),
    ...(told === ''
      ? ['It is not said what the agent is to do: name a file with --prompt-file, which must not be empty.']
      : []),
    ...(isTooLong(told, plan)
      ? [
          'The specification is too long for an argument: leave {prompt} out of the command, and it comes on stdin.',
        ]
      : []),
    ...(needsGates && gates.length === 0
      ? [
          'The stage qa passes when every gate does, and this project has none: set "verify:" in worktree.yaml.',
        ]
      : []),
  ];
}

/** Whether a specification, with what is said around it, is longer than an argument can be that it is to stand in. */
function isTooLong(text: string, { order, stageSettings: stages }: LoopPlan): boolean {
  const commands = order.command === null ? stages.map(({ command = '' }) => command) : [order.command];
  return !commands.every(takesPromptOnStdin) && Buffer.byteLength(text) > MAX_ARGUMENT_BYTES - FRAME_BYTES;
}

/** The settings of the stage that a loop is at. */
export function stageOf(
  { stageSettings: stages }: LoopPlan,
  { stage }: Pick<AgentRun, 'stage'>,
): StageSettings {
  return stages.find(({ agent }) => agent === stage) ?? stageSettings(stage, DEFAULT_AGENT_RUN);
}
