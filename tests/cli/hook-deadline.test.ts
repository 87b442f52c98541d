import { describe, expect } from 'vitest';
import { expectGone } from '../helpers/processes.ts';
import { test, trellisFiles } from '../helpers/project.ts';
import { ignoreTerm, sleepLong } from '../helpers/shell-commands.ts';
import { checkStops, hookAnswers, logOf } from '../helpers/stops.ts';

describe.concurrent('at the deadline', () => {
  test.for([
    { gate: 'sleeps', command: sleepLong('a.pid') },
    { gate: 'ignores SIGTERM', command: ignoreTerm('a.pid') },
  ])('blocks the stop as incomplete when a gate $gate', async ({ command }, { makeProject }) => {
    const project = makeProject(trellisFiles([command, 'touch second']));
    const { decision, reason } = await hookAnswers(project, checkStops(project), {
      args: ['--deadline', '3'],
    });
    expect(decision).toBe('block');
    expect(reason).toMatch(/^Iteration 1\/5\. Verification incomplete:\nOut of time: /);
    expect(reason).toContain("the hook's deadline of 3 s");
    // On a loaded machine, the time can be up before the gate has begun.
    if (project.has('a.pid')) await expectGone(await project.pidIn('a.pid'));
    expect(project.has('second')).toBe(false);
    expect(logOf(project)).toMatchObject([
      { answer: 'block', why: 'out-of-time', gates: [{ outcome: 'out-of-time' }, { outcome: 'skipped' }] },
    ]);
  });

  test.for([{ deadline: '--deadline=0.4' }, { deadline: '--deadline=0.001' }])(
    'the stop is blocked even if no gate could start before it: $deadline',
    async ({ deadline }, { makeProject }) => {
      const project = makeProject(trellisFiles(['exec sleep 600']));
      const { decision, reason } = await hookAnswers(project, checkStops(project), { args: [deadline] });
      expect(decision).toBe('block');
      expect(reason).toMatch(/^Iteration 1\/5\. Verification incomplete:/);
    },
  );

  test('the stop is allowed after the limit, with a message', async ({ makeProject }) => {
    const project = makeProject(trellisFiles(['exec sleep 600']));
    const options = { args: ['--deadline=0.4'], env: { CLAUDECODE: '1' } };
    for (let stop = 1; stop <= 4; stop++)
      expect((await hookAnswers(project, checkStops(project), options)).decision).toBe('block');
    expect(await hookAnswers(project, checkStops(project), options)).toEqual({
      systemMessage: expect.stringMatching(
        /stop allowed after the limit of 5 iterations: `exec sleep 600` had no time to finish/,
      ),
    });
  });

  test('reports a gate that failed before', async ({ makeProject }) => {
    const project = makeProject(trellisFiles(['false', 'exec sleep 600'], 'ralph:\n  fail_fast: false\n'));
    const { reason } = await hookAnswers(project, checkStops(project), { args: ['--deadline', '2'] });
    expect(reason).toMatch(/^Iteration 1\/5\. Verification failed:\nCommand failed: false\n/);
  });

  test("reports a gate's own timeout, if it comes first, as a failure", async ({ makeProject }) => {
    const project = makeProject(trellisFiles([`{ name: slow, run: exec sleep 600, timeout: 0.2 }`]));
    const { reason } = await hookAnswers(project, checkStops(project), { args: ['--deadline', '500'] });
    expect(reason).toMatch(/^Iteration 1\/5\. Verification failed:\nCommand timed out: exec sleep 600\n/);
  });

  test.for([
    { typo: ['--deadline', 'soon'] },
    { typo: ['--deadline', '-5'] },
    { typo: ['--deadlin', '500'] },
  ])('the agent is still guarded if the deadline is invalid: $typo', async ({ typo }, { makeProject }) => {
    const project = makeProject(trellisFiles(['false']));
    expect((await hookAnswers(project, checkStops(project), { args: typo })).decision).toBe('block');
    expect(logOf(project)[0]?.notes?.[0]).toContain(typo[0]);
  });
});
