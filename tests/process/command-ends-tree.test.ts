import { describe, expect } from 'vitest';
import { expectGone, isRunning } from '../helpers/processes.ts';
import { test } from '../helpers/project.ts';
import { runShell, textOf } from '../helpers/run-shell.ts';
import {
  ignoreTerm,
  leaveChild,
  leaveChildIgnoringTerm,
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

  test('does not wait for a child in its own session that holds the pipe', async ({ makeProject }) => {
    const project = makeProject();
    const result = runShell(project, `${leaveSession('b.pid')}; ${sleepLong('a.pid')}`, {
      timeoutMs: LIMIT_MS,
    });
    const [leader, child] = await Promise.all([project.pidIn('a.pid'), project.pidIn('b.pid')]);
    expect((await result).end).toEqual({ how: 'timed-out' });
    await expectGone(leader);
    expect(isRunning(child)).toBe(true);
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
  ])('kills $leaves and reports the exit code', async ({ command, exitCode }, { makeProject }) => {
    const project = makeProject();
    const { end } = await runShell(project, command);
    expect(end).toEqual({ how: 'exited', exitCode });
    await expectGone(await project.pidIn('a.pid'));
  });

  test('does not wait for a child in its own session that holds the pipe', async ({ makeProject }) => {
    const project = makeProject();
    const { end } = await runShell(project, leaveSession('a.pid'));
    expect(end).toEqual({ how: 'exited', exitCode: 0 });
    expect(isRunning(await project.pidIn('a.pid'))).toBe(true);
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
