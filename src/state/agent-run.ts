import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../base/write-file-atomic.ts';
import type { ProcessIdentity } from '../process/identity.ts';
import { makeSelfIgnored } from './execution-log.ts';
import type { IterationRecord } from './log-record.ts';
import { ralphDirectory } from './loop-location.ts';
import { shortHash } from './short-hash.ts';
import { withLock } from './state-lock.ts';

/**
 * A loop that drives an agent until what it promises holds: one a task, in a file of its own, which stays when the loop
 * has ended, so that people see how.
 */
export interface AgentRun {
  /** Of this loop, and no other one of the same task; the processes of its agents are known by it. */
  readonly id: string;
  readonly task_id: string;
  readonly title: string | null;
  /** What it was begun with: enough to go on with it. */
  readonly order: AgentRunOrder;
  /** The agents that work on the task, one after another. */
  readonly stages: readonly string[];
  /** The one that works now, or worked last. */
  readonly stage: string;
  /** Of this stage. Counted before its agent is started; 0 before the first. */
  readonly iteration: number;
  readonly max_iterations: number;
  readonly completion_promise: string;
  /**
   * `running`: it is driven, or was when its driver was killed; `interrupted`: stopped by a person, and may be resumed;
   * `passed`: every stage's promise holds; `failed`: given up; `cancelled`: called off for good.
   */
  readonly status: 'running' | 'interrupted' | 'passed' | 'failed' | 'cancelled';
  /** Why it was given up; null where it was not. */
  readonly failure: AgentRunFailure | null;
  /** What goes on now; null where nothing does. */
  readonly activity: Activity | null;
  /** The process that drives the loop; null where none does. */
  readonly driver: ProcessIdentity | null;
  /** The agent, which leads a process group of its own; null where none has been started in this iteration. */
  readonly agent: ProcessIdentity | null;
  /** The iteration that ended last, as it is logged. */
  readonly last: IterationRecord | null;
  /** What the next iteration's agent is told of why the last claim was not accepted. */
  readonly feedback: string | null;
  /** What the last iteration failed by: the same text for the same failure. */
  readonly failed_by: string | null;
  /** Iterations in a row that changed nothing and failed in the same way. */
  readonly stalled: number;
  /** Agents in a row that ended at once with an error. */
  readonly crashed: number;
  /** Fingerprint of the working tree when the loop began; null where git does not tell. */
  readonly base_tree: string | null;
  /** Id of the checkpoint of when it began; null where none was asked for. */
  readonly checkpoint: string | null;
  /** Summed over all iterations; null where no agent has told. */
  readonly cost_usd: number | null;
  readonly tokens: number | null;
  /** UTC, ISO 8601. */
  readonly started_at: string;
  readonly updated_at: string;
}

export interface AgentRunOrder {
  /** What to run for the agent, argument by argument; null where the config says it. */
  readonly command: readonly string[] | null;
  /** Absolute path of the specification; null where the config or the task has it. */
  readonly prompt_file: string | null;
  /** Whether the work goes back to the checkpoint when the loop fails. */
  readonly rollback: boolean;
}

/**
 * `cap`: no iteration is left; `once`: loops are switched off; `budget`: it has cost too much; `stalled`: nothing changes
 * any more; `crashing`, `no-agent`: there is nothing to drive.
 */
export type AgentRunFailure = 'cap' | 'once' | 'budget' | 'stalled' | 'crashing' | 'no-agent';

/** What an iteration does now. */
export interface Activity {
  /** `gate`: one of the project's gates verifies the promise. */
  readonly kind: 'agent' | 'gate';
  /** Of the gate, or the agent. */
  readonly name: string;
  /** UTC, ISO 8601. */
  readonly since: string;
}

/** Names that a file may have as they stand; others are told apart by their hash. */
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,80}$/;

/** A name for files of a task: ids are short words; whatever else people give is told apart by its hash. */
export function taskFileName(task: string): string {
  if (PLAIN_NAME.test(task)) return task;
  return `${task.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 40)}~${shortHash(task)}`;
}

/** Absolute path of the file of a task's promise loop. */
export function agentRunPath(root: string, task: string): string {
  return join(ralphDirectory(root), `promise-${taskFileName(task)}.json`);
}

export function readAgentRun(root: string, task: string): AgentRun | undefined {
  return readAgentRunFile(agentRunPath(root, task));
}

/**
 * Changes a task's loop while this process alone may: what is returned is written, unless it is `refused`.
 *
 * @param change gets the loop as it is; undefined where there is none, or its file cannot be read
 * @throws where the file cannot be written
 */
export async function updateAgentRun<T extends AgentRun | { readonly refused: string }>(
  root: string,
  task: string,
  change: (loop: AgentRun | undefined) => T,
): Promise<T> {
  makeSelfIgnored(ralphDirectory(root));
  const path = agentRunPath(root, task);
  return withLock(path, () => {
    const changed = change(readAgentRunFile(path));
    if (!('refused' in changed)) writeFileAtomic(path, `${JSON.stringify(changed, null, 2)}\n`);
    return changed;
  });
}

/** Absolute paths of the files of a project's promise loops. */
export function agentRunFiles(root: string): string[] {
  let names: string[];
  try {
    names = readdirSync(ralphDirectory(root));
  } catch {
    return [];
  }
  return names
    .filter((name) => /^promise-.*\.json$/.test(name))
    .toSorted()
    .map((name) => join(ralphDirectory(root), name));
}

/** The promise loops of a project, the oldest first; files that cannot be read are passed over. */
export function readAgentRuns(root: string): AgentRun[] {
  return agentRunFiles(root)
    .flatMap((path) => readAgentRunFile(path) ?? [])
    .toSorted((a, b) => Date.parse(a.started_at) - Date.parse(b.started_at));
}

/** @param path absolute, of its file */
export function readAgentRunFile(path: string): AgentRun | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isAgentRun(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Enough to be gone on with: a file of another version is passed over. */
function isAgentRun(value: unknown): value is AgentRun {
  if (typeof value !== 'object' || value === null) return false;
  const { id, task_id, stage, stages, status, iteration, started_at } = value as Record<string, unknown>;
  return (
    [id, task_id, stage, status, started_at].every((text) => typeof text === 'string') &&
    typeof iteration === 'number' &&
    Array.isArray(stages)
  );
}

/** What `status` tells of one promise loop; also its form in `--json`. */
export interface AgentRunReport extends Omit<AgentRun, 'driver' | 'agent'> {
  /** Whether a process drives it now. One that is `running` without was killed with its driver, and can be resumed. */
  readonly driven: boolean;
  readonly age_seconds: number;
}

export function reportAgentRun(
  { driver: _driver, agent: _agent, ...loop }: AgentRun,
  driven: boolean,
  now: Date,
): AgentRunReport {
  const age_seconds = Math.round((now.getTime() - Date.parse(loop.started_at)) / 1000);
  return { ...loop, driven, age_seconds };
}
