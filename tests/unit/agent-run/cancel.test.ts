import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cancelByName, removeAgentRun } from '../../../src/agent-run/cancel.ts';
import { readAgentRun } from '../../../src/state/agent-run.ts';
import { readIterations } from '../../../src/state/execution-log.ts';
import { agentRunFile, agentRunOf, leftoverAgent, startDriver } from '../../helpers/agent-run.ts';
import { deadPid, expectGone } from '../../helpers/processes.ts';
import type { Files } from '../../helpers/project.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const CANCELLED = 'Cancelled Ralph loop for TASK-001 at iteration 3/15';
const STOP_LOOP = '.trellis/.ralph-state.json';
const stopLoop = (task: string) => ({
  [STOP_LOOP]: JSON.stringify({ task, iteration: 2, started_at: null }),
});

async function cancel(files: Files, name = 'TASK-001') {
  const root = temporaryTree(files);
  const now = () => new Date('2026-01-31T11:00:00Z');
  return { root, result: await cancelByName(root, name, { now, env: {}, by: 'in a terminal' }) };
}

describe('cancelByName', () => {
  test.for(['running', 'interrupted'] as const)('cancels an agent run that is %s', async (status) => {
    const run = agentRunOf({ status, driver: { pid: deadPid(), started: '1' } });
    const { root, result } = await cancel(agentRunFile(run));
    expect(result).toEqual({ ok: true, value: CANCELLED });
    expect(readAgentRun(root, 'TASK-001')).toEqual({
      ...run,
      status: 'cancelled',
      cancelled_by: 'in a terminal',
      updated_at: '2026-01-31T11:00:00.000Z',
    });
    expect(readIterations(join(root, '.trellis/.ralph'))).toMatchObject([
      { loop: run.id, ralph_iteration: 3, outcome: 'cancelled', continuing: false },
    ]);
  });

  test.for(['passed', 'failed', 'cancelled'] as const)(
    'fails for an agent run that is %s',
    async (status) => {
      const run = agentRunOf({ status });
      const { root, result } = await cancel(agentRunFile(run));
      expect(result).toEqual({
        ok: false,
        failure: { message: `The run of TASK-001 has already ended: it is ${status}.` },
      });
      expect(readAgentRun(root, 'TASK-001')).toEqual(run);
    },
  );

  test('ends the process of an agent run', async () => {
    const driver = await startDriver();
    const { result } = await cancel(agentRunFile(agentRunOf({ driver })));
    expect(result).toEqual({ ok: true, value: CANCELLED });
    await expectGone(driver.pid);
  });

  test('ends the agent that a killed process left behind', async () => {
    const run = await leftoverAgent(agentRunOf({ id: 'run-that-is-cancelled' }));
    await cancel(agentRunFile(run));
    await expectGone(run.agent?.pid ?? 0);
  });

  test('ends the gate that a killed process left behind', async () => {
    const run = await leftoverAgent(agentRunOf({ id: 'run-whose-gate-is-left' }));
    await cancel(agentRunFile({ ...run, agent: null }));
    await expectGone(run.agent?.pid ?? 0);
  });

  test("removes the progress from the task's file", async () => {
    const task = '.trellis/tasks/01/task.json';
    const { root } = await cancel({
      ...agentRunFile(agentRunOf()),
      [task]: '{"id": "TASK-001", "metadata": {"ralph": {"iteration": 3}}}',
    });
    expect(JSON.parse(readFileSync(join(root, task), 'utf8'))).toEqual({ id: 'TASK-001' });
  });

  test("reports a task's file that cannot be changed", async () => {
    const { result } = await cancel({
      ...agentRunFile(agentRunOf()),
      '.trellis/tasks/01/task.json': '{"id": "TASK-001", "metadata": 1}',
    });
    expect(result).toEqual({
      ok: true,
      value: expect.stringMatching(/^Cancelled .*\n.* no longer a valid task file/),
    });
  });

  test.for(['.trellis/tasks/demo', 'demo'])('cancels a stop loop by %s', async (name) => {
    const { root, result } = await cancel(stopLoop('.trellis/tasks/demo'), name);
    expect(result).toEqual({
      ok: true,
      value:
        'Cancelled the loop .trellis/tasks/demo at iteration 2: its next stop is allowed, and nothing is verified then.',
    });
    expect(JSON.parse(readFileSync(join(root, STOP_LOOP), 'utf8'))).toMatchObject({
      cancelled: { by: 'in a terminal' },
    });
  });

  test('cancels the stop loop of a task whose agent run has ended', async () => {
    const run = agentRunOf({ status: 'passed' });
    const { result } = await cancel({ ...agentRunFile(run), ...stopLoop('.trellis/tasks/TASK-001') });
    expect(result).toMatchObject({
      value: expect.stringContaining('Cancelled the loop .trellis/tasks/TASK-001'),
    });
  });

  test('cancels the agent run of a task that has a stop loop too', async () => {
    const { result } = await cancel({ ...agentRunFile(agentRunOf()), ...stopLoop('TASK-001') });
    expect(result).toEqual({ ok: true, value: CANCELLED });
  });

  test('fails for an unknown name', async () => {
    expect((await cancel({}, 'TASK-9')).result).toEqual({
      ok: false,
      failure: { message: 'There is no loop TASK-9.' },
    });
  });
});

describe('removeAgentRun', () => {
  const remove = async (files: Files) => {
    const root = temporaryTree(files);
    const [path = ''] = Object.keys(files);
    return { root, result: await removeAgentRun(root, join(root, path)) };
  };

  test('removes the state and the recorded failure of a run', async () => {
    const run = agentRunOf({ driver: { pid: deadPid(), started: '1' } });
    const failures = '.trellis/.ralph/failed-promise-TASK-001.json';
    const { root, result } = await remove({ ...agentRunFile(run), [failures]: '{}' });
    expect(result).toEqual({ ok: true, value: run });
    expect(readdirSync(join(root, '.trellis/.ralph'))).toEqual([]);
  });

  test('ends the agent that a killed process left behind', async () => {
    const run = await leftoverAgent(agentRunOf({ id: 'run-that-is-removed' }));
    await remove(agentRunFile(run));
    await expectGone(run.agent?.pid ?? 0);
  });

  test('removes a state file that cannot be read', async () => {
    expect((await remove({ '.trellis/.ralph/promise-x.json': '{"id": 7' })).result).toEqual({
      ok: true,
      value: undefined,
    });
  });

  test('fails while the process of the run is alive', async () => {
    const run = agentRunOf({ driver: await startDriver() });
    const { root, result } = await remove(agentRunFile(run));
    expect(result).toMatchObject({
      failure: { message: expect.stringContaining('is already running TASK-001') },
    });
    expect(readAgentRun(root, 'TASK-001')).toEqual(run);
  });
});
