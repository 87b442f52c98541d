import { describe, expect } from 'vitest';
import { ralphLoop, startRalphLoop } from '../helpers/bin.ts';
import { expectGone } from '../helpers/processes.ts';
import { type Project, test, worktreeYaml } from '../helpers/project.ts';
import { ignoreTerm, sleepLong, waitFor, waitForChild } from '../helpers/shell-commands.ts';

describe.concurrent('verify that is interrupted ends its gates and exits with 130', () => {
  test.for([
    { signal: 'SIGINT' as const, gate: 'with a child', command: waitForChild('a.pid', 'b.pid') },
    { signal: 'SIGTERM' as const, gate: 'with a child', command: waitForChild('a.pid', 'b.pid') },
    {
      signal: 'SIGINT' as const,
      gate: 'that ignores SIGTERM',
      command: `(${ignoreTerm('b.pid')}) & ${sleepLong('a.pid')}`,
    },
  ])('$signal, a gate $gate', async ({ signal, command }, { makeProject }) => {
    const project = makeProject({ 'worktree.yaml': worktreeYaml([command, 'touch second']) });
    const verify = startRalphLoop(project, ['verify', '--no-fail-fast']);
    const pids = await Promise.all([project.pidIn('a.pid'), project.pidIn('b.pid')]);
    verify.kill(signal);
    const { exitCode, stdout, stderr } = await verify;
    expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: '' });
    expect(stdout).toContain('Interrupted');
    await expectGone(...pids);
    expect(project.has('second')).toBe(false);
  });

  test('and prints the results so far with --json', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': worktreeYaml(['true', sleepLong('a.pid')]) });
    const verify = startRalphLoop(project, ['verify', '--json']);
    await project.pidIn('a.pid');
    verify.kill('SIGINT');
    const { exitCode, stdout } = await verify;
    expect(exitCode).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: 'incomplete',
      gates: [{ outcome: 'passed' }, { outcome: 'interrupted' }],
    });
  });
});

describe.concurrent('verify ends its gates without a message when the reader of its output closes the pipe', () => {
  const leave = async (project: Project, args: readonly string[]) => {
    const verify = startRalphLoop(project, ['verify', ...args]);
    await project.appears('running');
    verify.stdout.destroy();
    project.write({ go: '' });
    return await verify;
  };
  const first = `touch running; ${waitFor('go')}`;

  test('between two gates', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': worktreeYaml([first, sleepLong('a.pid')]) });
    expect(await leave(project, [])).toMatchObject({ exitCode: 130, stderr: '' });
    // The second gate may have ended before it started, or before it wrote its pid.
    const isWritten = project.has('a.pid') && project.read('a.pid').endsWith('\n');
    if (isWritten) await expectGone(await project.pidIn('a.pid'));
  });

  test('while a gate prints', async ({ makeProject }) => {
    const endless = `echo $$ > a.pid; ${first}; while :; do echo more; done`;
    const project = makeProject({ 'worktree.yaml': worktreeYaml([endless, 'touch second']) });
    expect(await leave(project, ['--verbose'])).toMatchObject({ exitCode: 130, stderr: '' });
    await expectGone(await project.pidIn('a.pid'));
    expect(project.has('second')).toBe(false);
  });
});

test('a gate in verify has RALPH_LOOP=1 in its environment', async ({ makeProject }) => {
  const project = makeProject({ 'worktree.yaml': worktreeYaml(['test "$RALPH_LOOP" = 1']) });
  expect((await ralphLoop(project, ['verify'])).exitCode).toBe(0);
});
