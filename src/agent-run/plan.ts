import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isInside, readFileIfExists, reasonOf, upwards } from '../base/files.ts';
import { failure, type Result, success } from '../base/result.ts';
import { uptimeMs } from '../base/time.ts';
import {
  findProject,
  type ProjectFiles,
  readConfig,
  readCurrentTask,
  repositoryAround,
  rootAround,
} from '../config/discover.ts';
import { type ProjectConfig, readProject } from '../config/load.ts';
import {
  type AgentRunSettings,
  DEFAULT_AGENT_RUN,
  defaultSettings,
  type Settings,
  STAGE_DEFAULTS,
  type StageSettings,
  stageSettings,
} from '../config/settings.ts';
import { didYouMean, problemsIn } from '../config/validate.ts';
import { parseRalph, sliceSections } from '../config/worktree.ts';
import { planGates } from '../gates/plan.ts';
import type { CommandGate } from '../gates/types.ts';
import { asSet } from '../integrity/find.ts';
import type { Finding } from '../integrity/types.ts';
import type { AgentRun, AgentRunOrder } from '../state/agent-run.ts';
import { judgeConfig, readRecordedConfig } from '../verification/protected-gates.ts';
import {
  copyOutside,
  isAsRecorded,
  type ProjectRecord,
  recordProject,
} from '../verification/session-record.ts';
import { recordBase, type TreeBase } from '../verification/tree-base.ts';
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
  /** The specification, typed or saved; used when the order names no file, or its file is gone. */
  readonly prompt?: string | undefined;
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
  /** What judged the project then; undefined without a config. */
  readonly record: ProjectRecord | undefined;
  /** The files then, which later ones are compared with; undefined outside of git. */
  readonly base: TreeBase | undefined;
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
  const settings = await readAgentRunSettings(cwd, root);
  if (!settings.ok) return settings;
  const { maxCostUsd, maxStalled, verifyPromises, iterationTimeoutSeconds } = settings.value;
  const task = findTask(root, request.task);
  const taskFile = task.ok ? task.value : undefined;
  const specification = readSpecification(root, request, taskFile);
  const project = await readGates(root);
  const problems = [
    ...misspeltStages(request.stages, settings.value),
    ...(task.ok ? [] : [task.failure.message]),
    ...(specification.ok ? [] : [specification.failure.message]),
    ...(project.ok ? [] : project.failure),
  ];
  const plan: AgentRunPlan = {
    ...request,
    order: { ...request.order, prompt_file: specification.ok ? specification.value.file : null },
    root,
    taskFile,
    specification: specification.ok ? specification.value.text : '',
    gates: project.ok ? project.value.gates : [],
    record: recordNow(root),
    base: await baseNow(root),
    rules: {
      stages: request.stages.map((agent) => stageSettings(agent, settings.value)),
      maxCostUsd: maxCostUsd ?? Number.POSITIVE_INFINITY,
      maxStalled,
    },
    verifyPromises,
    iterationTimeoutSeconds,
  };
  if (problems.length === 0) problems.push(...missingParts(plan));
  return problems.length > 0 ? { ok: false, failure: problems } : success(plan);
}

/** A stage may have any name, but one that is nearly that of a known stage is a typo, unless the config has it. */
function misspeltStages(stages: readonly string[], { agents }: AgentRunSettings): string[] {
  const known = [...Object.keys(STAGE_DEFAULTS), ...Object.keys(agents)];
  return stages.flatMap((stage) => {
    const suggestion = known.includes(stage) ? '' : didYouMean(stage, known);
    if (suggestion === '') return [];
    return [
      `Unknown stage "${stage}"${suggestion} To use this name, add it below "ralph:" in worktree.yaml, as in: ${stage}: { max_iterations: 5 }.`,
    ];
  });
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
      'Missing --prompt or --prompt-file: give the text that says what the agent should do, or name a file that contains it; it must not be empty.',
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
  return rules.stages.find(({ agent }) => agent === stage) ?? stageSettings(stage, DEFAULT_AGENT_RUN);
}

/** Returns the prompt of the run's current iteration. */
export function currentPrompt(plan: AgentRunPlan, run: AgentRun): string {
  return renderPrompt({
    taskId: run.task_id,
    title: run.title,
    stage: run.stage,
    iteration: run.iteration,
    maxIterations: run.max_iterations,
    isRepository: upwards(plan.root).some((directory) => existsSync(join(directory, '.git'))),
    specification: specificationFor(currentStage(plan, run), currentSpecification(plan)),
    promise: run.completion_promise,
    feedback: run.feedback,
  });
}

/** Reads `ralph:` of the worktree.yaml, or of `.specflow/config.yaml` if the worktree.yaml has no settings for agents. */
async function readAgentRunSettings(
  cwd: string,
  root: string,
): Promise<Result<AgentRunSettings, readonly string[]>> {
  const found = findProject(cwd, { needsRepository: false });
  if (found.ok) {
    const { problems, settings } = await readProject(found.value, readCurrentTask(root));
    if (problems.length > 0) return { ok: false, failure: problems };
    if (settings.agentRun) return success(settings.agentRun);
  }
  const file = readConfig(join(root, '.specflow', 'config.yaml'));
  if (!file) return success(DEFAULT_AGENT_RUN);
  const { settings, problems } = await parseRalph(sliceSections(file.text).sections, 'stand-alone');
  if (problems.length > 0) return { ok: false, failure: problemsIn(file, problems, root) };
  return success(settings.agentRun ?? DEFAULT_AGENT_RUN);
}

