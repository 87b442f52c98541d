import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { identifyProcess, type ProcessIdentity } from '../../src/process/process-group.ts';
import { type AgentRun, type AgentRunReport, reportAgentRun } from '../../src/state/agent-run.ts';
import type { IterationRecord } from '../../src/state/execution-log.ts';
import { endProcess } from './processes.ts';
import type { Files } from './project.ts';
import { iterationRecord } from './sample-log.ts';

/** Returns an agent run in the third iteration of its only stage, without a live process. */
export function agentRunOf(fields: Partial<AgentRun> = {}): AgentRun {
  return {
    id: 'k3x9-7f2a',
    task_id: 'TASK-001',
    title: 'Log people in',
    order: { command: ['claude', '-p'], prompt_file: null, rollback: false },
    stages: ['coder'],
    stage: 'coder',
    iteration: 3,
    max_iterations: 15,
    completion_promise: 'IMPLEMENTATION_COMPLETE',
    status: 'running',
    failure: null,
    activity: null,
    driver: null,
    agent: null,
    last: null,
    feedback: null,
    failed_by: null,
    stalled: 0,
    crashed: 0,
    base_tree: null,
    checkpoint: null,
    cost_usd: null,
    tokens: null,
    started_at: '2026-01-31T10:30:00.000Z',
    updated_at: '2026-01-31T10:35:23.000Z',
    ...fields,
  };
}

/** Returns the report of an agent run whose process is alive. */
export function activeRunReport(fields: Partial<AgentRun> = {}): AgentRunReport {
  return reportAgentRun(agentRunOf(fields), true, new Date('2026-01-31T10:35:23Z'));
}

/** Starts a process that is used as the driver of a run. It is killed when the test ends. */
export function startDriver(): Promise<ProcessIdentity> {
  const { pid = 0 } = spawn('sleep', ['600'], { stdio: 'ignore' });
  onTestFinished(() => endProcess(pid));
  return identifyProcess(pid);
}

/** Starts an agent of a run, as a killed ralph-loop process leaves it behind. It is killed when the test ends. */
export async function leftoverAgent(run: AgentRun): Promise<AgentRun> {
  const env = { ...process.env, RALPH_LOOP_TREE: run.id };
  const child = spawn('sleep', ['600'], { stdio: 'ignore', detached: true, env });
  const { pid = 0 } = child;
  onTestFinished(() => endProcess(pid));
  return { ...run, agent: await identifyProcess(pid) };
}

/** Returns the state file of an agent run in a project without a state directory of the user. */
export function agentRunFile(run: AgentRun): Files {
  return { [`.trellis/.ralph/promise-${run.task_id}.json`]: JSON.stringify(run) };
}

/** Returns the record of the run's second iteration, in which the agent made no promise. */
export function noPromiseRecord(why: string): IterationRecord {
  return iterationRecord({
    time: '2026-01-31T10:35:00.000Z',
    loop: 'k3x9-7f2a',
    ralph_iteration: 2,
    promise_found: false,
    continuing: true,
    duration_ms: 100,
    outcome: 'no-promise',
    why,
  });
}

/** Returns the state file of an agent run. */
export function savedRun(run: AgentRun): Files {
  return { [`@/promise-${run.task_id}.json`]: JSON.stringify(run) };
}
