import { failure, type Result, success } from '../base/result.ts';
import { cleanLine } from '../diagnostics/lines/line-text.ts';
import type { Style } from '../messages/paint.ts';
import { answerOf, type RunStatus } from '../messages/status.ts';
import type { SessionNow } from '../messages/status-line.ts';
import { singleLine } from '../report/format.ts';
import type { ProjectStatus } from '../report/status.ts';
import { type Activity, type AgentRunReport, isUnfinished } from '../state/agent-run.ts';
import type { ChainReport } from '../state/chain.ts';
import { isLive, type StopLoopStatus } from '../state/stop-loop.ts';

/** The content of `ralph-loop watch`, for a terminal and for a pipe. All texts are single lines. */
export interface Board {
  /**
   * The stop loops and chains that go on, first if there are no agent runs, else last. Between them `todo`, the other
   * states of tasks, the stages of the open agent runs, `done`, `failed`, `cancelled`.
   */
  readonly lanes: readonly Lane[];
  /** The oldest first. */
  readonly agents: readonly RunningAgent[];
  /** The verification runs that go on, the oldest first. */
  readonly runs: readonly RunStatus[];
  /** All working trees of the repository; empty where it has only one. */
  readonly worktrees: readonly WorktreeNow[];
}

/** What goes on in a working tree. */
export interface WorktreeNow extends SessionNow {
  readonly name: string;
  /** Null without one. */
  readonly branch: string | null;
  /** Whether the board is that of its project. */
  readonly isHere: boolean;
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
  /** Colour of the state. */
  readonly tone: Style | null;
  /** What failed at the last stop; null if nothing did. */
  readonly failing: string | null;
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

export type BoardSource = Pick<ProjectStatus, 'loops' | 'chains' | 'promise_loops' | 'runs'>;

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
/** The lanes of tasks that have not ended, in this order; lanes of other states follow. */
const TASK_LANES = ['todo', 'in progress', 'review'];
const END_LANES = ['done', 'failed', 'cancelled'];
/** The lanes that are there without a card too, in a project with tasks or agent runs. */
const STABLE_LANES = ['todo', 'done', 'failed'];
/** States with another name than their lane; any other state is the name of its lane. */
const LANE_OF_STATE: Readonly<Record<string, string>> = {
  planning: 'todo',
  completed: 'done',
  passed: 'done',
  canceled: 'cancelled',
};

/** Arranges the loops and tasks of a project in the lanes of a board. */
export function boardOf(
  { loops, chains, promise_loops, runs: verifications }: BoardSource,
  tasks: readonly TrellisTask[],
  worktrees: readonly WorktreeNow[] = [],
): Board {
  const live = loops.filter(isLive);
  const taskOf = (name: string) => tasks.find((task) => namesOf(task).includes(name));
  const runs = promise_loops.map((run) => ({
    run,
    name: singleLine(taskOf(run.task_id)?.id ?? run.task_id),
  }));
  const open = runs.filter(({ run }) => isUnfinished(run));
  const ended = runs
    .filter(({ run }) => !isUnfinished(run))
    .toSorted((a, b) => b.run.updated_at.localeCompare(a.run.updated_at));
  const driven = new Set(promise_loops.map(({ task_id }) => taskOf(task_id)));
  const guarded = new Set(live.map(({ loop }) => taskOf(loop)));
  const placed: Placed[] = [
    ...open.map(({ run, name }) => ({ lane: singleLine(run.stage), card: openCard(run, name) })),
    ...ended.map(({ run, name }) => ({
      lane: LANE_OF_STATE[run.status] ?? run.status,
      card: endedCard(run, name),
    })),
    ...tasks
      .filter((task) => !driven.has(task))
      .map((task) => ({ lane: laneOf(task, guarded.has(task)), card: taskCard(task) })),
  ];
  const hooks = [
    ...live.map((loop) => hookCard(loop, taskOf(loop.loop)?.title ?? null)),
    ...chains.map(chainCard),
  ];
  const hookLane = hooks.length > 0 ? [{ name: HOOK_LANE, cards: hooks }] : [];
  const lanes = lanesOf(
    placed,
    open.map(({ run }) => singleLine(run.stage)),
  );
  return {
    lanes: runs.length > 0 ? [...lanes, ...hookLane] : [...hookLane, ...lanes],
    agents: open.filter(({ run }) => run.driven).map(({ run, name }) => runningAgent(run, name)),
    runs: verifications,
    worktrees,
  };
}

/** Whether times on the board change by themselves. */
export function isMoving({ agents, runs, worktrees }: Board): boolean {
  return agents.length + runs.length > 0 || worktrees.some((worktree) => worktree.runs.length > 0);
}

const HOOK_LANE = 'stop loops and chains';

interface Placed {
  readonly lane: string;
  readonly card: Card;
}

/** @param stages of the open agent runs */
function lanesOf(placed: readonly Placed[], stages: readonly string[]): Lane[] {
  const names = new Set([...(placed.length > 0 ? STABLE_LANES : []), ...placed.map(({ lane }) => lane)]);
  const order = [TASK_LANES, STAGES, END_LANES];
  const place = (name: string) => {
    const group = END_LANES.includes(name) ? 2 : stages.includes(name) ? 1 : 0;
    const rank = order[group]?.indexOf(name) ?? -1;
    return group * 100 + (rank < 0 ? 99 : rank);
  };
  return [...names]
    .toSorted((a, b) => place(a) - place(b))
    .map((name) => ({ name, cards: placed.filter(({ lane }) => lane === name).map(({ card }) => card) }));
}

/** @param isGuarded whether a stop loop belongs to the task: then somebody has begun it */
function laneOf({ status }: TrellisTask, isGuarded: boolean): string {
  const state = status ?? 'todo';
  const lane = LANE_OF_STATE[state] ?? singleLine(state.replaceAll('_', ' '));
  return lane === 'todo' && isGuarded ? 'in progress' : lane;
}

/** The names by which a loop may refer to the task. */
function namesOf({ name, id }: TrellisTask): string[] {
  return [name, `tasks/${name}`, `.trellis/tasks/${name}`, ...(id === null ? [] : [id])];
}

/** The id is the name that an agent run of the task has too. */
function taskCard({ name, id, title }: TrellisTask): Card {
  const shown = singleLine(id ?? name);
  return {
    ...QUIET,
    kind: 'task',
    id: name,
    name: shown,
    title: title === null ? null : singleLine(title),
    progress: null,
    cancel: failure(`${shown} has no agent run: there is nothing to cancel`),
  };
}

const QUIET = { state: null, tone: null, failing: null, runningSince: null, activity: null } as const;

function openCard(run: AgentRunReport, name: string): Card {
  const { task_id, driven, status, started_at, activity } = run;
  const stopped = status === 'interrupted' ? 'interrupted' : 'its run was killed';
  return {
    ...QUIET,
    ...runCard(run, name),
    tone: 'yellow',
    state: driven ? null : `${stopped}: run --resume continues`,
    runningSince: driven ? started_at : null,
    activity: driven && activity ? { ...activity, name: singleLine(activity.name) } : null,
    cancel: success(task_id),
  };
}

function endedCard(run: AgentRunReport, name: string): Card {
  const { status, started_at, updated_at } = run;
  const ended = status === 'cancelled' ? 'been cancelled' : status;
  return {
    ...QUIET,
    ...runCard(run, name),
    state: `${status} after ${elapsedTime(started_at, updated_at)}`,
    tone: status === 'passed' ? 'green' : status === 'failed' ? 'red' : 'dim',
    cancel: failure(`${name} has ${ended}: there is nothing to cancel`),
  };
}

function runCard({ task_id, title, stage, iteration, max_iterations }: AgentRunReport, name: string) {
  const stageName = singleLine(stage);
  return {
    kind: 'task',
    id: task_id,
    name,
    title: title === null ? null : singleLine(title),
    progress: `${stageName.charAt(0).toUpperCase()}${stageName.slice(1)} (${iteration}/${max_iterations})`,
  } as const;
}

function runningAgent(run: AgentRunReport, name: string): RunningAgent {
  const { stage, iteration, max_iterations, started_at, cost_usd } = run;
  return {
    stage: singleLine(stage),
    task: name,
    iteration,
    max: max_iterations,
    since: started_at,
    costUsd: cost_usd,
  };
}

/** @param title of the task that the loop belongs to */
function hookCard({ loop, iteration, max, verifying, last }: StopLoopStatus, title: string | null): Card {
  return {
    ...QUIET,
    kind: 'hook',
    id: loop,
    name: singleLine(loop),
    title: title === null ? null : singleLine(title),
    progress: `${iteration}/${max}`,
    state: verifying ? 'its gates run, or its hook was killed' : 'waits for the next stop',
    tone: verifying ? 'yellow' : null,
    failing: last === null || verifying ? null : cleanLine(answerOf(last)),
    cancel: success(loop),
  };
}

function chainCard(chain: ChainReport): Card {
  const { id, attempts, max_attempts, commands } = chain;
  return {
    ...QUIET,
    kind: 'chain',
    id,
    name: singleLine(commands.length > 0 ? `${id} ${commands.join(', ')}` : id),
    title: null,
    progress: `${attempts}/${max_attempts}`,
    state: chainState(chain),
    tone: chain.status === 'escalated' ? 'yellow' : chain.status === 'failed' ? 'red' : null,
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
