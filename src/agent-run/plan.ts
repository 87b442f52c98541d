import { join, relative } from 'node:path';
import { isInside, readIfThere } from '../base/files.ts';
import { failure, type Result, success } from '../base/result.ts';
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
import type { CommandGate } from '../gates/types.ts';
import type { AgentRun, AgentRunOrder } from '../state/agent-run.ts';
import { renderPrompt } from './promise/prompt.ts';
import { takesPromptOnStdin } from './run-agent.ts';
import { findTask, type TaskFile } from './task-file.ts';
import type { AgentRunRules } from './transitions.ts';

/** Linux's `MAX_ARG_STRLEN`. */
const MAX_ARGUMENT_BYTES = 128 * 1024;
/** What a prompt adds to the specification at most: the feedback is limited to a few thousand characters. */
const PROMPT_FRAME_BYTES = 16 * 1024;

/** What the command line, or the saved run that is resumed, asks for. */
export interface AgentRunRequest {
  readonly task: string;
  /** The agents, in the order in which they run. */
  readonly stages: readonly string[];
  readonly order: AgentRunOrder;
}

interface PlannedRules extends AgentRunRules {
  readonly stages: readonly StageSettings[];
}

/** Everything that an agent run needs to know before it starts. Plain data. */
export interface AgentRunPlan extends AgentRunRequest {
  /** Absolute. */
  readonly root: string;
  readonly taskFile: TaskFile | undefined;
  /** The text of the specification when the run was planned. */
  readonly specification: string;
  /** The gates of the project when the run was planned. A promise must pass at least these. */
  readonly gates: readonly CommandGate[];
  readonly rules: PlannedRules;
  readonly verifyPromises: boolean;
  readonly iterationTimeoutSeconds: number;
}

/**
 * Plans an agent run from the request, the config and the task.
 *
 * @param cwd absolute; the agent runs in the root of the project around it
 * @returns every problem when the run cannot start
 */
export async function planAgentRun(
  cwd: string,
  request: AgentRunRequest,
): Promise<Result<AgentRunPlan, readonly string[]>> {
  const root = rootAround(cwd) ?? cwd;
  const settings = await readPromiseSettings(cwd, root);
  if (!settings.ok) return settings;
  const promises = settings.value;
  const task = findTask(root, request.task);
  const taskFile = task.ok ? task.value : undefined;
  const specification = readSpecification({ root, order: request.order, taskFile });
  const project = await readGates(root);
  const problems = [
    ...(task.ok ? [] : [task.failure.message]),
    ...(specification.ok ? [] : [specification.failure.message]),
    ...(project.ok ? [] : project.failure),
  ];
  const plan: AgentRunPlan = {
    ...request,
    root,
    taskFile,
    specification: specification.ok ? specification.value : '',
    gates: project.ok ? project.value.gates : [],
    rules: {
      stages: request.stages.map((agent) => stageSettings(agent, promises)),
      maxCostUsd: promises.maxCostUsd ?? Number.POSITIVE_INFINITY,
      maxStalled: promises.maxStalled ?? PROMISE_DEFAULTS.maxStalled,
    },
    verifyPromises: promises.verifyPromises ?? PROMISE_DEFAULTS.verifyPromises,
    iterationTimeoutSeconds: promises.iterationTimeoutSeconds ?? PROMISE_DEFAULTS.iterationTimeoutSeconds,
  };
  if (problems.length === 0) problems.push(...missingParts(plan));
  return problems.length > 0 ? { ok: false, failure: problems } : success(plan);
}

function missingParts({ order, specification, gates, rules, verifyPromises }: AgentRunPlan): string[] {
  const { stages } = rules;
  const withoutCommand = stages.filter(({ command }) => order.command === null && command === undefined);
  const text = specificationFor(stages[0], specification);
  const commands = order.command === null ? stages.map(({ command = '' }) => command) : [order.command];
  const isTooLong =
    !commands.every(takesPromptOnStdin) && Buffer.byteLength(text) > MAX_ARGUMENT_BYTES - PROMPT_FRAME_BYTES;
  const needsGates = verifyPromises && stages.some(({ agent }) => agent === 'qa');
  const problems: string[] = [];
  if (withoutCommand.length > 0) {
    const names = withoutCommand.map(({ agent }) => agent).join(', ');
    problems.push(
      `No command for ${names}: add it after --, as in: ralph-loop run … -- claude -p; or set "command" below "ralph:" in worktree.yaml.`,
    );
  }
  if (text === '')
    problems.push(
      'Missing --prompt-file: name a file that says what the agent should do; it must not be empty.',
    );
  if (isTooLong)
    problems.push(
      'The specification is too long for an argument: leave {prompt} out of the command, and the agent reads it on stdin.',
    );
  if (needsGates && gates.length === 0)
    problems.push(
      'The stage qa passes when every gate passes, and this project has no gates: set "verify:" in worktree.yaml.',
    );
  return problems;
}

