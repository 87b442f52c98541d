import { describe, expect } from 'vitest';
import { cancelByName } from '../../src/agent-run/cancel.ts';
import { runIterations } from '../../src/agent-run/iterate.ts';
import { planAgentRun } from '../../src/agent-run/plan.ts';
import { beginAgentRun, resumeAgentRun } from '../../src/agent-run/start.ts';
import { NO_OUTPUT } from '../../src/gates/known-results.ts';
import { type RunCommand, runCommand } from '../../src/process/run-command.ts';
import { type AgentRun, readAgentRun } from '../../src/state/agent-run.ts';
import { agentRunOf } from '../helpers/agent-run.ts';
import { PROMISE, requestOf } from '../helpers/agent-run-project.ts';
import { git, gitProject } from '../helpers/git-project.ts';
import { type MakeProject, test } from '../helpers/project.ts';

const stateFile = (run: AgentRun) => ({ [`@/promise-${run.task_id}.json`]: JSON.stringify(run) });

/** Creates a repository for runs with a checkpoint, whose agent writes `a.txt` and `b.txt` and prints a given message. */
function repository(makeProject: MakeProject, iterations = 1) {
  const config = `ralph:\n  coder: {max_iterations: ${iterations}}\n`;
  const controller = new AbortController();
  const project = gitProject(makeProject, { 'spec.md': 'x', 'a.txt': 'before\n', 'worktree.yaml': config });
  const notes: string[] = [];
  const contextOf = (message: string | (() => void), signal: AbortSignal) => {
    const agentOrGit: RunCommand = async (spec, hooks) => {
      if (spec.args?.[0] !== 'agent') return runCommand(spec, hooks);
      project.write({ 'a.txt': 'after\n', 'b.txt': 'new\n' });
      if (typeof message === 'string') hooks.onOutput?.('stdout', Buffer.from(message));
      else message();
      const end = signal.aborted ? ({ how: 'aborted' } as const) : ({ how: 'exited', exitCode: 0 } as const);
      return { end, durationMs: 20_000, output: NO_OUTPUT };
    };
    return {
      runCommand: agentOrGit,
      now: () => new Date(),
      env: project.environment,
      signal,
      onEvent: (event: { type: string; text?: string }) => void (event.text && notes.push(event.text)),
    };
  };
  const planned = async (rollback: boolean) => {
    const request = requestOf(project.root);
    const plan = await planAgentRun(project.root, { ...request, order: { ...request.order, rollback } });
    if (!plan.ok) throw new Error(plan.failure.join('\n'));
    return plan.value;
  };
  const begin = async (message: string | (() => void) = PROMISE, rollback = false) => {
    const plan = await planned(rollback);
    const context = contextOf(message, controller.signal);
    const started = await beginAgentRun(plan, { checkpoint: true }, context);
    const run = () => {
      if (!started.ok) throw new Error(started.failure.message);
      return runIterations(plan, started.value.run, context);
    };
    return { started, run };
  };
  const resume = async (message: string) => {
    const kept = readAgentRun(project.root, 'TASK-001');
    const plan = await planned(false);
    const context = contextOf(message, new AbortController().signal);
    const started = kept && (await resumeAgentRun(plan, kept, context));
    if (!started?.ok) throw new Error(started?.failure.message);
    notes.push(...started.value.notes);
    return runIterations(plan, started.value.run, context);
  };
  const checkpoints = () => git(project, 'for-each-ref', 'refs/ralph').split('\n').filter(Boolean);
  return { project, begin, resume, interrupt: () => controller.abort(), notes, checkpoints };
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

  test.for([
    { what: 'is restored when nothing changed since', change: {}, is: 'was rolled back', text: 'before\n' },
    {
      what: 'is kept when a person changed files since',
      change: { 'a.txt': 'fixed\n' },
      is: 'files have changed since the last run',
      text: 'fixed\n',
    },
    {
      what: 'is kept when its process was killed',
      isKilled: true,
      change: {},
      is: 'it is unknown whether files have changed',
      text: 'after\n',
    },
  ])('$what, and an interrupted run with a rollback is cancelled', async (row, { makeProject }) => {
    const { project, begin, interrupt } = repository(makeProject);
    await (await begin(interrupt, true)).run();
    const run = readAgentRun(project.root, 'TASK-001');
    if (row.isKilled) project.write(stateFile(agentRunOf({ ...run, status: 'running', ended_tree: null })));
    project.write(row.change);
    const context = { now: () => new Date(), env: project.environment, by: 'in a terminal' };
    const cancelled = await cancelByName(project.root, 'TASK-001', context);
    expect(cancelled).toMatchObject({ value: expect.stringContaining(row.is) });
    expect(cancelled).toMatchObject({ value: expect.stringMatching(/ralph-loop checkpoint restore \w+/) });
    expect(project.read('a.txt')).toBe(row.text);
  });

  test('is kept when a run fails that was resumed after a person had changed files', async ({
    makeProject,
  }) => {
    const { project, begin, resume, interrupt, notes } = repository(makeProject, 2);
    await (await begin(interrupt, true)).run();
    project.write({ 'mine.txt': 'mine\n' });
    git(project, 'add', '--all');
    git(project, 'commit', '-m', 'mine');
    expect(await resume('Hm.')).toMatchObject({ status: 'failed' });
    expect(project.read('mine.txt')).toBe('mine\n');
    expect(notes).toContainEqual(
      expect.stringContaining('The run will not be rolled back: files have changed'),
    );
  });

  test('is restored when a run fails that was resumed at once', async ({ makeProject }) => {
    const { project, begin, resume, interrupt } = repository(makeProject, 2);
    await (await begin(interrupt, true)).run();
    expect(await resume('Hm.')).toMatchObject({ status: 'failed' });
    expect(project.read('a.txt')).toBe('before\n');
  });

  test.for([
    { what: 'is verified meanwhile', end: { status: 'passed' } },
    { what: 'was interrupted meanwhile', end: { status: 'interrupted' } },
  ] as const)('is kept when another run $what', async ({ end }, { makeProject }) => {
    const { project, begin, notes } = repository(makeProject);
    const { run } = await begin('Hm.', true);
    const other = agentRunOf({ id: 'run-of-b', task_id: 'B', ...end, updated_at: new Date().toISOString() });
    project.write({ ...stateFile(other), 'of-b.txt': 'verified\n' });
    expect(await run()).toMatchObject({ status: 'failed' });
    expect(project.read('of-b.txt')).toBe('verified\n');
    expect(notes).toEqual([
      expect.stringMatching(/^The working tree was not rolled back: B .*\n.* restore \w+$/),
    ]);
  });

  test('is restored when another run has ended before it', async ({ makeProject }) => {
    const { project, begin } = repository(makeProject);
    project.write(stateFile(agentRunOf({ id: 'run-of-b', task_id: 'B', status: 'passed' })));
    await (await begin('Hm.', true)).run();
    expect(project.read('a.txt')).toBe('before\n');
  });

  test('is restored with a message that names the commits of the agent', async ({ makeProject }) => {
    const { project, begin, notes } = repository(makeProject);
    const head = git(project, 'rev-parse', '--short=7', 'HEAD').trim();
    await (await begin(() => void git(project, 'commit', '--allow-empty', '-m', 'bad'), true)).run();
    expect(notes[0]).toContain(`To undo 1 commit made since: git reset --soft ${head}`);
  });
});
