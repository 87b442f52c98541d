import { execFileSync, spawn } from 'node:child_process';
import { describe, expect, vi } from 'vitest';
import {
  identifyProcess,
  isSameProcess,
  killOrphans,
  signalGroup,
  statusFromPs,
  TREE_VARIABLE,
  treeValue,
} from '../../src/process/process-group.ts';
import { eventually } from '../helpers/eventually.ts';
import { deadPid, expectGone, isRunning } from '../helpers/processes.ts';
import { type Project, test } from '../helpers/project.ts';
import { runShell } from '../helpers/run-shell.ts';
import { sleepLong } from '../helpers/shell-commands.ts';

const ID = `tree-${process.pid}-${Date.now()}`;

describe.concurrent('killOrphans', () => {
  test.for([
    { value: treeValue(ID, {}), what: 'that left the process group' },
    { value: treeValue(ID, { [TREE_VARIABLE]: 'outer-tree' }), what: 'within another tree' },
    { value: treeValue('inner-tree', { [TREE_VARIABLE]: ID }), what: 'in a tree within it' },
  ])('kills a process of its tree $what', async ({ value }, { makeProject }) => {
    const project = makeProject();
    const child = await startMarked(project, { [TREE_VARIABLE]: value });
    await killOrphans(ID);
    await expectGone(child);
  });

  test.for([
    { env: { [TREE_VARIABLE]: `${ID}-2` }, what: 'in a tree whose id begins with its id' },
    { env: { [TREE_VARIABLE]: `a-${ID}` }, what: 'in a tree whose id ends with its id' },
    { env: { OTHER: ID }, what: 'with its id in another variable' },
    { env: { OTHER: `x\n${TREE_VARIABLE}=${ID}` }, what: 'with the whole assignment in another variable' },
    { env: { [`X${TREE_VARIABLE}`]: ID }, what: 'with its id in a variable whose name ends like it' },
  ])('leaves a process $what alone', async ({ env }, { makeProject }) => {
    const child = await startMarked(makeProject(), env);
    for (const id of [ID, '', 'PATH=', TREE_VARIABLE, ID.slice(0, 8), ':', 'sleep']) await killOrphans(id);
    expect(isRunning(child)).toBe(true);
  });
});

/** Starts a process in a session of its own. */
async function startMarked(project: Project, env: Readonly<Record<string, string>>): Promise<number> {
  spawn('/bin/sh', ['-c', sleepLong('a.pid')], {
    cwd: project.root,
    env: { ...project.environment, ...env },
    stdio: 'ignore',
    detached: true,
  }).unref();
  return project.pidIn('a.pid');
}

test.for([-1, 0, 1, 1.5, Number.NaN])('signalGroup signals nothing for the leader %d', (leader) => {
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  expect(signalGroup(leader, 'SIGKILL')).toBe(false);
  expect(kill).not.toHaveBeenCalled();
  kill.mockRestore();
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
  expect(await isSameProcess({ ...identity, started: null })).toBe(false);
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
