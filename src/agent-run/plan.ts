import { join, relative } from 'node:path';
import { isInside, readIfThere } from '../base/files.ts';
import { readCurrentTask } from '../config/current-task.ts';
import { findProject, readConfig } from '../config/find-project.ts';
import { problemsIn } from '../config/problems-in.ts';
import {
  PROMISE_DEFAULTS,
  type PromiseSettings,
  type StageSettings,
  stageSettings,
} from '../config/promise-settings.ts';
import { readProject } from '../config/read-project.ts';
import { rootAround } from '../config/root-around.ts';
import { sectionOf, sliceSections } from '../config/slice-sections.ts';
import { planGates } from '../gates/plan-gates.ts';
import type { CommandGate, Gate } from '../gates/types.ts';
import type { AgentRun, AgentRunOrder } from '../state/agent-run.ts';
import { renderPrompt } from './promise/prompt.ts';
import { takesPromptOnStdin } from './run-agent.ts';
import { findTask, type TaskFile } from './task-file.ts';
import type { AgentRunRules } from './transitions.ts';

/** Linux's `MAX_ARG_STRLEN`. */
const MAX_ARGUMENT_BYTES = 128 * 1024;
/** What is said around a specification at the most: the feedback is cut at a few thousand characters. */
const PROMPT_FRAME_BYTES = 16 * 1024;

/** What is to be driven, before anything is started. */
export interface AgentRunRequest {
  readonly task: string;
  readonly stages: readonly string[];
  readonly order: AgentRunOrder;
}

