import { describe, expect } from 'vitest';
import { agentRunOf, savedRun } from '../helpers/agent-run.ts';
import { ralphLoop } from '../helpers/bin.ts';
import { test, trellisFiles } from '../helpers/project.ts';

describe.concurrent('ralph-loop watch in a pipe', () => {
  test('prints the board once', async ({ makeProject }) => {
    const project = makeProject({
      ...trellisFiles(['npm test']),
      ...savedRun(agentRunOf({ status: 'interrupted' })),
    });
    expect(await ralphLoop(project, ['watch'])).toMatchObject({
      exitCode: 0,
      stdout: `TODO 1
  demo
CODER 1
  TASK-001  Log people in
    ↻ Coder (3/15)
    interrupted: run --resume continues
DONE 0
FAILED 0
`,
      stderr: '',
    });
  });

  test.for([
    { env: { FORCE_COLOR: '1' }, isColoured: true },
    { env: { FORCE_COLOR: '' }, isColoured: true },
    { env: { FORCE_COLOR: '0' }, isColoured: false },
    { env: { NO_COLOR: '1' }, isColoured: false },
    { env: {}, isColoured: false },
  ])('has colours with $env: $isColoured', async ({ env, isColoured }, { makeProject }) => {
    const project = makeProject(savedRun(agentRunOf({ status: 'failed' })));
    const { stdout } = await ralphLoop(project, ['watch'], { env });
    expect(stdout.includes('\x1b[31m')).toBe(isColoured);
  });

  test('shows agent runs without a config', async ({ makeProject }) => {
    const project = makeProject(savedRun(agentRunOf({ status: 'passed' })));
    expect((await ralphLoop(project, ['watch'])).stdout).toContain('DONE 1\n  TASK-001');
  });

  test('prints the same as status without a project', async ({ makeProject }) => {
    const project = makeProject();
    const { exitCode, stdout } = await ralphLoop(project, ['watch']);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringContaining('No worktree.yaml or gate.config.json was found'),
    });
    expect((await ralphLoop(project, ['status'])).stdout).toBe(stdout);
  });

  test('masks secrets', async ({ makeProject }) => {
    const project = makeProject({
      ...trellisFiles(['true']),
      '.trellis/tasks/demo/task.json': '{"title":"Use hunter2-hunter2 there"}',
    });
    const { stdout } = await ralphLoop(project, ['watch'], { env: { LOGIN_TOKEN: 'hunter2-hunter2' } });
    expect(stdout).toContain('demo  Use *** there');
  });
});
