import { describe, expect } from 'vitest';
import { expectGone, isRunning } from '../helpers/processes.ts';
import { test } from '../helpers/project.ts';
import { runShell, textOf } from '../helpers/run-shell.ts';
import {
  ignoreTerm,
  leaveChild,
  leaveChildIgnoringTerm,
  leaveDaemon,
  leaveSession,
  sleepLong,
  waitFor,
  waitForChild,
} from '../helpers/shell-commands.ts';

/** Longer than a puppet takes to start. */
const LIMIT_MS = 2000;

const TREES = [
  { tree: 'a plain process', command: sleepLong('a.pid'), pidFiles: ['a.pid'] },
  {
    tree: 'a child in the background',
    command: waitForChild('a.pid', 'b.pid'),
    pidFiles: ['a.pid', 'b.pid'],
  },
  { tree: 'a process that ignores SIGTERM', command: ignoreTerm('a.pid'), pidFiles: ['a.pid'] },
  {
    tree: 'a child that ignores SIGTERM, whose parent does not',
    command: `(${ignoreTerm('b.pid')}) & ${sleepLong('a.pid')}`,
    pidFiles: ['a.pid', 'b.pid'],
  },
  {
    tree: 'a child in a session of its own that holds the pipe',
    command: `${leaveSession('b.pid')}; ${sleepLong('a.pid')}`,
    pidFiles: ['a.pid', 'b.pid'],
  },
  {
    tree: 'a daemon that ignores SIGTERM',
    command: `${leaveDaemon('b.pid')}; ${sleepLong('a.pid')}`,
    pidFiles: ['a.pid', 'b.pid'],
  },
];

describe.concurrent('at the timeout, runCommand', () => {
  test.for(TREES)('ends $tree', async ({ command, pidFiles }, { makeProject }) => {
    const project = makeProject();
    const result = runShell(project, `echo before; ${command}`, { timeoutMs: LIMIT_MS });
    const pids = await Promise.all(pidFiles.map(project.pidIn));
    const { end, output } = await result;
    expect(end).toEqual({ how: 'timed-out' });
    expect(textOf(output)).toBe('before\n');
    await expectGone(...pids);
  });

  test('lets a process clean up on SIGTERM and keeps what it prints then', async ({ makeProject }) => {
    const project = makeProject();
    const command = `trap 'echo cleaned up; exit 0' TERM; echo $$ > a.pid; while :; do sleep 0.05; done`;
    const { end, output } = await runShell(project, command, { timeoutMs: LIMIT_MS, graceMs: 600_000 });
    expect(end).toEqual({ how: 'timed-out' });
    expect(textOf(output)).toMatch(/cleaned up\n$/);
  });
});

describe.concurrent('after the leader exited, runCommand', () => {
  test.for([
    { leaves: 'a child that holds the pipe', command: leaveChild('a.pid', 0), exitCode: 0 },
    { leaves: 'a child that holds the pipe after a failure', command: leaveChild('a.pid', 3), exitCode: 3 },
    { leaves: 'a child that ignores SIGTERM', command: leaveChildIgnoringTerm('a.pid', 0), exitCode: 0 },
    {
      leaves: 'a child that does not hold the pipe',
      command: 'sleep 600 > /dev/null 2>&1 & echo $! > a.pid',
      exitCode: 0,
    },
    { leaves: 'a child in a session of its own', command: leaveSession('a.pid'), exitCode: 0 },
    { leaves: 'a daemon', command: leaveDaemon('a.pid'), exitCode: 0 },
    { leaves: 'a daemon after a failure', command: `${leaveDaemon('a.pid')}; exit 3`, exitCode: 3 },
    {
      leaves: 'a daemon after more than a second',
      command: `${leaveDaemon('a.pid')}; sleep 1.1`,
      exitCode: 0,
    },
  ])('kills $leaves and reports the exit code', async ({ command, exitCode }, { makeProject }) => {
    const project = makeProject();
    const { end } = await runShell(project, command);
    expect(end).toEqual({ how: 'exited', exitCode });
    await expectGone(await project.pidIn('a.pid'));
  });

  test('leaves a daemon alone that was started without the tree in its environment', async ({
    makeProject,
  }) => {
    const project = makeProject();
    await runShell(project, `(unset RALPH_LOOP_TREE; ${leaveDaemon('a.pid')})`);
    expect(isRunning(await project.pidIn('a.pid'))).toBe(true);
  });

  test('leaves a daemon alone that an earlier command of the same tree keeps running', async ({
    makeProject,
  }) => {
    const project = makeProject();
    const env = { ...project.environment, RALPH_LOOP_TREE: 'outer-tree' };
    const first = runShell(project, `${leaveDaemon('a.pid')}; ${waitFor('go')}`, { env });
    const daemon = await project.pidIn('a.pid');
    await runShell(project, 'true', { env });
    expect(isRunning(daemon)).toBe(true);
    project.write({ go: '' });
    await first;
    await expectGone(daemon);
  });
});

describe.concurrent('when the caller aborts, runCommand', () => {
  test.for(TREES)('ends $tree', async ({ command, pidFiles }, { makeProject }) => {
    const project = makeProject();
    const abort = new AbortController();
    const result = runShell(project, `echo before; ${command}`, {}, { signal: abort.signal });
    const pids = await Promise.all(pidFiles.map(project.pidIn));
    abort.abort();
    const { end, output } = await result;
    expect(end).toEqual({ how: 'aborted' });
    expect(textOf(output)).toBe('before\n');
    await expectGone(...pids);
  });

  test('does not start a command that was aborted before', async ({ makeProject }) => {
    const project = makeProject();
    const { end } = await runShell(project, 'touch started', {}, { signal: AbortSignal.abort() });
    expect(end).toEqual({ how: 'aborted' });
    expect(project.has('started')).toBe(false);
  });

  test('does not change the result of a command that has ended', async ({ makeProject }) => {
    const project = makeProject();
    const abort = new AbortController();
    const onOutput = () => project.write({ go: '' });
    const hooks = { signal: abort.signal, onOutput };
    const { end } = await runShell(project, `echo ready; ${waitFor('go')}; exit 4`, {}, hooks);
    abort.abort();
    expect(end).toEqual({ how: 'exited', exitCode: 4 });
  });
});
