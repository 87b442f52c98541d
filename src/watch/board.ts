import { failure, type Result, success } from '../base/result.ts';
import { answerOf } from '../messages/status.ts';
import { singleLine } from '../report/format.ts';
import type { ProjectStatus } from '../report/status.ts';
import type { Activity, AgentRunReport } from '../state/agent-run.ts';
import type { ChainReport } from '../state/chain.ts';
import type { StopLoopStatus } from '../state/stop-loop.ts';

/** The content of `ralph-loop watch`, for a terminal and for a pipe. All texts are single lines. */
export interface Board {
  /** `todo`, the stages of the open agent runs, `done`, `failed`. */
  readonly lanes: readonly Lane[];
  /** The oldest first. */
  readonly agents: readonly RunningAgent[];
  /** The stop loops, then the chains. */
  readonly hooks: readonly Card[];
}

export interface Lane {
  readonly name: string;
  readonly cards: readonly Card[];
}

/** A task, a stop loop or a chain: what can be selected. */
export interface Card {
  readonly kind: 'task' | 'hook' | 'chain';
  /** The id of a task, the key of a stop loop, or the id of a chain; unique among the cards of its kind. */
  readonly id: string;
  /** The id as a single line. */
  readonly name: string;
  readonly title: string | null;
  /** `Coder (3/15)`; null without a loop. */
  readonly progress: string | null;
  /** What the loop waits for, or how it has ended; null while it runs and before it begins. */
  readonly state: string | null;
  /** UTC, ISO 8601; null when the loop does not run. */
  readonly runningSince: string | null;
  readonly activity: Activity | null;
  /** The name that cancels the loop, or why it cannot be cancelled. */
  readonly cancel: Result<string>;
}

/** The agent of an agent run that a process drives now. */
export interface RunningAgent {
  readonly stage: string;
  readonly task: string;
  readonly iteration: number;
  readonly max: number;
  /** UTC, ISO 8601. */
  readonly since: string;
  /** Null when the agent does not report it. */
  readonly costUsd: number | null;
}

export type BoardSource = Pick<ProjectStatus, 'loops' | 'chains' | 'promise_loops'>;

/** A task of Trellis. */
export interface TrellisTask {
  /** The name of its directory. */
  readonly name: string;
  /** The id in its file. */
  readonly id: string | null;
  readonly title: string | null;
  readonly status: string | null;
}

/** The order of the stages; other stages follow. */
const STAGES = ['coder', 'reviewer', 'tester', 'qa'];
/** The states of tasks that nobody has begun. */
const TODO = ['todo', 'planning', null];

/** Arranges the loops and tasks of a project in the lanes of a board. */
export function boardOf({ loops, chains, promise_loops }: BoardSource, tasks: readonly TrellisTask[]): Board {
  const taken = new Set([...promise_loops.map(({ task_id }) => task_id), ...loops.map(({ loop }) => loop)]);
  const todo = tasks.filter(
    (task) => TODO.includes(task.status) && !namesOf(task).some((name) => taken.has(name)),
  );
  const latestFirst = promise_loops.toSorted((a, b) => b.updated_at.localeCompare(a.updated_at));
  return {
    lanes: [
      { name: 'todo', cards: todo.map(todoCard) },
      ...stageLanes(promise_loops.filter(isOpen)),
      { name: 'done', cards: latestFirst.filter(({ status }) => status === 'passed').map(endedCard) },
      { name: 'failed', cards: latestFirst.filter(hasFailed).map(endedCard) },
    ],
    agents: promise_loops.filter((run) => run.driven && isOpen(run)).map(runningAgent),
    hooks: [...loops.map(hookCard), ...chains.map(chainCard)],
  };
}

/** The names by which a loop may refer to the task. */
function namesOf({ name, id }: TrellisTask): string[] {
  return [name, `tasks/${name}`, `.trellis/tasks/${name}`, ...(id === null ? [] : [id])];
}

function isOpen({ status }: AgentRunReport): boolean {
  return status === 'running' || status === 'interrupted';
}

function hasFailed({ status }: AgentRunReport): boolean {
  return status === 'failed' || status === 'cancelled';
}