/** A loop as it will be driven: plain data. */
export interface AgentRunPlan extends AgentRunRequest {
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
export async function planAgentRun(
  cwd: string,
  wanted: AgentRunRequest,
): Promise<AgentRunPlan | { readonly problems: readonly string[] }> {
  const root = rootAround(cwd) ?? cwd;
  const { promises, problems: wrongConfig } = await readPromiseSettings(cwd, root);
  if (wrongConfig.length > 0) return { problems: wrongConfig };
  const task = findTask(root, wanted.task);
  const taskFile = task && 'why' in task ? undefined : task;
  const stages = wanted.stages.map((agent) => stageSettings(agent, promises));
  const specification = readSpecification({ root, order: wanted.order, taskFile });
  const gates = await readGates(root);
  const plan: AgentRunPlan = {
    ...wanted,
    root,
    taskFile,
    specification: 'text' in specification ? specification.text : '',
    gates: 'gates' in gates ? gates.gates : [],
    rules: {
      stages,
      maxCostUsd: promises.maxCostUsd ?? Number.POSITIVE_INFINITY,
      maxStalled: promises.maxStalled ?? PROMISE_DEFAULTS.maxStalled,
    },
    stageSettings: stages,
    verifyPromises: promises.verifyPromises ?? PROMISE_DEFAULTS.verifyPromises,
    iterationTimeoutSeconds: promises.iterationTimeoutSeconds ?? PROMISE_DEFAULTS.iterationTimeoutSeconds,
  };
  const problems = [
    ...(task && 'why' in task ? [`${task.why}.`] : []),
    ...('why' in specification ? [specification.why] : []),
    ...('problems' in gates ? gates.problems : []),
  ];
  if (problems.length === 0) problems.push(...missingParts(plan));
  return problems.length > 0 ? { problems } : plan;
}

function missingParts(plan: AgentRunPlan): string[] {
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
    ...(exceedsArgument(told, plan)
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
function exceedsArgument(text: string, { order, stageSettings: stages }: AgentRunPlan): boolean {
  const commands = order.command === null ? stages.map(({ command = '' }) => command) : [order.command];
  return (
    !commands.every(takesPromptOnStdin) && Buffer.byteLength(text) > MAX_ARGUMENT_BYTES - PROMPT_FRAME_BYTES
  );
}

/** The settings of the stage that a loop is at. */
export function currentStage(
  { stageSettings: stages }: AgentRunPlan,
  { stage }: Pick<AgentRun, 'stage'>,
): StageSettings {
  return stages.find(({ agent }) => agent === stage) ?? stageSettings(stage, { agents: {} });
}

/** What the agent of this iteration reads. */
export function currentPrompt(plan: AgentRunPlan, loop: AgentRun): string {
  return renderPrompt({
    taskId: loop.task_id,
    title: loop.title,
    stage: loop.stage,
    iteration: loop.iteration,
    maxIterations: loop.max_iterations,
    specification: specificationFor(currentStage(plan, loop), currentSpecification(plan)),
    promise: loop.completion_promise,
    feedback: loop.feedback,
  });
}

/** `ralph:` of the worktree.yaml; of `.specflow/config.yaml` where that sets nothing of promise loops. */
export async function readPromiseSettings(
  cwd: string,
  root: string,
): Promise<{ readonly promises: PromiseSettings; readonly problems: readonly string[] }> {
  const none = { agents: {} };
  const found = findProject(cwd, { needsRepository: false });
  const read = found.found ? await readProject(found.project, readCurrentTask(root)) : undefined;
  if (read && (read.problems.length > 0 || read.settings.promises))
    return { promises: read.settings.promises ?? none, problems: read.problems };
  const file = readConfig(join(root, '.specflow', 'config.yaml'));
  if (!file) return { promises: none, problems: [] };
  const section = sectionOf(sliceSections(file.text).sections, 'ralph');
  if (!section) return { promises: none, problems: [] };
  const { parseRalph } = await import('../config/parse-ralph.ts');
  const { settings, problems } = parseRalph(section, 'stand-alone');
  return { promises: settings.promises ?? none, problems: problemsIn(file, problems, root) };
}

/** Where it is said what is to be done. */
interface Source {
  /** Absolute. */
  readonly root: string;
  readonly order: AgentRunOrder;
  readonly taskFile: TaskFile | undefined;
}

/** Reads the file that says what is to be done. @returns an empty text where neither the person nor the task names one */
export function readSpecification({
  root,
  order,
  taskFile,
}: Source): { readonly text: string } | { readonly why: string } {
  const path = order.prompt_file ?? taskFile?.requirements;
  if (path === undefined || path === null) return { text: '' };
  const shown = isInside(root, path) ? relative(root, path) : path;
  try {
    const text = readIfThere(path);
    return text === undefined ? { why: `There is no file ${shown}.` } : { text };
  } catch (error) {
    return { why: `${shown} cannot be read: ${(error as Error).message}` };
  }
}

/** What the agent of a stage is told that it is to do. */
export function specificationFor(stage: Pick<StageSettings, 'prompt'> | undefined, text: string): string {
  return [stage?.prompt, text]
    .map((part) => part?.trim() ?? '')
    .filter((part) => part !== '')
    .join('\n\n');
}

/**
 * The file's text, read anew, so that it can be made clearer while the loop goes on; what was read at first where it is
 * gone, as after `git clean`, or was a pipe, which can be read only once.
 */
export function currentSpecification(plan: Source & { readonly specification: string }): string {
  const read = readSpecification(plan);
  return 'text' in read && read.text.trim() !== '' ? read.text : plan.specification;
}

/** The gates of the project that a promise must stand, in their order; markers are none of them. */
export async function readGates(
  root: string,
): Promise<
  | { readonly gates: readonly CommandGate[]; readonly failFast: boolean }
  | { readonly problems: readonly string[] }
> {
  const found = findProject(root, { needsRepository: false });
  if (!found.found) return { gates: [], failFast: true };
  const { gates, settings, problems } = await readProject(found.project, readCurrentTask(root));
  if (problems.length > 0) return { problems };
  return { gates: planGates(gates.filter(isCommandGate)).filter(isCommandGate), failFast: settings.failFast };
}

function isCommandGate(gate: Gate): gate is CommandGate {
  return gate.kind === 'command';
}
