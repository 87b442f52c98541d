import { describe, expect } from 'vitest';
import { ralphLoop } from '../helpers/bin.ts';
import { eventually } from '../helpers/eventually.ts';
import { git, gitProject } from '../helpers/git-project.ts';
import { expectGone } from '../helpers/processes.ts';
import { type Project, test } from '../helpers/project.ts';
import { sleepLong, waitForChild } from '../helpers/shell-commands.ts';
import { answerOf, hookAnswers, mainStops, startHook } from '../helpers/stops.ts';
import { CLAUDE_CODE, chains, readChain, stops, typed, types } from '../helpers/typed-gates.ts';

const startStop = (project: Project) => startHook(project, mainStops(project), CLAUDE_CODE);

const NOT_VERIFIED = 'the typed gates were not verified at this stop';

describe.concurrent('during its run in the hook, a chain', () => {
  test.for([
    ['is aborted by a program', (project: Project) => ralphLoop(project, ['gate', 'abort']), 'gate abort'],
    ['is skipped by a program', (project: Project) => ralphLoop(project, ['gate', 'skip']), 'gate skip'],
    ['is aborted in a prompt', (project: Project) => typed(project, ':: gate_action:abort'), NOT_VERIFIED],
  ] as const)(
    '%s: its processes end, and the stop is allowed',
    async ([, act, reported], { makeProject }) => {
      const project = makeProject();
      await typed(project, `x :: verify:"${waitForChild('pid', 'child.pid')}"`);
      const hook = startStop(project);
      const pids = [await project.pidIn('pid'), await project.pidIn('child.pid')];
      await act(project);
      await expectGone(...pids);
      expect(answerOf(await hook)).toEqual({ systemMessage: expect.stringContaining(reported) });
      expect(chains(project)).toEqual([]);
    },
  );

  test('is replaced by new gates, which are verified at the next stop', async ({ makeProject }) => {
    const project = makeProject();
    await typed(project, `one :: verify:"${sleepLong('pid')}"`);
    const hook = startStop(project);
    const pid = await project.pidIn('pid');
    await typed(project, 'two :: verify:"false"');
    await expectGone(pid);
    expect(answerOf(await hook)).toEqual({ systemMessage: expect.stringContaining(NOT_VERIFIED) });
    expect((await stops(project)).reason).toContain('Command failed: false');
  });

  test('is retried, the agent continues, and no attempt is counted', async ({ makeProject }) => {
    const project = makeProject();
    await typed(project, `x :: verify:"${sleepLong('pid')}"`);
    const hook = startStop(project);
    const pid = await project.pidIn('pid');
    await ralphLoop(project, ['gate', 'retry']);
    await expectGone(pid);
    expect(answerOf(await hook)).toMatchObject({
      decision: 'block',
      reason: expect.stringContaining('attempts start again at 1'),
    });
    expect(readChain(project)).toMatchObject({ attempts: 0, status: 'awaiting', running: null });
  });

  test('is skipped to its next step, which the agent reads', async ({ makeProject }) => {
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

test('a run whose hook is killed counts, and the next hook verifies the chain', async ({ makeProject }) => {
  const project = makeProject();
  await typed(project, `x :: verify:"${sleepLong('pid')}" max:3`);
  const hook = startStop(project);
  await project.pidIn('pid');
  // A second hook does not run the same commands at the same time: it waits.
  const second = startStop(project);
  hook.kill('SIGKILL');
  await hook;
  await eventually('the second attempt is counted', () => readChain(project).attempts === 2);
  second.kill('SIGTERM');
  await second;
  expect(readChain(project)).toMatchObject({ attempts: 2, running: null });
});

test('a command that runs git clean -fdx does not end its chain', async ({ makeProject }) => {
  const project = gitProject(makeProject, { 'a.txt': '' });
  await typed(project, 'x :: verify:"git clean -fdxq; test -e fixed" max:2');
  expect(git(project, 'status', '--porcelain')).toBe('');
  expect((await stops(project)).reason).toMatch(/^Iteration 1\/2\./);
  expect((await stops(project)).systemMessage).toContain('limit of 2 attempts reached');
});

test('five concurrent sessions have separate chains', async ({ makeProject }) => {
  const project = makeProject();
  const sessions = ['a', 'b', 'c', 'd', 'e'];
  for (const session of sessions) {
    const prompt = `x :: verify:"echo this is ${session}; exit 1" max:2`;
    await hookAnswers(project, types(project, prompt, { session_id: session }), CLAUDE_CODE);
  }
  const all = () =>
    Promise.all(sessions.map((session) => stops(project, { session_id: session, agent_id: undefined })));
  for (const [index, { reason }] of (await all()).entries()) {
    expect(reason).toMatch(/^Iteration 1\/2\./);
    expect(reason).toContain(`\nthis is ${sessions[index]}\n`);
  }
  expect((await all()).map(({ systemMessage }) => systemMessage)).toEqual(
    sessions.map((session) => expect.stringContaining(`this is ${session}`)),
  );
});