function stageLanes(runs: readonly AgentRunReport[]): Lane[] {
  const rank = (stage: string) => (STAGES.includes(stage) ? STAGES.indexOf(stage) : STAGES.length);
  const stages = [...new Set(runs.map(({ stage }) => stage))].toSorted((a, b) => rank(a) - rank(b));
  return stages.map((name) => ({
    name: singleLine(name),
    cards: runs.filter(({ stage }) => stage === name).map(openCard),
  }));
}

function todoCard({ name, title }: TrellisTask): Card {
  return {
    kind: 'task',
    id: name,
    name: singleLine(name),
    title: title === null ? null : singleLine(title),
    progress: null,
    state: null,
    runningSince: null,
    activity: null,
    cancel: failure(`${singleLine(name)} has not begun: there is nothing to cancel`),
  };
}

function openCard(run: AgentRunReport): Card {
  const { task_id, driven, status, started_at, activity } = run;
  const stopped = status === 'interrupted' ? 'interrupted' : 'its run was killed';
  return {
    ...runCard(run),
    state: driven ? null : `${stopped}: run --resume continues`,
    runningSince: driven ? started_at : null,
    activity: driven && activity ? { ...activity, name: singleLine(activity.name) } : null,
    cancel: success(task_id),
  };
}

function endedCard(run: AgentRunReport): Card {
  const { status, started_at, updated_at } = run;
  const ended = status === 'cancelled' ? 'been cancelled' : status;
  return {
    ...runCard(run),
    state: `${status} after ${elapsedTime(started_at, updated_at)}`,
    runningSince: null,
    activity: null,
    cancel: failure(`${singleLine(run.task_id)} has ${ended}: there is nothing to cancel`),
  };
}

function runCard({ task_id, title, stage, iteration, max_iterations }: AgentRunReport) {
  const stageName = singleLine(stage);
  return {
    kind: 'task',
    id: task_id,
    name: singleLine(task_id),
    title: title === null ? null : singleLine(title),
    progress: `${stageName.charAt(0).toUpperCase()}${stageName.slice(1)} (${iteration}/${max_iterations})`,
  } as const;
}

function runningAgent(run: AgentRunReport): RunningAgent {
  const { stage, task_id, iteration, max_iterations, started_at, cost_usd } = run;
  return {
    stage: singleLine(stage),
    task: singleLine(task_id),
    iteration,
    max: max_iterations,
    since: started_at,
    costUsd: cost_usd,
  };
}

function hookCard(report: StopLoopStatus): Card {
  const { loop, iteration, max } = report;
  return {
    kind: 'hook',
    id: loop,
    name: singleLine(loop),
    title: null,
    progress: `${iteration}/${max}`,
    state: hookState(report),
    runningSince: null,
    activity: null,
    cancel: success(loop),
  };
}

function hookState({ iteration, expired, verifying, last }: StopLoopStatus): string {
  if (expired && iteration > 0) return 'expired: the next stop starts again at 1';
  if (verifying) return 'its gates run, or its hook was killed';
  return last ? `waits for the next stop; ${singleLine(answerOf(last))}` : 'waits for the next stop';
}

function chainCard(chain: ChainReport): Card {
  const { id, attempts, max_attempts, commands } = chain;
  return {
    kind: 'chain',
    id,
    name: singleLine(commands.length > 0 ? `${id} ${commands.join(', ')}` : id),
    title: null,
    progress: `${attempts}/${max_attempts}`,
    state: chainState(chain),
    runningSince: null,
    activity: null,
    cancel: failure(`"ralph-loop gate abort ${id}" cancels a chain`),
  };
}

function chainState({ id, status, verifying, step, steps }: ChainReport): string {
  const position = steps > 1 ? `step ${step}/${steps} ` : '';
  if (verifying) return `${position}is being verified`;
  const states = {
    awaiting: 'waits for the next stop',
    failed: 'failed; waits for the next stop',
    review: "waits for the agent's review",
    escalated: `waits for you: ralph-loop gate retry ${id}`,
  };
  return `${position}${states[status]}`;
}

/** `23s`, `5m 23s`, `2h 5m`, `3d 4h`: the two largest units. Both times are ISO 8601. */
export function elapsedTime(from: string, to: string): string {
  const seconds = Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
  const hours = Math.floor(seconds / 3600);
  return hours < 24
    ? `${hours}h ${Math.floor((seconds % 3600) / 60)}m`
    : `${Math.floor(hours / 24)}d ${hours % 24}h`;
}
