import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { shownPath } from '../base/files.ts';
import type { Result } from '../base/result.ts';
import { shortHash } from '../base/short-hash.ts';
import {
  isProcessIdentity,
  isSameProcess,
  isTreeId,
  type ProcessIdentity,
} from '../process/process-group.ts';
import { type IterationRecord, makeStateDirectory } from './execution-log.ts';
import { JsonStore } from './json-store.ts';
import { failuresPath, outputDirectory, stateDirectory, treeOf } from './paths.ts';

/**
 * An agent that is started again and again until its promise holds, as saved on disk. Each task has at most one, in a
 * file of its own. The file stays when the run has ended, so that `status` can show how it ended.
 */
export interface AgentRun {
  /** Unique to this run, not to its task. The processes of its agents carry it in their environment. */
  readonly id: string;
  readonly task_id: string;
  readonly title: string | null;
  /** The options it was started with, enough to resume it. */
  readonly order: AgentRunOrder;
  /** The specification as it was read when the run began; null when it is too long to be saved. */
  readonly prompt?: string | null;
  /** The agents that work on the task, one after another. */
  readonly stages: readonly string[];
  /** The current stage, or the last one when the run has ended. */
  readonly stage: string;
  /** Within the stage. Counted before the agent is started; 0 before the first iteration. */
  readonly iteration: number;
  readonly max_iterations: number;
  readonly completion_promise: string;
  /**
   * `running`: in progress, or its process was killed; `interrupted`: stopped by a signal, can be resumed; `passed`: the
   * promise of every stage holds; `failed`: see `failure`; `cancelled`: by a command, cannot be resumed.
   */
  readonly status: 'running' | 'interrupted' | 'passed' | 'failed' | 'cancelled';
  /** Who cancelled it, as in `Caller`; absent unless it is cancelled. */
  readonly cancelled_by?: string;
  /** Null unless the status is `failed`. */
  readonly failure: AgentRunFailure | null;
  /** Null between iterations. */
  readonly activity: Activity | null;
  /** The ralph-loop process that executes the run; null when there is none. */
  readonly driver: ProcessIdentity | null;
  /** The agent's process, the leader of a process group; null when none was started in this iteration. */
  readonly agent: ProcessIdentity | null;
  /** The log record of the last finished iteration. */
  readonly last: IterationRecord | null;
  /** Why the last promise was not accepted, for the prompt of the next iteration. */
  readonly feedback: string | null;
  /** Identifies the last iteration's failure: equal texts are the same failure. */
  readonly failed_by: string | null;
  /** Consecutive iterations that changed nothing and failed in the same way. */
  readonly stalled: number;
  /** Consecutive agents that failed right after their start. */
  readonly crashed: number;
  /** Fingerprint of the working tree at the start; null without git. */
  readonly base_tree: string | null;
  /** Id of the checkpoint created at the start; null when none was requested. */
  readonly checkpoint: string | null;
  /** Fingerprint of the working tree when a run with a rollback was interrupted; null if there is none. */
  readonly ended_tree?: string | null;
  /** Totals of all iterations; null while no agent has reported any. */
  readonly cost_usd: number | null;
  readonly tokens: number | null;
  /** UTC, ISO 8601. */
  readonly started_at: string;
  readonly updated_at: string;
}

export interface AgentRunOrder {
  /** The agent's command, argument by argument; null when the config has it. */
  readonly command: readonly string[] | null;
  /** Absolute path of the specification; null when it was typed, came through a pipe, or is in the config. */
  readonly prompt_file: string | null;
  /** Whether the working tree is restored from the checkpoint when the run fails. */
  readonly rollback: boolean;
}

/**
 * `cap`: no iteration is left; `once`: repetition is disabled; `budget`: the cost exceeds the limit; `stalled`: the agent
 * changes nothing any more; `crashing`: the agent fails right after its start; `no-agent`: it cannot be started;
 * `escalated`: the agent says that a gate is wrong or cannot be satisfied.
 */
export type AgentRunFailure = 'cap' | 'once' | 'budget' | 'stalled' | 'crashing' | 'no-agent' | 'escalated';

/** What an iteration is doing now. */
export interface Activity {
  /** `gate`: gates of the project are verifying the promise. */
  readonly kind: 'agent' | 'gate';
  /** The name of the agent or the gate; of several gates, their names with commas. */
  readonly name: string;
  /** UTC, ISO 8601. */
  readonly since: string;
}

/** Whether a run is in progress, or can be resumed. */
export function isUnfinished({ status }: Pick<AgentRun, 'status'>): boolean {
  return status === 'running' || status === 'interrupted';
}

/** Tasks with such a name use it in file names as it is; others get a name with a hash. */
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,80}$/;

