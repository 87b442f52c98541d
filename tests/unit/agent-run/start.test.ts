import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { beginAgentRun, checkResumable, resumeAgentRun } from '../../../src/agent-run/start.ts';
import { identifyProcess } from '../../../src/process/process-group.ts';
import type { AgentRun } from '../../../src/state/agent-run.ts';
import { readIterations } from '../../../src/state/execution-log.ts';
import {
  agentRunFile,
  agentRunOf,
  leftoverAgent,
  noPromiseRecord,
  startDriver,
} from '../../helpers/agent-run.ts';
import { agentRunProject } from '../../helpers/agent-run-project.ts';
import { deadPid, expectGone } from '../../helpers/processes.ts';
import type { Files } from '../../helpers/project.ts';

const TASK = { '.trellis/tasks/01-login/task.json': '{"id": "TASK-001", "title": "Log in"}' };
const OUTPUT = '.trellis/.ralph/output/promise-TASK-001/coder-1.log';
const FAILURES = '.trellis/.ralph/failed-promise-TASK-001.json';

async function begin(files: Files = {}, task = 'TASK-001') {
  const project = agentRunProject(files);
  const plan = await project.plan({ task });
  return { project, result: await beginAgentRun(plan, { checkpoint: false }, project.context) };
}

describe('beginAgentRun', () => {
  test('saves a run before its first iteration', async () => {
    const { project, result } = await begin(TASK);
    expect(result).toMatchObject({ ok: true, value: { notes: [] } });
    expect(project.saved()).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      task_id: 'TASK-001',
      title: 'Log in',
      order: { command: ['agent'], prompt_file: join(project.root, 'spec.md'), rollback: false },
      prompt: 'Write the program.\n',
      stages: ['coder'],
      stage: 'coder',
      iteration: 0,
      max_iterations: 15,
      completion_promise: 'IMPLEMENTATION_COMPLETE',
      status: 'running',
      failure: null,
      activity: null,
      driver: await identifyProcess(process.pid),
      agent: null,
      last: null,
      feedback: null,
      failed_by: null,
      stalled: 0,
      crashed: 0,
      base_tree: expect.stringMatching(/^[0-9a-f]{64}$/),
      checkpoint: null,
      cost_usd: null,
      tokens: null,
      started_at: '2026-01-31T10:30:00.000Z',
      updated_at: '2026-01-31T10:30:00.000Z',
    });
  });

  test('masks the secrets of the environment in the saved command', async () => {
    const project = agentRunProject({});
    const order = { command: ['agent', 'correct-horse-battery'], prompt_file: null, rollback: false };
    const plan = { ...(await project.plan()), order };
    const context = { ...project.context, env: { API_TOKEN: 'correct-horse-battery' } };
    await beginAgentRun(plan, { checkpoint: false }, context);
    expect(project.saved()?.order.command).toEqual(['agent', '***']);
  });

  test.for([{ task: 'x'.repeat(300) }, { task: '../../a/b' }, { task: '..' }, { task: 'Überprüfung 任务' }])(
    'keeps its state in its directory for the task $task',
    async ({ task }) => {
      const { project, result } = await begin({}, task);
      expect(result).toMatchObject({ ok: true, value: { run: { task_id: task } } });
      expect(project.files('.trellis')).toEqual(['.ralph']);
      expect(project.files('.trellis/.ralph')).toEqual([
        '.gitignore',
        expect.stringMatching(/^promise-[A-Za-z0-9_-]{0,40}~[0-9a-f]+\.json$/),
      ]);
    },
  );

  test('replaces a run whose process was killed, and says so', async () => {
    const earlier = agentRunOf({ driver: { pid: deadPid(), started: '1' } });
    const { project, result } = await begin({ ...agentRunFile(earlier), [OUTPUT]: 'x', [FAILURES]: '{}' });
    expect(result).toMatchObject({
      value: {
        run: { iteration: 0 },
        notes: [
          'An earlier run of TASK-001 was at iteration 3/15 (coder). This run starts from the beginning.',
        ],
      },
    });
    expect([project.has(OUTPUT), project.has(FAILURES)]).toEqual([false, false]);
  });

  test('replaces a run that has ended without a note', async () => {
    const { result } = await begin(agentRunFile(agentRunOf({ status: 'passed' })));
    expect(result).toMatchObject({ ok: true, value: { notes: [] } });
  });

  test('replaces a state file that cannot be used', async () => {
    expect((await begin({ '.trellis/.ralph/promise-TASK-001.json': '{"id": 7' })).result.ok).toBe(true);
  });

  test('ends the agent of the run that it replaces', async () => {
    const earlier = await leftoverAgent(agentRunOf({ id: 'run-that-is-replaced' }));
    await begin(agentRunFile(earlier));
    await expectGone(earlier.agent?.pid ?? 0);
  });

  test.for([
    { name: 'the same name', running: 'TASK-001' },
    { name: 'another name of the task', running: '01-login' },
  ])('fails while another process runs the task by $name', async ({ running }) => {
    const driver = await startDriver();
    const active = agentRunOf({ task_id: running, driver });
    const { project, result } = await begin({ ...TASK, ...agentRunFile(active) });
    expect(result).toEqual({
      ok: false,
      failure: {
        message: `Process ${driver.pid} is already running ${running} (coder, iteration 3/15). To end it: ralph-loop cancel ${running}`,
      },
    });
    expect(JSON.parse(project.read(`.trellis/.ralph/promise-${running}.json`))).toEqual(active);
  });

  test('starts one run when several begin at once', async () => {
    const project = agentRunProject({});
    const plan = await project.plan();
    const results = await Promise.all(
      Array.from({ length: 4 }, () => beginAgentRun(plan, { checkpoint: false }, project.context)),
    );
    const started = results.flatMap((result) => (result.ok ? result.value.run : []));
    expect(started).toEqual([project.saved()]);
  });
});

