import { describe, expect } from 'vitest';
import { expectGone } from '../helpers/processes.ts';
import { test, trellisFiles } from '../helpers/project.ts';
import { ignoreTerm, leaveSession, sleepLong, waitFor, waitForChild } from '../helpers/shell-commands.ts';
import { checkStops, hookAnswers, logOf, startHook, stateOf } from '../helpers/stops.ts';

const TREES = [
  { gate: 'a gate with a child', command: waitForChild('a.pid', 'b.pid') },
  { gate: 'a gate that ignores SIGTERM', command: `(${ignoreTerm('b.pid')}) & ${sleepLong('a.pid')}` },
];

describe.concurrent('a hook that the host ends kills its gates, prints nothing and keeps the count', () => {
  test.for(
    TREES.flatMap((tree) =>
      (['SIGTERM', 'SIGINT', 'SIGHUP'] as const).map((signal) => ({ ...tree, signal })),
    ),
  )('$signal, $gate', async ({ command, signal }, { makeProject }) => {
    const project = makeProject(trellisFiles([command]));
    const hook = startHook(project, checkStops(project), { env: { CLAUDECODE: '1' } });
    const pids = await Promise.all([project.pidIn('a.pid'), project.pidIn('b.pid')]);
    hook.kill(signal);
    const { stdout, stderr, exitCode } = await hook;
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
    expect(exitCode).toBe({ SIGTERM: 143, SIGINT: 130, SIGHUP: 129 }[signal]);
    await expectGone(...pids);
    expect(stateOf(project).iteration).toBe(1);
    expect(logOf(project)).toMatchObject([
      { answer: 'none', why: `ended by ${signal}`, iteration: 1, gates: [{ outcome: 'interrupted' }] },
    ]);
    project.write({ '.trellis/worktree.yaml': 'verify:\n  - false\n' });
    expect((await hookAnswers(project, checkStops(project))).reason).toMatch(/^Iteration 2\/5\./);
  });

  test('and keeps the failures recorded before', async ({ makeProject }) => {
    const project = makeProject(trellisFiles(['echo "Error: boom"; exit 1']));
    await hookAnswers(project, checkStops(project));
    const known = project.read('@/failed-task.json');
    project.write({ '.trellis/worktree.yaml': `verify:\n  - '${sleepLong('a.pid')}'\n` });
    const hook = startHook(project, checkStops(project));
    const pid = await project.pidIn('a.pid');
    hook.kill('SIGTERM');
    await hook;
    await expectGone(pid);
    expect(project.read('@/failed-task.json')).toBe(known);
  });

  test('when the signal arrives twice', async ({ makeProject }) => {
    const command = `trap 'echo > signalled' TERM; echo $$ > a.pid; while :; do sleep 0.01; done`;
    const project = makeProject(trellisFiles([command]));
    const hook = startHook(project, checkStops(project));
    const pid = await project.pidIn('a.pid');
    hook.kill('SIGTERM');
    await project.appears('signalled');
    hook.kill('SIGTERM');
    await hook;
    await expectGone(pid);
  });

  test('at the limit too', async ({ makeProject }) => {
    const project = makeProject(trellisFiles(['false']));
    for (let stop = 1; stop <= 4; stop++) await hookAnswers(project, checkStops(project));
    project.write({ '.trellis/worktree.yaml': `verify:\n  - '${sleepLong('a.pid')}'\n` });
    const hook = startHook(project, checkStops(project));
    const pid = await project.pidIn('a.pid');
    hook.kill('SIGTERM');
    expect((await hook).stdout).toBe('');
    await expectGone(pid);
    expect(stateOf(project).iteration).toBe(5);
  });

  test('and starts no later gate', async ({ makeProject }) => {
    const project = makeProject(
      trellisFiles([sleepLong('a.pid'), 'touch second'], 'ralph:\n  fail_fast: false\n'),
    );
    const hook = startHook(project, checkStops(project));
    const pid = await project.pidIn('a.pid');
    hook.kill('SIGTERM');
    await hook;
    await expectGone(pid);
    expect(project.has('second')).toBe(false);
  });
});

test('a process that a gate leaves in its own session does not delay the answer', async ({ makeProject }) => {
  const project = makeProject(trellisFiles([leaveSession('a.pid')]));
  expect(await hookAnswers(project, checkStops(project))).toEqual({});
  await project.pidIn('a.pid');
});

test('a host that has stopped reading does not hang the hook', async ({ makeProject }) => {
  const project = makeProject(trellisFiles([`touch running; ${waitFor('go')}; exit 1`]));
  const hook = startHook(project, checkStops(project));
  await project.appears('running');
  hook.stdout.destroy();
  project.write({ go: '' });
  const { exitCode, stderr } = await hook;
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(logOf(project)).toMatchObject([{ answer: 'block', iteration: 1 }]);
});