interface Specification {
  readonly text: string;
  /** Absolute path of its file; null when there is none, or it can be read only once. */
  readonly file: string | null;
}

/** Reads the specification, whose text is empty when neither the request nor the task has one. */
function readSpecification(
  root: string,
  { order, prompt }: Pick<AgentRunRequest, 'order' | 'prompt'>,
  taskFile: TaskFile | undefined,
): Result<Specification> {
  const path = order.prompt_file ?? (prompt === undefined ? taskFile?.requirements : null) ?? null;
  if (path === null) return success({ text: prompt ?? '', file: null });
  const read = readPromptFile(root, path);
  if (!read.ok) return prompt === undefined ? read : success({ text: prompt, file: path });
  return success({ text: read.value, file: isReadOnce(path) ? null : path });
}

function readPromptFile(root: string, path: string): Result<string> {
  const shown = isInside(root, path) ? relative(root, path) : path;
  try {
    // A pipe is read to its end, however slow its writer is. A socket can be read only by its number.
    const text = isReadOnce(path)
      ? readFileSync(path === '/dev/stdin' ? 0 : path, 'utf8')
      : readFileIfExists(path);
    return text === undefined ? failure(`There is no file ${shown}.`) : success(text);
  } catch (error) {
    return failure(`${shown} cannot be read: ${reasonOf(error)}`);
  }
}

/** Whether a path names a pipe, a terminal, or whatever another process has under the same name. */
function isReadOnce(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && !stats.isDirectory() && (!stats.isFile() || /^\/(?:dev|proc)\//.test(path));
}

/**
 * Reads the specification again, so that a person can improve it while the run continues. Returns the text that was
 * planned when the file is gone, as after `git clean`, or can be read only once.
 */
function currentSpecification({ root, order, specification }: AgentRunPlan): string {
  if (order.prompt_file === null) return specification;
  const text = readPromptFile(root, order.prompt_file);
  return text.ok && text.value.trim() !== '' ? text.value : specification;
}

/** A longer specification is not saved: the state is written again at each change. */
const MAX_SAVED_BYTES = 256 * 1024;

/** The specification as a run saves it, so that it can be resumed without its file; null if it is too long. */
export function savedPrompt({ specification }: Pick<AgentRunPlan, 'specification'>): string | null {
  return Buffer.byteLength(specification) <= MAX_SAVED_BYTES ? specification : null;
}

function specificationFor(stage: StageSettings | undefined, text: string): string {
  return [stage?.prompt, text]
    .map((part) => part?.trim() ?? '')
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The command gates of a project, and what became weaker in them since they were recorded. */
export interface ProjectGates
  extends Pick<Settings, 'failFast' | 'jobs' | 'reuse' | 'integrity' | 'integrityRules'>,
    Pick<ProjectFiles, 'layout'> {
  /** In the order in which they run. */
  readonly gates: readonly CommandGate[];
  readonly findings: readonly Finding[];
}

/**
 * Reads the command gates of a project. A promise must pass all of them.
 *
 * @param record of the project when the run was planned: the gates are judged as they were
 */
export async function readGates(
  root: string,
  record?: ProjectRecord | undefined,
): Promise<Result<ProjectGates, readonly string[]>> {
  const files = projectIn(root);
  const { layout = 'stand-alone' } = files ?? {};
  const task = readCurrentTask(root);
  const config = files && (await readProject(files, task));
  if (config && config.problems.length > 0) return { ok: false, failure: config.problems };
  if (record === undefined || (files && isAsRecorded(record, files, task)))
    return success(gatesOf(config ?? { gates: [], settings: defaultSettings(layout) }, layout, []));
  const recorded = await readRecordedConfig(record);
  const copy = (text: string, name: string) => copyOutside(root, text, name);
  const judged = judgeConfig(record, recorded, { files, config, task }, copy);
  return success(gatesOf(judged.config, layout, asSet(judged.findings, judged.config.settings)));
}

/** What judges the promises of a run that is planned now; undefined without a config. */
function recordNow(root: string): ProjectRecord | undefined {
  const files = projectIn(root);
  return files && recordProject(files, readCurrentTask(root), []);
}

/** Git may hang on a network file system. */
const GIT_MS = 10_000;

async function baseNow(root: string): Promise<TreeBase | undefined> {
  if (repositoryAround(root) === undefined) return undefined;
  const base = await recordBase(root, { env: process.env, endAt: uptimeMs() + GIT_MS });
  return base.ok ? base.value : undefined;
}

function projectIn(root: string): ProjectFiles | undefined {
  const found = findProject(root, { needsRepository: false });
  return found.ok ? found.value : undefined;
}

function gatesOf(
  { gates, settings }: Pick<ProjectConfig, 'gates' | 'settings'>,
  layout: ProjectFiles['layout'],
  findings: readonly Finding[],
): ProjectGates {
  const planned = planGates(gates).filter((gate) => gate.kind === 'command');
  const { failFast, jobs, reuse, integrity, integrityRules } = settings;
  return {
    gates: planned,
    failFast,
    jobs,
    reuse,
    integrity,
    ...(integrityRules && { integrityRules }),
    layout,
    findings,
  };
}
