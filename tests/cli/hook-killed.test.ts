import { existsSync, readdirSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { stateDirectory } from '../../src/state/paths.ts';
import { ralphLoop } from '../helpers/bin.ts';
import { expectGone, isRunning } from '../helpers/processes.ts';
import { type Project, test, worktreeYaml } from '../helpers/project.ts';
import { leaveDaemon, leaveSession, sleepLong, waitFor } from '../helpers/shell-commands.ts';
import { mainStops, startHook } from '../helpers/stops.ts';
import { typed } from '../helpers/typed-gates.ts';

/** A gate with a child in a session of its own and a daemon; the second time it passes. */
const GATE = `if [ -e c.pid ]; then exit 0; fi; ${leaveSession('a.pid')}; ${leaveDaemon('b.pid')}; ${sleepLong('c.pid')}`;

const pidsOf = (project: Project) => Promise.all(['a.pid', 'b.pid', 'c.pid'].map(project.pidIn));
const recordsOf = ({ root }: Project) => {
  const directory = stateDirectory(root);
  return existsSync(directory) ? readdirSync(directory).filter((name) => name.startsWith('running-')) : [];
};

describe('what the gates of a killed hook have left running is ended by', () => {
  test.for([
    { by: 'the next stop', next: (project: Project) => startHook(project, mainStops(project)) },
    { by: 'verify', next: (project: Project) => ralphLoop(project, ['verify']) },
    { by: 'reset', next: (project: Project) => ralphLoop(project, ['reset']) },
  ])('$by', async ({ next }, { makeProject }) => {
    const project = makeProject({ 'worktree.yaml': worktreeYaml([GATE]) });
    const hook = startHook(project, mainStops(project));
    const pids = await pidsOf(project);
    hook.kill('SIGKILL');
    await hook;
    expect(pids.map(isRunning)).toEqual([true, true, true]);
    await next(project);
    await expectGone(...pids);
    expect(recordsOf(project)).toEqual([]);
  });

  test('gate abort, for typed gates', async ({ makeProject }) => {
    const project = makeProject();
    await typed(project, 'Do it :: verify:"sh gate.sh"');
    project.write({ 'gate.sh': GATE });
    const hook = startHook(project, mainStops(project));
    const pids = await pidsOf(project);
    hook.kill('SIGKILL');
    await hook;
    expect((await ralphLoop(project, ['gate', 'abort'])).exitCode).toBe(0);
    await expectGone(...pids);
  });
});

test('the gates of a hook that runs are left alone by another one', async ({ makeProject }) => {
  const project = makeProject({
    'worktree.yaml': worktreeYaml([`${leaveDaemon('a.pid')}; ${waitFor('go')}`]),
  });
  const hook = startHook(project, mainStops(project));
  const daemon = await project.pidIn('a.pid');
  await ralphLoop(project, ['reset']);
  expect(isRunning(daemon)).toBe(true);
  expect(recordsOf(project)).toHaveLength(1);
  project.write({ go: '' });
  await hook;
  await expectGone(daemon);
  expect(recordsOf(project)).toEqual([]);
});
