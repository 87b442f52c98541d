import { describe, expect } from 'vitest';
import { ralphLoop } from '../helpers/bin.ts';
import { expectGone } from '../helpers/processes.ts';
import { type Project, test } from '../helpers/project.ts';
import { sleepLong, waitForChild } from '../helpers/puppets.ts';
import { answerOf, mainStops, startHook } from '../helpers/stops.ts';
import { CLAUDE_CODE, chains, readChain, stops, typed } from '../helpers/typed-gates.ts';

const startStop = (project: Project) => startHook(project, mainStops(project), CLAUDE_CODE);

describe.concurrent('while its command runs, a chain', () => {
  test.for([
    ['is called off in a terminal', (project: Project) => ralphLoop(project, ['gate', 'abort'])],
    ['is skipped in a terminal', (project: Project) => ralphLoop(project, ['gate', 'skip'])],
    ['is called off in a prompt', (project: Project) => typed(project, ':: gate_action:abort')],
  ] as const)('%s: all that runs for it ends, and the stop is let go', async ([, act], { makeProject }) => {
    const project = makeProject();
    await typed(project, `x :: verify:"${waitForChild('pid', 'child.pid')}"`);
    const hook = startStop(project);
    const pids = [await project.pidIn('pid'), await project.pidIn('child.pid')];
    await act(project);
    await expectGone(...pids);
    expect(answerOf(await hook)).toEqual({});
    expect(chains(project)).toEqual([]);
  });

  test('gives way to what is typed next, whose command is run', async ({ makeProject }) => {
    const project = makeProject();
    await typed(project, `one :: verify:"${sleepLong('pid')}"`);
    const hook = startStop(project);
    const pid = await project.pidIn('pid');
    await typed(project, 'two :: verify:"false"');
    await expectGone(pid);
    expect(answerOf(await hook)).toEqual({});
    expect((await stops(project)).reason).toContain('Command failed: false');
  });

  test('is retried: the agent goes on, and nothing is counted', async ({ makeProject }) => {
    const project = makeProject();
    await typed(project, `x :: verify:"${sleepLong('pid')}"`);
    const hook = startStop(project);
    const pid = await project.pidIn('pid');
    await ralphLoop(project, ['gate', 'retry']);
    await expectGone(pid);
    expect(answerOf(await hook)).toMatchObject({
      decision: 'block',
      reason: expect.stringContaining('The attempts start again at 1.'),
    });
    expect(readChain(project)).toMatchObject({ attempts: 0, status: 'awaiting', running: null });
  });

  test('is skipped: the agent gets its next step', async ({ makeProject }) => {
    const project = makeProject();
    await typed(project, `one :: verify:"${sleepLong('pid')}" --> two :: verify:"true"`);
    const hook = startStop(project);
    const pid = await project.pidIn('pid');
    await ralphLoop(project, ['gate', 'skip']);
    await expectGone(pid);
    expect(answerOf(await hook).reason).toMatch(/counts as unverified[\s\S]*Step 2 of 2:\ntwo\n/);
    expect((await stops(project)).systemMessage).toContain('1 step unverified');
  });
});
