import { rmSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { type Project, test, worktreeYaml } from '../../helpers/project.ts';
import { checkStops, type HookAnswer, hookAnswers, mainStops } from '../../helpers/stops.ts';

/** The hook of Claude Code, which shows its messages to the person. */
const answers = (project: Project, event: object, env = {}): Promise<HookAnswer> =>
  hookAnswers(project, event, { env: { CLAUDECODE: '1', ...env } });
/** Each project has sessions of its own: the record of a session is not in the project. */
const session = ({ root }: Project) => ({ session_id: root });
const STAND_ALONE = { 'worktree.yaml': worktreeYaml(['true', 'echo two']) };

test('a stop that nothing verifies any more is reported to the person', async ({ makeProject }) => {
  const project = makeProject(STAND_ALONE);
  await answers(project, mainStops(project, session(project)));
  // The gates of the session are not known without their record, and a project without a config is none.
  rmSync(project.path('@'), { recursive: true });
  rmSync(project.path('worktree.yaml'));
  const { systemMessage, decision } = await answers(project, mainStops(project, session(project)));
  expect(decision).toBeUndefined();
  expect(systemMessage).toMatch(/^ralph-loop: this stop was not verified, although earlier ones/);
  expect(systemMessage).toContain('no worktree.yaml was found');
  expect(systemMessage).toContain(`${project.root}: true, echo two`);
  expect(systemMessage).toContain('the record of the gates of this session was removed');
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
