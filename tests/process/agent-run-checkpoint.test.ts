import { describe, expect } from 'vitest';
import { cancelByName } from '../../src/agent-run/cancel.ts';
import { runIterations } from '../../src/agent-run/iterate.ts';
import { planAgentRun } from '../../src/agent-run/plan.ts';
import { beginAgentRun } from '../../src/agent-run/start.ts';
import { EMPTY_RECORDING } from '../../src/process/output.ts';
import { type RunCommand, runCommand } from '../../src/process/run-command.ts';
import { readAgentRun } from '../../src/state/agent-run.ts';
import { agentRunOf } from '../helpers/agent-run.ts';
import { PROMISE, requestOf } from '../helpers/agent-run-project.ts';
import { git, gitProject } from '../helpers/git-project.ts';
import { type MakeProject, test } from '../helpers/project.ts';

const CONFIG = 'ralph:\n  coder: {max_iterations: 1}\n';

/** Creates a repository for runs with a checkpoint, whose agent writes `a.txt` and `b.txt` and prints a given message. */
function repository(makeProject: MakeProject) {
  const project = gitProject(makeProject, { 'spec.md': 'x', 'a.txt': 'before\n', 'worktree.yaml': CONFIG });
  const notes: string[] = [];
  const contextOf = (message: string) => {
    const agentOrGit: RunCommand = async (spec, hooks) => {
      if (spec.args?.[0] !== 'agent') return runCommand(spec, hooks);
      project.write({ 'a.txt': 'after\n', 'b.txt': 'new\n' });
      hooks.onOutput?.('stdout', Buffer.from(message));
      return { end: { how: 'exited', exitCode: 0 }, durationMs: 1, output: EMPTY_RECORDING };
    };
    return {
      runCommand: agentOrGit,
      now: () => new Date(),
      env: project.environment,
      signal: new AbortController().signal,
      onEvent: (event: { type: string; text?: string }) => void (event.text && notes.push(event.text)),
    };
  };
  const begin = async (message = PROMISE, rollback = false) => {
    const request = requestOf(project.root);
    const plan = await planAgentRun(project.root, { ...request, order: { ...request.order, rollback } });
    if (!plan.ok) throw new Error(plan.failure.join('\n'));
    const context = contextOf(message);
    const started = await beginAgentRun(plan.value, { checkpoint: true }, context);
    const run = () => {
      if (!started.ok) throw new Error(started.failure.message);
      return runIterations(plan.value, started.value.run, context);
    };
    return { started, run };
  };
  const checkpoints = () => git(project, 'for-each-ref', 'refs/ralph').split('\n').filter(Boolean);
  return { project, begin, notes, checkpoints };
}

describe('the checkpoint of an agent run', () => {
  test('is created when the run begins, and replaces that of an earlier run', async ({ makeProject }) => {
    const { project, begin, checkpoints } = repository(makeProject);
    await (await begin('Hm.')).run();
    const first = readAgentRun(project.root, 'TASK-001')?.checkpoint;
    await begin();
    const second = readAgentRun(project.root, 'TASK-001')?.checkpoint;
    expect(second).not.toBe(first);
    expect(checkpoints()).toEqual([expect.stringContaining(second ?? '?')]);
  });

  test('prevents the run when it cannot be created', async ({ makeProject }) => {
    const project = makeProject({ 'spec.md': 'x' }, { git: false });
    const plan = await planAgentRun(project.root, requestOf(project.root));
    if (!plan.ok) throw new Error(plan.failure.join('\n'));
    const context = {
      runCommand,
      now: () => new Date(),
      env: project.environment,
      signal: new AbortController().signal,
    };
    expect(await beginAgentRun(plan.value, { checkpoint: true }, context)).toMatchObject({
      ok: false,
      failure: {
        message: expect.stringMatching(/^The working tree cannot be saved before the first attempt: /),
      },
    });
    expect(project.has('.trellis')).toBe(false);
  });

  test('is removed by the process that loses the race for the run', async ({ makeProject }) => {
    const { project, begin, checkpoints } = repository(makeProject);
    const [first, second] = await Promise.all([begin(), begin()]);
    expect([first.started.ok, second.started.ok].toSorted()).toEqual([false, true]);
    expect(checkpoints()).toEqual([
      expect.stringContaining(readAgentRun(project.root, 'TASK-001')?.checkpoint ?? '?'),
    ]);
  });

  test('is removed when the run passes, and the work is kept', async ({ makeProject }) => {
    const { project, begin, checkpoints, notes } = repository(makeProject);
    expect(await (await begin()).run()).toMatchObject({ status: 'passed' });
    expect(project.read('a.txt')).toBe('after\n');
    expect([checkpoints(), notes]).toEqual([[], []]);
  });

  test('is kept when the run fails without a rollback', async ({ makeProject }) => {
    const { project, begin, checkpoints, notes } = repository(makeProject);
    expect(await (await begin('Hm.')).run()).toMatchObject({ status: 'failed' });
    expect(project.read('a.txt')).toBe('after\n');
    expect(checkpoints()).toHaveLength(1);
    expect(notes).toEqual([expect.stringContaining('ralph-loop checkpoint restore')]);
  });

  test('is restored when the run fails with a rollback, after the work is saved', async ({ makeProject }) => {
    const { project, begin, checkpoints, notes } = repository(makeProject);
    expect(await (await begin('Hm.', true)).run()).toMatchObject({ status: 'failed' });
    expect([project.read('a.txt'), project.has('b.txt')]).toEqual(['before\n', false]);
    const [, rescue = '?'] = /ralph-loop checkpoint restore (\w+)/.exec(notes[0] ?? '') ?? [];
    expect(checkpoints()).toEqual([expect.stringContaining(rescue)]);
  });

  test('is restored when a run with a rollback is cancelled', async ({ makeProject }) => {
    const { project, begin } = repository(makeProject);
    await begin('Hm.', true);
    project.write({ 'a.txt': 'after\n' });
    const run = readAgentRun(project.root, 'TASK-001');
    project.write({ '@/promise-TASK-001.json': JSON.stringify(agentRunOf({ ...run, driver: null })) });
    const context = { now: () => new Date(), env: project.environment };
    expect(await cancelByName(project.root, 'TASK-001', { ...context, by: 'in a terminal' })).toMatchObject({
      value: expect.stringContaining('ralph-loop checkpoint restore'),
    });
    expect(project.read('a.txt')).toBe('before\n');
  });
});
