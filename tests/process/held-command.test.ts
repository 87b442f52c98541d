import { describe, expect } from 'vitest';
import { identifyProcess, isSameProcess, lookByPs } from '../../src/process/identity.ts';
import { killOrphans, TREE_VARIABLE, treeValue } from '../../src/process/process-group.ts';
import { deadPid, expectGone, isRunning } from '../helpers/processes.ts';
import { test } from '../helpers/project.ts';
import { leaveSession, sleepLong } from '../helpers/puppets.ts';
import { runShell, textOf } from '../helpers/run-shell.ts';

describe.concurrent('a command', () => {
  test('finds its arguments as they are given', async ({ makeProject }) => {
    const args = ['two words', "it's", '$HOME', ''];
    const { output } = await runShell(makeProject(), 'printf "<%s>" "$@"', { args });
    expect(textOf(output)).toBe("<two words><it's><$HOME><>");
  });

  test.for(['cat', 'cat /dev/stdin'])('reads its input by `%s`', async (command, { makeProject }) => {
    const text = `${'x'.repeat(2_000_000)}\nend\n`;
    const project = makeProject({ 'input.txt': text });
    const { end, output } = await runShell(project, `${command} | wc -c`, {
      inputPath: project.path('input.txt'),
    });
    expect(end).toEqual({ how: 'exited', exitCode: 0 });
    expect(textOf(output).trim()).toBe(String(text.length));
  });

  test('need not read its input', async ({ makeProject }) => {
    const project = makeProject({ 'input.txt': 'x'.repeat(1_000_000) });
    const { end } = await runShell(project, 'exit 3', { inputPath: project.path('input.txt') });
    expect(end).toEqual({ how: 'exited', exitCode: 3 });
  });

  test('whose input is missing does not start', async ({ makeProject }) => {
    const project = makeProject();
    const { end } = await runShell(project, 'touch started', { inputPath: project.path('none.txt') });
    expect(end).toEqual({ how: 'not-started', message: expect.stringContaining('none.txt') });
    expect(project.has('started')).toBe(false);
  });
});

describe.concurrent('a held command', () => {
  test('begins when its process is noted', async ({ makeProject }) => {
    const project = makeProject();
    const { end, output } = await runShell(
      project,
      'cat noted; exec sh -c \'echo "$1"\' sh "$1"',
      { args: ['a b'] },
      {
        onSpawned: async (pid) => {
          expect(isRunning(pid)).toBe(true);
          project.write({ noted: 'noted\n' });
        },
      },
    );
    expect(end).toEqual({ how: 'exited', exitCode: 0 });
    expect(textOf(output)).toBe('noted\na b\n');
  });

  test('does not begin where it cannot be noted', async ({ makeProject }) => {
    const project = makeProject();
    const { end } = await runShell(
      project,
      'touch started',
      {},
      {
        onSpawned: () => Promise.reject(new Error('the disk is full')),
      },
    );
    expect(end).toEqual({ how: 'not-started', message: 'the disk is full' });
    expect(project.has('started')).toBe(false);
  });
});

test('what has left its group is ended by the mark of its tree', async ({ makeProject }) => {
  const project = makeProject();
  const id = `tree-${process.pid}-${Date.now()}`;
  const env = { ...project.environment, [TREE_VARIABLE]: treeValue(id, {}) };
  await runShell(project, leaveSession('a.pid'), { env });
  const pid = await project.pidIn('a.pid');
  expect(isRunning(pid)).toBe(true);
  killOrphans('tree-of-nobody');
  expect(isRunning(pid)).toBe(true);
  killOrphans(id);
  await expectGone(pid);
});

test('a tree within a tree belongs to both', () => {
  expect(treeValue('inner', { [TREE_VARIABLE]: 'outer' })).toBe('outer:inner');
  expect(treeValue('only', {})).toBe('only');
});

test('a marked process is told from another one of its number', async ({ makeProject }) => {
  const project = makeProject();
  const running = runShell(project, sleepLong('a.pid'), { timeoutMs: 60_000 });
  const mark = await identifyProcess(await project.pidIn('a.pid'));
  expect(mark.started).not.toBeNull();
  expect(await isSameProcess(mark)).toBe(true);
  expect(await isSameProcess({ ...mark, started: 'another time' })).toBe(false);
  expect(await isSameProcess({ ...mark, started: null })).toBe(true);
  expect(await isSameProcess(await identifyProcess(deadPid()))).toBe(false);
  expect(await lookByPs(mark.pid)).toEqual({
    state: expect.stringMatching(/^[RSD]/),
    started: expect.stringMatching(/ \d+:\d+:\d+ /),
  });
  expect(await lookByPs(deadPid())).toBeUndefined();
  process.kill(mark.pid, 'SIGKILL');
  await running;
  expect(await isSameProcess(mark)).toBe(false);
});

test('a process that has ended, and whose parent has not noticed, is not there any more', async ({
  makeProject,
}) => {
  const project = makeProject();
  // A shell that has become another program does not look after its children.
  const command = 'sleep 600 & echo $! > a.pid; echo $$ > b.pid; exec sleep 600';
  const running = runShell(project, command, { timeoutMs: 60_000 });
  const mark = await identifyProcess(await project.pidIn('a.pid'));
  expect(await isSameProcess(mark)).toBe(true);
  process.kill(mark.pid, 'SIGKILL');
  await expectGone(mark.pid);
  expect(() => process.kill(mark.pid, 0)).not.toThrow();
  expect(await isSameProcess(mark)).toBe(false);
  process.kill(await project.pidIn('b.pid'), 'SIGKILL');
  await running;
});