/** Returns a file name for a task or a stage: unique, at most 81 characters, without a dot or a slash. */
export function taskFileName(task: string): string {
  if (PLAIN_NAME.test(task)) return task;
  return `${task.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 40)}~${shortHash(task)}`;
}

/** Returns the absolute path of the state file of a task's agent run. */
function agentRunPath(root: string, task: string): string {
  return join(stateDirectory(root), `promise-${taskFileName(task)}.json`);
}

/** Returns the directory for the prompts of a task's agent run, and the output of its agents and gates. */
export function agentRunOutput(root: string, task: string): string {
  return join(outputDirectory(root), `promise-${taskFileName(task)}`);
}

/** Returns the path of the file that records which gates failed for the last promise. */
export function agentRunFailures(root: string, task: string): string {
  return failuresPath(root, `promise-${taskFileName(task)}`);
}

export function readAgentRun(root: string, task: string): AgentRun | undefined {
  return readAgentRunFile(agentRunPath(root, task));
}

/**
 * Changes the saved agent run of a task under its lock. Nothing is written when `change` fails.
 *
 * @param change gets the saved run; undefined when there is none, or its file cannot be used
 * @throws when the file cannot be written
 */
export async function updateAgentRun(
  root: string,
  task: string,
  change: (run: AgentRun | undefined) => Result<AgentRun>,
): Promise<Result<AgentRun>> {
  makeStateDirectory(root);
  return storeAt(agentRunPath(root, task)).update((saved, write) => {
    const changed = change(saved);
    if (changed.ok) write(changed.value);
    return changed;
  });
}

/** Returns the absolute paths of the state files of a project's agent runs. */
export function agentRunFiles(root: string): string[] {
  let names: string[];
  try {
    names = readdirSync(stateDirectory(root));
  } catch {
    return [];
  }
  return names
    .filter((name) => /^promise-.*\.json$/.test(name))
    .toSorted()
    .map((name) => join(stateDirectory(root), name));
}

/** Returns the agent runs of a project, the oldest first, without those whose file cannot be read. */
export function readAgentRuns(root: string): AgentRun[] {
  return agentRunFiles(root)
    .flatMap((path) => readAgentRunFile(path) ?? [])
    .toSorted((a, b) => Date.parse(a.started_at) - Date.parse(b.started_at));
}

/**
 * Says that the state file of a task's agent run cannot be used: nothing in it is trusted then, neither a pid nor an id.
 *
 * @returns undefined when the file can be used, or there is none
 */
export function unusableAgentRun(root: string, task: string): string | undefined {
  const path = agentRunPath(root, task);
  if (!existsSync(path) || readAgentRunFile(path)) return undefined;
  return `${shownPath(root, path)} is not the state of an agent run: no process was ended. To remove it: ralph-loop reset`;
}

/** Returns the agent run in a state file, undefined when the file is missing or cannot be used. */
export function readAgentRunFile(path: string): AgentRun | undefined {
  return storeAt(path).read();
}

function storeAt(path: string): JsonStore<AgentRun> {
  return new JsonStore<AgentRun>(path, {
    check: (value) => (isAgentRun(value) ? value : undefined),
    tree: treeOf(path),
  });
}

/**
 * Checks the fields that resuming needs, so that files of other versions are ignored, and those that decide which
 * processes are ended.
 */
function isAgentRun(value: unknown): value is AgentRun {
  if (typeof value !== 'object' || value === null) return false;
  const { id, task_id, stage, stages, status, cancelled_by, iteration, started_at, driver, agent } =
    value as Record<string, unknown>;
  return (
    isTreeId(id) &&
    [task_id, stage, status, started_at].every((text) => typeof text === 'string') &&
    (cancelled_by === undefined || typeof cancelled_by === 'string') &&
    typeof iteration === 'number' &&
    Array.isArray(stages) &&
    [driver, agent].every((process) => process === null || isProcessIdentity(process))
  );
}

/** An agent run as `status` shows it, also in `--json`. */
export interface AgentRunReport extends Omit<AgentRun, 'driver' | 'agent' | 'prompt'> {
  /** Whether its ralph-loop process is alive. A run that is `running` without one was killed and can be resumed. */
  readonly driven: boolean;
  readonly age_seconds: number;
}

export function reportAgentRun(
  { driver: _driver, agent: _agent, prompt: _prompt, ...run }: AgentRun,
  driven: boolean,
  now: Date,
): AgentRunReport {
  const age_seconds = Math.round((now.getTime() - Date.parse(run.started_at)) / 1000);
  return { ...run, driven, age_seconds };
}

/** Whether the process that executes a run is alive. */
export async function isActive({ driver }: AgentRun): Promise<boolean> {
  return driver !== null && (await isSameProcess(driver));
}
