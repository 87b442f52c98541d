import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { identifyProcess, type ProcessIdentity } from '../../src/process/identity.ts';
import { type AgentRun, type AgentRunReport, reportAgentRun } from '../../src/state/agent-run.ts';
import type { IterationRecord } from '../../src/state/log-record.ts';
import { endProcess } from './processes.ts';
import type { Files } from './project.ts';

/** A loop at its third iteration as coder, which nobody drives, where nothing else is said. */
export function promiseLoopOf(fields: Partial<AgentRun> = {}): AgentRun {
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

/** The same, as `status` tells it of a loop that is driven. */
export function drivenLoop(fields: Partial<AgentRun> = {}): AgentRunReport {
  return reportAgentRun(promiseLoopOf(fields), true, new Date('2026-01-31T10:35:23Z'));
}

/** A process that does nothing, and is taken for a loop's driver, until the test ends. */
export function startDriver(): Promise<ProcessIdentity> {
  const { pid = 0 } = spawn('sleep', ['600'], { stdio: 'ignore' });
  onTestFinished(() => endProcess(pid));
  return identifyProcess(pid);
}

/** The file that a project keeps a loop in. */
export function promiseLoopFile(loop: AgentRun): Files {
  return { [`.trellis/.ralph/promise-${loop.task_id}.json`]: JSON.stringify(loop) };
}

/** The second iteration of the same loop, which made no promise. */
export function iterationRecord(why: string): IterationRecord {
  return {
    time: '2026-01-31T10:35:00.000Z',
    loop: 'k3x9-7f2a',
    task_id: 'TASK-001',
    stage: 'coder',
    ralph_iteration: 2,
    ralph_max: 15,
    promise_found: false,
    continuing: true,
    duration_ms: 100,
    cost_usd: null,
    tokens: null,
    outcome: 'no-promise',
    why,
    gates: [],
  };
}