/** Returns the settings of the stage that a run is at. */
export function currentStage({ rules }: AgentRunPlan, { stage }: Pick<AgentRun, 'stage'>): StageSettings {
  return rules.stages.find(({ agent }) => agent === stage) ?? stageSettings(stage, { agents: {} });
}

/** Returns the prompt of the run's current iteration. */
export function currentPrompt(plan: AgentRunPlan, run: AgentRun): string {
  return renderPrompt({
    taskId: run.task_id,
    title: run.title,
    stage: run.stage,
    iteration: run.iteration,
    maxIterations: run.max_iterations,
    specification: specificationFor(currentStage(plan, run), currentSpecification(plan)),
    promise: run.completion_promise,
    feedback: run.feedback,
  });
}

/** Reads `ralph:` of the worktree.yaml, or of `.specflow/config.yaml` if that of the worktree.yaml has no promise settings. */
async function readPromiseSettings(
  cwd: string,
  root: string,
): Promise<Result<PromiseSettings, readonly string[]>> {
  const none = success({ agents: {} });
  const found = findProject(cwd, { needsRepository: false });
  if (found.found) {
    const { problems, settings } = await readProject(found.project, readCurrentTask(root));
    if (problems.length > 0) return { ok: false, failure: problems };
    if (settings.promises) return success(settings.promises);
  }
  const file = readConfig(join(root, '.specflow', 'config.yaml'));
  const section = file && sectionOf(sliceSections(file.text).sections, 'ralph');
  if (!section) return none;
  const { parseRalph } = await import('../config/parse-ralph.ts');
  const { settings, problems } = parseRalph(section, 'stand-alone');
  if (problems.length > 0) return { ok: false, failure: problemsIn(file, problems, root) };
  return settings.promises ? success(settings.promises) : none;
}

type SpecificationSource = Pick<AgentRunPlan, 'root' | 'order' | 'taskFile'>;

/** Returns the text of the specification, which is empty when neither the order nor the task names a file. */
function readSpecification({ root, order, taskFile }: SpecificationSource): Result<string> {
  const path = order.prompt_file ?? taskFile?.requirements;
  if (path === undefined || path === null) return success('');
  const shown = isInside(root, path) ? relative(root, path) : path;
  try {
    const text = readIfThere(path);
    return text === undefined ? failure(`There is no file ${shown}.`) : success(text);
  } catch (error) {
    return failure(`${shown} cannot be read: ${(error as Error).message}`);
  }
}

/**
 * Reads the specification again, so that a person can improve it while the run continues. Returns the text that was
 * planned when the file is gone, as after `git clean`, or was a pipe, which can be read only once.
 */
function currentSpecification(plan: AgentRunPlan): string {
  const text = readSpecification(plan);
  return text.ok && text.value.trim() !== '' ? text.value : plan.specification;
}

function specificationFor(stage: StageSettings | undefined, text: string): string {
  return [stage?.prompt, text]
    .map((part) => part?.trim() ?? '')
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Returns the command gates of a project, in the order in which they run. A promise must pass all of them. */
export async function readGates(
  root: string,
): Promise<
  Result<{ readonly gates: readonly CommandGate[]; readonly failFast: boolean }, readonly string[]>
> {
  const found = findProject(root, { needsRepository: false });
  if (!found.found) return success({ gates: [], failFast: true });
  const { gates, settings, problems } = await readProject(found.project, readCurrentTask(root));
  if (problems.length > 0) return { ok: false, failure: problems };
  const planned = planGates(gates).filter((gate) => gate.kind === 'command');
  return success({ gates: planned, failFast: settings.failFast });
}
