import { describe, expect } from 'vitest';
import { expectGone } from '../helpers/processes.ts';
import { test, trellisFiles } from '../helpers/project.ts';
import { ignoreTerm, leaveSession, sleepLong, waitFor, waitForChild } from '../helpers/puppets.ts';
import { checkStops, hookAnswers, logOf, startHook, stateOf } from '../helpers/stops.ts';

const TREES = [
  { gate: 'a gate with a child', command: waitForChild('a.pid', 'b.pid') },
  { gate: 'a gate that ignores SIGTERM', command: `(${ignoreTerm('b.pid')}) & ${sleepLong('a.pid')}` },
];

describe.concurrent('a hook that is told to go ends its gates, says nothing, and keeps the count', () => {
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

  test('even when it is told twice', async ({ makeProject }) => {
    const command = `trap 'echo > told' TERM; echo $$ > a.pid; while :; do sleep 0.01; done`;
    const project = makeProject(trellisFiles([command]));
    const hook = startHook(project, checkStops(project));
    const pid = await project.pidIn('a.pid');
    hook.kill('SIGTERM');
    await project.appears('told');
    hook.kill('SIGTERM');
    await hook;
    await expectGone(pid);
  });

  test('at the cap as well: the round is not over', async ({ makeProject }) => {
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

  test('later gates are not begun', async ({ makeProject }) => {
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

describe.concurrent('when the deadline comes', () => {
  test.for([
    { gate: 'sleeps', command: sleepLong('a.pid') },
    { gate: 'ignores SIGTERM', command: ignoreTerm('a.pid') },
  ])('the stop is blocked as incomplete: a gate that $gate', async ({ command }, { makeProject }) => {
    const project = makeProject(trellisFiles([command, 'touch second']));
    const { decision, reason } = await hookAnswers(project, checkStops(project), {
      args: ['--deadline', '3'],
    });
    expect(decision).toBe('block');
    expect(reason).toMatch(/^Iteration 1\/5\. Verification incomplete:\nOut of time: /);
    expect(reason).toContain("the hook's deadline of 3 s");
    await expectGone(await project.pidIn('a.pid'));
    expect(project.has('second')).toBe(false);
    expect(logOf(project)).toMatchObject([
      { answer: 'block', why: 'out-of-time', gates: [{ outcome: 'out-of-time' }, { outcome: 'skipped' }] },
    ]);
  });

  test.for([{ deadline: '--deadline=0.4' }, { deadline: '--deadline=0.001' }])(
    'before anything could run, the stop is blocked all the same: $deadline',
    async ({ deadline }, { makeProject }) => {
      const project = makeProject(trellisFiles(['exec sleep 600']));
      const { decision, reason } = await hookAnswers(project, checkStops(project), { args: [deadline] });
      expect(decision).toBe('block');
      expect(reason).toMatch(/^Iteration 1\/5\. Verification incomplete:/);
    },
  );

  test('at the cap, the agent is let go, and the person is told', async ({ makeProject }) => {
    const project = makeProject(trellisFiles(['exec sleep 600']));
    const options = { args: ['--deadline=0.4'], env: { CLAUDECODE: '1' } };
    for (let stop = 1; stop <= 4; stop++)
      expect((await hookAnswers(project, checkStops(project), options)).decision).toBe('block');
    expect(await hookAnswers(project, checkStops(project), options)).toEqual({
      systemMessage: expect.stringMatching(
        /gave up after 5 iterations: `exec sleep 600` had no time to finish/,
      ),
    });
  });

  test('a gate that failed before has the say', async ({ makeProject }) => {
    const project = makeProject(trellisFiles(['false', 'exec sleep 600'], 'ralph:\n  fail_fast: false\n'));
    const { reason } = await hookAnswers(project, checkStops(project), { args: ['--deadline', '2'] });
    expect(reason).toMatch(/^Iteration 1\/5\. Verification failed:\nCommand failed: false\n/);
  });

  test("a gate's own limit, when it comes first, is a failure", async ({ makeProject }) => {
    const project = makeProject(trellisFiles([`{ name: slow, run: exec sleep 600, timeout: 0.2 }`]));
    const { reason } = await hookAnswers(project, checkStops(project), { args: ['--deadline', '500'] });
    expect(reason).toMatch(/^Iteration 1\/5\. Verification failed:\nCommand timed out: exec sleep 600\n/);
  });

  test.for([
    { typo: ['--deadline', 'soon'] },
    { typo: ['--deadline', '-5'] },
    { typo: ['--deadlin', '500'] },
  ])(
    'a deadline that cannot be understood leaves the agent guarded: $typo',
    async ({ typo }, { makeProject }) => {
      const project = makeProject(trellisFiles(['false']));
      expect((await hookAnswers(project, checkStops(project), { args: typo })).decision).toBe('block');
      expect(logOf(project)[0]?.notes?.[0]).toContain(typo[0]);
    },
  );
});

test('a process that a gate leaves in its own session does not hold up the answer', async ({
  makeProject,
}) => {
  const project = makeProject(trellisFiles([leaveSession('a.pid')]));
  expect(await hookAnswers(project, checkStops(project))).toEqual({});
  await project.pidIn('a.pid');
});

test('a host that no longer reads does not hang the hook', async ({ makeProject }) => {
  const project = makeProject(trellisFiles([`touch running; ${waitFor('go')}; exit 1`]));
  const hook = startHook(project, checkStops(project));
  await project.appears('running');
  hook.stdout.destroy();
  project.write({ go: '' });
  const { exitCode, stderr } = await hook;
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(logOf(project)).toMatchObject([{ answer: 'block', iteration: 1 }]);
});
