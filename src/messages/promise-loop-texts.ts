import { count, duration, oneLine } from '../base/text.ts';
import type { AgentRun, AgentRunFailure, AgentRunReport } from '../state/agent-run.ts';
import type { IterationOutcome } from '../state/execution-log.ts';
import { ago } from './loop-lines.ts';
import type { Paint } from './paint.ts';

// What people read of promise loops.

/** `TASK-001 (coder): iteration 3/15` */
export function whereItIs({
  task_id,
  stage,
  iteration,
  max_iterations,
}: Pick<AgentRun, 'task_id' | 'stage' | 'iteration' | 'max_iterations'>): string {
  return `${oneLine(task_id, 80)} (${oneLine(stage, 40)}): iteration ${iteration}/${max_iterations}`;
}

/** Two lines for each, as `status` prints them. */
export function promiseLoopLines(loops: readonly AgentRunReport[], paint: Paint): string[] {
  return loops.flatMap((loop) => [
    `Promise   ${paint('bold', whereItIs(loop))}, started ${ago(loop.age_seconds)}`,
    `          ${oneLine(whatGoesOn(loop), 300)}`,
  ]);
}

/** How a loop is now, in a few words. */
function whatGoesOn(loop: AgentRunReport): string {
  const { status, driven, activity, task_id, failure, last } = loop;
  const why = last ? `: ${last.why}` : '';
  switch (status) {
    case 'running':
      if (!driven) return `its driver was killed; go on with: ralph-loop run --resume ${task_id}`;
      if (activity === null) return 'it is between two iterations';
      return activity.kind === 'agent' ? 'the agent works' : `the gate ${activity.name} runs`;
    case 'interrupted':
      return `interrupted; go on with: ralph-loop run --resume ${task_id}`;
    case 'passed':
      return `verified${spentOn(loop)}`;
    case 'failed':
      return `not verified, ${FAILURES[failure ?? 'cap']}${why}`;
    case 'cancelled':
      return 'cancelled';
  }
}

const FAILURES: Readonly<Record<AgentRunFailure, string>> = {
  cap: 'no iteration is left',
  once: 'loops are switched off, so it was run once',
  budget: 'it has cost more than max_cost_usd',
  stalled: 'nothing changes any more, and it fails in the same way',
  crashing: 'the agent fails as soon as it is started',
  'no-agent': 'the agent cannot be started',
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
};

/** How an iteration ended, on one line. */
export function iterationLine({ last }: AgentRun, paint: Paint): string {
  if (last === null) return '';
  const { outcome, stage, ralph_iteration, ralph_max, duration_ms, cost_usd, why } = last;
  const isAccepted = outcome === 'accepted';
  const mark = isAccepted ? paint('green', '✓') : paint('red', '✗');
  const spent = [duration(duration_ms), ...(cost_usd === null ? [] : [dollars(cost_usd)])].join(', ');
  const reason = isAccepted ? '' : `: ${oneLine(why, 400)}`;
  return `${mark} ${stage} ${ralph_iteration}/${ralph_max} (${spent}) ${OUTCOMES[outcome]}${reason}`;
}

/** How a loop ended, and what to do next. */
export function loopEndText(loop: AgentRun): string {
  const { task_id, status, failure, stage, iteration, max_iterations } = loop;
  const task = oneLine(task_id, 80);
  const at = `${stage}, iteration ${iteration}/${max_iterations}`;
  switch (status) {
    case 'passed':
      return `${task} is verified${spentOn(loop)}.`;
    case 'failed':
      return `${task} is not verified (${at}): ${FAILURES[failure ?? 'cap']}${spentOn(loop)}.`;
    case 'cancelled':
      return cancelledText(loop);
    default:
      return `${task} is interrupted (${at}), and nothing is left running. Go on with: ralph-loop run --resume ${task}`;
  }
}

export function cancelledText({ task_id, iteration, max_iterations }: AgentRun): string {
  return `Cancelled Ralph loop for ${oneLine(task_id, 80)} at iteration ${iteration}/${max_iterations}`;
}

function spentOn({
  stages,
  iteration,
  cost_usd,
}: Pick<AgentRun, 'stages' | 'iteration' | 'cost_usd'>): string {
  const parts = [
    ...(stages.length === 1 ? [count(iteration, 'iteration')] : []),
    ...(cost_usd === null ? [] : [dollars(cost_usd)]),
  ];
  return parts.length > 0 ? `, after ${parts.join(', ')}` : '';
}

function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`;
}
