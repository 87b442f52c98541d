import { renameSync, rmSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { type Project, test, trellisFiles, worktreeYaml } from '../../helpers/project.ts';
import { checkStops, type HookAnswer, hookAnswers, mainStops } from '../../helpers/stops.ts';

/** The hook of Claude Code, which shows its messages to the person. */
const answers = (project: Project, event: object, env = {}): Promise<HookAnswer> =>
  hookAnswers(project, event, { env: { CLAUDECODE: '1', ...env } });
/** Each project has sessions of its own: the record of a session is not in the project. */
const session = ({ root }: Project) => ({ session_id: root });
const STAND_ALONE = { 'worktree.yaml': worktreeYaml(['true', 'echo two']) };

describe('a stop that nothing verifies any more is reported to the person, if', () => {
  test.for<{ how: string; change: (project: Project) => void; env?: Record<string, string>; why: string }>([
    {
      how: 'the config is gone',
      change: ({ path }) => rmSync(path('worktree.yaml')),
      why: 'no worktree.yaml was found',
    },
    {
      how: 'the config is renamed',
      change: ({ path }) => renameSync(path('worktree.yaml'), path('worktree.yml')),
      why: 'no worktree.yaml was found',
    },
    {
      how: 'its gates are commented out',
      change: ({ write }) => write({ 'worktree.yaml': 'verify:\n  # - true\n' }),
      why: 'no gates are configured',
    },
    {
      how: 'its list of gates is empty',
      change: ({ write }) => write({ 'worktree.yaml': 'verify: []\n' }),
      why: 'no gates are configured',
    },
    {
      how: 'it guards other agents',
      change: ({ write }) =>
        write({ 'worktree.yaml': `${STAND_ALONE['worktree.yaml']}ralph:\n  agents: [check]\n` }),
      why: 'agent "main" is not among check',
    },
    {
      how: '.git is gone',
      change: ({ path }) => rmSync(path('.git'), { recursive: true }),
      why: 'not in a git',
    },
    {
      how: 'RALPH_LOOP is set',
      change: () => {},
      env: { RALPH_LOOP: '1' },
      why: 'a gate started the agent',
    },
  ])('$how', async ({ change, env, why }, { makeProject }) => {
    const project = makeProject(STAND_ALONE);
    await answers(project, mainStops(project, session(project)));
    change(project);

    expect(await answers(project, mainStops(project, session(project)), env)).toEqual({
      systemMessage: expect.stringMatching(/^ralph-loop: this stop was not verified, although earlier ones/),
    });
    const { systemMessage } = await answers(project, mainStops(project, session(project)), env);
    expect(systemMessage).toContain(why);
    expect(systemMessage).toContain(`${project.root}: true, echo two`);
  });

  test('the task is no longer set', async ({ makeProject }) => {
    const project = makeProject(trellisFiles(['true']));
    await answers(project, checkStops(project, session(project)));
    rmSync(project.path('.trellis/.current-task'));
    const { systemMessage } = await answers(project, checkStops(project, session(project)));

    expect(systemMessage).toContain('no current task is set');
  });

  test('the agent works in another directory', async ({ makeProject }) => {
    const project = makeProject(STAND_ALONE);
    await answers(project, mainStops(project, session(project)));
    const elsewhere = mainStops(project, { ...session(project), cwd: project.home });

    expect((await answers(project, elsewhere)).systemMessage).toContain('is not in a git repository');
  });
});

describe('a stop that nothing verifies is allowed silently', () => {
  test('in a session that was never guarded', async ({ makeProject }) => {
    const project = makeProject({ 'README.md': '' });

    expect(await answers(project, mainStops(project, session(project)))).toEqual({});
  });

  test('for a subagent that was never guarded', async ({ makeProject }) => {
    const project = makeProject(STAND_ALONE);
    await answers(project, mainStops(project, session(project)));
    const other = checkStops(project, { ...session(project), agent_type: 'implement' });

    expect(await answers(project, other)).toEqual({});
  });

  test('while background agents work', async ({ makeProject }) => {
    const project = makeProject(STAND_ALONE);
    await answers(project, mainStops(project, session(project)));
    const background_tasks = [{ type: 'subagent', status: 'running', agent_type: 'x' }];

    expect(await answers(project, mainStops(project, { ...session(project), background_tasks }))).toEqual({});
  });
});

test('gates that are removed during a session are reported when the stop is allowed', async ({
  makeProject,
}) => {
  const project = makeProject(STAND_ALONE);
  await answers(project, mainStops(project, session(project)));
  project.write({ 'worktree.yaml': worktreeYaml(['true']) });

  expect((await answers(project, mainStops(project, session(project)))).systemMessage).toContain(
    '1 gate of earlier stops of this session is no longer in the config: echo two',
  );
});
