import { readdirSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { ralphLoop, startRalphLoop } from '../helpers/bin.ts';
import { eventually } from '../helpers/eventually.ts';
import { test } from '../helpers/project.ts';

describe.concurrent('ralph-loop demo', () => {
  test('shows a blocked stop, the fix and the allowed stop, and leaves nothing behind', async ({
    makeProject,
  }) => {
    const project = makeProject({ 'tmp/keep': '' });
    const env = { TMPDIR: project.path('tmp'), XDG_STATE_HOME: project.path('state') };
    const { exitCode, stdout, stderr } = await ralphLoop(project, ['demo'], { env });

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(
      /Blocks the stop[\s\S]*✗ adds the shipping costs: expected 54\.9, got 50[\s\S]*Allows the stop[\s\S]*2 gates passed/,
    );
    expect(readdirSync(project.path('tmp'))).toEqual(['keep']);
    const kept = readdirSync(env.XDG_STATE_HOME, { recursive: true }).map(String);
    expect(kept.filter((path) => path.includes('ralph-loop-demo-'))).toEqual([]);
  });

  test('reports a temporary directory that does not exist', async ({ makeProject }) => {
    const env = { TMPDIR: '/no/such/directory' };
    const { exitCode, stdout, stderr } = await ralphLoop(makeProject({}), ['demo'], { env });

    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(
      'Cannot create a temporary project in /no/such/directory: no such file or directory\n',
    );
  });

  test('works inside a gate, whose hook would ignore the stop', async ({ makeProject }) => {
    const { exitCode } = await ralphLoop(makeProject({}), ['demo'], { env: { RALPH_LOOP: '1' } });

    expect(exitCode).toBe(0);
  });

  test('works while another demo is at its first stop', async ({ makeProject }) => {
    const demos = [1, 2, 3].map(() => ralphLoop(makeProject({}), ['demo']));

    expect((await Promise.all(demos)).map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
  });

  test('removes its project when it is interrupted', async ({ makeProject }) => {
    const project = makeProject({ 'tmp/keep': '' });
    const demo = startRalphLoop(project, ['demo'], { env: { TMPDIR: project.path('tmp') } });
    await eventually('the demo has made its project', () => readdirSync(project.path('tmp')).length === 2);
    demo.kill('SIGINT');
    const { exitCode } = await demo;

    expect(exitCode).toBe(130);
    expect(readdirSync(project.path('tmp'))).toEqual(['keep']);
  });
});