describe('resumeAgentRun', () => {
  async function resume(run: AgentRun, files: Files = {}) {
    const project = agentRunProject({ ...agentRunFile(run), ...files });
    const plan = await project.plan();
    const result = await resumeAgentRun(plan, run, project.context);
    return { project, result, log: () => readIterations(join(project.root, '.trellis/.ralph')) };
  }
  const killed = agentRunOf({
    driver: { pid: deadPid(), started: '1' },
    agent: { pid: deadPid(), started: '1' },
    activity: { kind: 'agent', name: 'coder', since: '2026-01-31T10:35:23.000Z' },
  });

  test('continues an interrupted run with this process', async () => {
    const { project, result } = await resume(agentRunOf({ status: 'interrupted' }));
    const driver = await identifyProcess(process.pid);
    expect(result).toMatchObject({ ok: true, value: { run: { status: 'running', iteration: 3, driver } } });
    expect(project.saved()).toMatchObject({ status: 'running', driver });
  });

  test('logs the iteration that was running when the process was killed', async () => {
    const { result, log } = await resume(killed);
    expect(result).toMatchObject({ value: { run: { status: 'running', iteration: 3, agent: null } } });
    expect(log()).toMatchObject([
      {
        ralph_iteration: 3,
        outcome: 'interrupted',
        why: 'the ralph-loop process was killed',
        continuing: true,
      },
    ]);
  });

  test('logs an iteration that was saved, but not logged, before the process was killed', async () => {
    const last = noPromiseRecord('saved');
    const { log } = await resume({ ...killed, activity: null, agent: null, last });
    expect(log()).toEqual([last]);
  });

  test('does not log an iteration twice', async () => {
    const last = noPromiseRecord('saved');
    const files = { '.trellis/.ralph/log.jsonl': `${JSON.stringify(last)}\n` };
    const { log } = await resume({ ...killed, activity: null, agent: null, last }, files);
    expect(log()).toEqual([last]);
  });

  test('fails the run when its last iteration was running', async () => {
    const { result } = await resume({ ...killed, iteration: 15 });
    expect(result).toMatchObject({ value: { run: { status: 'failed', failure: 'cap' } } });
  });

  test('ends the agent that the killed process left behind', async () => {
    const run = await leftoverAgent({ ...killed, id: 'run-that-is-resumed' });
    await resume(run);
    await expectGone(run.agent?.pid ?? 0);
  });

  test('fails while another process executes the run', async () => {
    const driver = await startDriver();
    const { result } = await resume(agentRunOf({ driver }));
    expect(result).toMatchObject({
      failure: { message: expect.stringContaining(`Process ${driver.pid} is already running TASK-001`) },
    });
  });

  test.for([
    { meanwhile: 'cancelled', saved: agentRunOf({ status: 'cancelled' }), message: 'was cancelled' },
    {
      meanwhile: 'resumed',
      saved: agentRunOf({ driver: { pid: 4711, started: '1' } }),
      message: 'Process 4711 is',
    },
    { meanwhile: 'removed', saved: undefined, message: 'There is no run of TASK-001 any more' },
  ])('fails when the run was $meanwhile meanwhile', async ({ saved, message }) => {
    const project = agentRunProject(saved ? agentRunFile(saved) : {});
    const result = await resumeAgentRun(await project.plan(), agentRunOf(), project.context);
    expect(result).toMatchObject({ failure: { message: expect.stringContaining(message) } });
    expect(project.saved()).toEqual(saved);
  });
});

describe('checkResumable', () => {
  test.for(['running', 'interrupted'] as const)('accepts a run that is %s', (status) => {
    expect(checkResumable(agentRunOf({ status }))).toMatchObject({ ok: true });
  });

  test.for([
    ['passed', 'has passed'],
    ['failed', 'has failed'],
    ['cancelled', 'was cancelled'],
  ] as const)('fails for a run that is %s', ([status, how]) => {
    expect(checkResumable(agentRunOf({ status }))).toEqual({
      ok: false,
      failure: {
        message: `The run of TASK-001 ${how}. To start a new one: ralph-loop run --task TASK-001`,
      },
    });
  });
});
