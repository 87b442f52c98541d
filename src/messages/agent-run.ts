import { count, duration, oneLine, timeAgo } from '../base/text.ts';
import type { AgentRun, AgentRunFailure, AgentRunReport } from '../state/agent-run.ts';
import type { IterationOutcome } from '../state/execution-log.ts';
import type { Paint } from './paint.ts';

// What people read about agent runs.

/** Which run, and where it is: `TASK-001 (coder): iteration 3/15`. */
export function agentRunPosition({
  task_id,
  stage,
  iteration,
  max_iterations,
}: Pick<AgentRun, 'task_id' | 'stage' | 'iteration' | 'max_iterations'>): string {
  return `${oneLine(task_id, 80)} (${oneLine(stage, 40)}): iteration ${iteration}/${max_iterations}`;
}

/** The agent runs of a project, two lines for each, as `status` prints them. */
export function agentRunLines(loops: readonly AgentRunReport[], paint: Paint): string[] {
  return loops.flatMap((loop) => [
    `Run       ${paint('bold', agentRunPosition(loop))}, started ${timeAgo(loop.age_seconds * 1000)}`,
    `          ${oneLine(activityOf(loop), 300)}`,
  ]);
}

/** What a run is doing, or how it ended. */
function activityOf(loop: AgentRunReport): string {
  const { status, driven, activity, task_id, failure, last } = loop;
  const reason = last ? ` (${last.why})` : '';
  switch (status) {
    case 'running':
      if (!driven) return `its process was killed; resume with: ralph-loop run --resume ${task_id}`;
      if (activity === null) return 'between two iterations';
      return activity.kind === 'agent' ? 'the agent is running' : `its gates are running: ${activity.name}`;
    case 'interrupted':
      return `interrupted; resume with: ralph-loop run --resume ${task_id}`;
    case 'passed':
      return `verified${expenseOf(loop)}`;
    case 'failed':
      return `not verified: ${FAILURES[failure ?? 'cap']}${reason}`;
    case 'cancelled':
      return 'cancelled';
  }
}

const FAILURES: Readonly<Record<AgentRunFailure, string>> = {
  cap: 'iteration limit reached',
  once: 'loops are disabled, so the agent ran once',
  budget: 'max_cost_usd exceeded',
  stalled: 'no progress (nothing changed, same failure)',
  crashing: 'the agent fails at every start',
  'no-agent': 'the agent cannot be started',
  escalated: 'the agent escalated',
};

const OUTCOMES: Readonly<Record<IterationOutcome, string>> = {
  accepted: 'promise kept',
  denied: 'promise not kept',
  'no-promise': 'no promise',
  'timed-out': 'timed out',
  crashed: 'failed',
  'not-started': 'not started',
  interrupted: 'interrupted',
  cancelled: 'cancelled',
  escalated: 'escalated',
};

/** How an iteration ended, on one line. */
export function iterationLine({ last }: AgentRun, paint: Paint): string {
  if (last === null) return '';
  const { outcome, stage, ralph_iteration, ralph_max, duration_ms, why } = last;
  const isAccepted = outcome === 'accepted';
  const isExplained = isAccepted || outcome === 'interrupted' || outcome === 'cancelled';
  const mark = isAccepted ? paint('green', '✓') : paint('red', '✗');
  const spent = [duration(duration_ms), ...costOf(last)].join(', ');
  const reason = isExplained ? '' : `: ${oneLine(why, 400)}`;
  return `${mark} ${stage} ${ralph_iteration}/${ralph_max} (${spent}) ${OUTCOMES[outcome]}${reason}`;
}

/** How a run ended, and what to do next. */
export function agentRunEndText(loop: AgentRun): string {
  const { task_id, status, failure, stage, iteration, max_iterations } = loop;
  const task = oneLine(task_id, 80);
  const at = `${stage}, iteration ${iteration}/${max_iterations}`;
  switch (status) {
    case 'passed':
      return `${task} verified${expenseOf(loop)}.`;
    case 'failed': {
      const why = failure === 'escalated' && loop.last ? `: ${oneLine(loop.last.why, 400)}` : '';
      return `${task} not verified: ${FAILURES[failure ?? 'cap']}${why} (${[at, ...costOf(loop)].join(', ')}).`;
    }
    case 'cancelled':
      return [cancelledText(loop), loop.cancelled_by].filter(Boolean).join(', ');
    default:
      return `${task} interrupted (${at}); all processes have been ended. Resume with: ralph-loop run --resume ${task}`;
  }
}

export function cancelledText({ task_id, iteration, max_iterations }: AgentRun): string {
  return `Cancelled Ralph loop for ${oneLine(task_id, 80)} at iteration ${iteration}/${max_iterations}`;
}

/** ` (3 iterations, $0.60)` */
function expenseOf(run: Pick<AgentRun, 'stages' | 'iteration' | 'cost_usd'>): string {
  // With several stages, the iteration is that of the last one.
  const iterations = run.stages.length === 1 ? [count(run.iteration, 'iteration')] : [];
  const parts = [...iterations, ...costOf(run)];
  return parts.length > 0 ? ` (${parts.join(', ')})` : '';
}

/** `$0.60`; none if the agent reports no cost. */
function costOf({ cost_usd }: Pick<AgentRun, 'cost_usd'>): string[] {
  return cost_usd === null ? [] : [`$${cost_usd.toFixed(2)}`];
}
