import { execFileSync } from 'node:child_process';
import { expect } from 'vitest';
import {
  identifyProcess,
  isSameProcess,
  killOrphans,
  statusFromPs,
  TREE_VARIABLE,
  treeValue,
} from '../../src/process/process-group.ts';
import { eventually } from '../helpers/eventually.ts';
import { deadPid, expectGone, isRunning } from '../helpers/processes.ts';
import { test } from '../helpers/project.ts';
import { runShell } from '../helpers/run-shell.ts';
import { leaveSession, sleepLong } from '../helpers/shell-commands.ts';

test('killOrphans kills the processes of its tree that left the process group, and no others', async ({
  makeProject,
}) => {
  const project = makeProject();
  const id = `tree-${process.pid}-${Date.now()}`;
  const env = { ...project.environment, [TREE_VARIABLE]: treeValue(id, {}) };
  await runShell(project, leaveSession('a.pid'), { env });
  const pid = await project.pidIn('a.pid');
  expect(isRunning(pid)).toBe(true);
  await killOrphans('another-tree');
  expect(isRunning(pid)).toBe(true);
  await killOrphans(id);
  await expectGone(pid);
});

test('treeValue marks a tree within a tree for both', () => {
  expect(treeValue('inner', { [TREE_VARIABLE]: 'outer' })).toBe('outer:inner');
  expect(treeValue('only', {})).toBe('only');
});

test('isSameProcess distinguishes a process from another one with its pid', async ({ makeProject }) => {
  const project = makeProject();
  const running = runShell(project, sleepLong('a.pid'), { timeoutMs: 60_000 });
  const identity = await identifyProcess(await project.pidIn('a.pid'));
  expect(identity.started).not.toBeNull();
  expect(await isSameProcess(identity)).toBe(true);
  expect(await isSameProcess({ ...identity, started: 'another time' })).toBe(false);
  expect(await isSameProcess({ ...identity, started: null })).toBe(true);
  expect(await isSameProcess(await identifyProcess(deadPid()))).toBe(false);
  expect(await statusFromPs(identity.pid)).toEqual({
    state: expect.stringMatching(/^[RSD]/),
    started: expect.stringMatching(/ \d+:\d+:\d+ /),
  });
  expect(await statusFromPs(deadPid())).toBeUndefined();
  process.kill(identity.pid, 'SIGKILL');
  await running;
  expect(await isSameProcess(identity)).toBe(false);
});

test('isSameProcess is false for a zombie', async ({ makeProject }) => {
  const project = makeProject();
  // The program that replaced the shell does not reap its children.
  const command = 'sleep 600 & echo $! > a.pid; echo $$ > b.pid; exec sleep 600';
  const running = runShell(project, command, { timeoutMs: 60_000 });
  const identity = await identifyProcess(await project.pidIn('a.pid'));
  const parent = String(await project.pidIn('b.pid'));
  // Until then it is the shell, which may reap its children.
  await eventually('the shell is replaced', () =>
    execFileSync('ps', ['-o', 'comm=', '-p', parent], { encoding: 'utf8' }).includes('sleep'),
  );
  expect(await isSameProcess(identity)).toBe(true);
  process.kill(identity.pid, 'SIGKILL');
  await expectGone(identity.pid);
  expect(() => process.kill(identity.pid, 0)).not.toThrow();
  expect(await isSameProcess(identity)).toBe(false);
  process.kill(Number(parent), 'SIGKILL');
  await running;
});
