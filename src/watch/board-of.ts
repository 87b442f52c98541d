import type { AgentRunReport } from '../state/agent-run.ts';
import type { Board, Card, Known, Lane, Slot, Task } from './board.ts';
import { chainCard, hookCard } from './hook-cards.ts';
import { fit, place, timeBetween } from './words.ts';

/** The usual way of a task; stages of other names stand after these. */
const STAGES = ['coder', 'reviewer', 'tester', 'qa'];
/** What nobody has begun: other tasks are in work by hand, or over. */
const TODO = ['todo', 'planning', null];

/** Sorts what is known of a project into the lanes of the board. */
export function boardOf({ loops, chains, promise_loops }: Known, tasks: readonly Task[]): Board {
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
      { name: 'failed', cards: latestFirst.filter((loop) => hasFailed(loop)).map(endedCard) },
    ],
    slots: promise_loops.filter((loop) => loop.driven && isOpen(loop)).map(slotOf),
    hooks: [...loops.map(hookCard), ...chains.map(chainCard)],
  };
}

/** Whatever a loop may call the task by. */
function namesOf({ name, id }: Task): string[] {
  return [name, `tasks/${name}`, `.trellis/tasks/${name}`, ...(id === null ? [] : [id])];
}

function isOpen({ status }: AgentRunReport): boolean {
  return status === 'running' || status === 'interrupted';
}

function hasFailed({ status }: AgentRunReport): boolean {
  return status === 'failed' || status === 'cancelled';
}

function stageLanes(loops: readonly AgentRunReport[]): Lane[] {
  const rank = (stage: string) => (STAGES.includes(stage) ? STAGES.indexOf(stage) : STAGES.length);
  const stages = [...new Set(loops.map(({ stage }) => stage))].toSorted((a, b) => rank(a) - rank(b));
  return stages.map((name) => ({
    name: fit(name),
    cards: loops.filter(({ stage }) => stage === name).map(openCard),
  }));
}

function todoCard({ name, title }: Task): Card {
  return {
    kind: 'task',
    id: name,
    name: fit(name),
    title: title === null ? null : fit(title),
    at: null,
    standing: null,
    since: null,
    activity: null,
    cancel: { why: `${fit(name)} has not begun: there is nothing to cancel.` },
  };
}

function openCard(loop: AgentRunReport): Card {
  const { task_id, driven, status, started_at, activity } = loop;
  const stopped = status === 'interrupted' ? 'interrupted' : 'its run was killed';
  return {
    ...loopCard(loop),
    standing: driven ? null : `${stopped}: run --resume goes on`,
    since: driven ? started_at : null,
    activity: driven && activity ? { ...activity, name: fit(activity.name) } : null,
    cancel: { task: task_id },
  };
}

function endedCard(loop: AgentRunReport): Card {
  const { status, started_at, updated_at } = loop;
  const name = fit(loop.task_id);
  return {
    ...loopCard(loop),
    standing: `${status} after ${timeBetween(started_at, updated_at)}`,
    since: null,
    activity: null,
    cancel: {
      why: `${name} has ${status === 'cancelled' ? 'been cancelled' : status}: there is nothing to cancel.`,
    },
  };
}

function loopCard({ task_id, title, stage, iteration, max_iterations }: AgentRunReport) {
  return {
    kind: 'task',
    id: task_id,
    name: fit(task_id),
    title: title === null ? null : fit(title),
    at: place(stage, iteration, max_iterations),
  } as const;
}

function slotOf({ stage, task_id, iteration, max_iterations, started_at, cost_usd }: AgentRunReport): Slot {
  return {
    stage: fit(stage),
    task: fit(task_id),
    iteration,
    max: max_iterations,
    since: started_at,
    costUsd: cost_usd,
  };
}
