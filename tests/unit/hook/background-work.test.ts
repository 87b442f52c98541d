import { mkdirSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { git, gitProject } from '../../helpers/git-project.ts';
import { type Project, test, trellisFiles, worktreeYaml } from '../../helpers/project.ts';
import { gateHookAnswers, hookAnswers, logOf, mainStops, sessionOf } from '../../helpers/stops.ts';
import { typed } from '../../helpers/typed-gates.ts';

const RED = { 'worktree.yaml': worktreeYaml(['false']) };
const CLAUDE = { CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli' };
const AGENT = { id: 'a', type: 'subagent', agent_type: 'check', status: 'running' };
const shell = (id: string, command = 'make test') => ({ id, type: 'shell', command, status: 'running' });
const wakeUp = (id: string) => ({ id, schedule: '10 9 * * *', recurring: false, prompt: 'go on' });

const waits = (
  project: Project,
  tasks: readonly object[],
  crons: readonly object[] = [],
  more: object = {},
) =>
  hookAnswers(project, mainStops(project, { background_tasks: tasks, session_crons: crons, ...more }), {
    env: CLAUDE,
  });

/** Returns the reasons in the log of stops with these shells, one stop after another. */
async function stopsWith(project: Project, ...shells: readonly (readonly string[])[]): Promise<string[]> {
  for (const ids of shells)
    await waits(
      project,
      ids.map((id) => shell(id)),
    );
  return logOf(project).map(({ why }) => why);
}

describe('the main agent is not judged while it waits for', () => {
  test('background agents, however often it stops', async ({ makeProject }) => {
    const project = makeProject(RED);
    for (let stop = 0; stop < 5; stop++) expect(await waits(project, [AGENT])).toEqual({});
    expect(logOf(project).map(({ answer, why }) => `${answer} ${why}`)).toEqual(
      Array(5).fill('ignore the agent waits for 1 background agent'),
    );
    expect(await waits(project, [{ ...AGENT, status: 'completed' }])).toMatchObject({ decision: 'block' });
  });

  test('a background shell, and the person reads it', async ({ makeProject }) => {
    const project = makeProject(RED);
    expect(await waits(project, [shell('1')])).toEqual({
      systemMessage: 'ralph-loop: this stop is not verified yet: the agent waits for 1 background shell',
    });
    expect(logOf(project)).toMatchObject([
      { answer: 'allow', why: 'postponed', task: null, notes: ['the agent waits for 1 background shell'] },
    ]);
    expect(await waits(project, [])).toMatchObject({ decision: 'block' });
  });

  test('shells, tasks and a wake-up', async ({ makeProject }) => {
    const project = makeProject(RED);
    const tasks = [shell('1'), shell('2'), { ...shell('3'), type: 'monitor' }];
    expect((await waits(project, tasks, [wakeUp('c')])).systemMessage).toMatch(
      /waits for 2 background shells, 1 background task, 1 scheduled wake-up$/,
    );
  });

  test('a shell, with typed gates too', async ({ makeProject }) => {
    const project = makeProject();
    await typed(project, 'x :: verify:"false"');
    expect(await waits(project, [shell('1')])).toMatchObject({
      systemMessage: expect.stringContaining('not verified yet'),
    });
    expect(await waits(project, [])).toMatchObject({ decision: 'block' });
  });
});

describe('the main agent is judged', () => {
  test('when a shell still runs that ran at an earlier stop, such as a server', async ({ makeProject }) => {
    expect(await stopsWith(makeProject(RED), ['1'], ['1'])).toEqual(['postponed', 'gates-failed']);
  });

  test('when a shell still runs that ran while it waited for an agent', async ({ makeProject }) => {
    const project = makeProject(RED);
    await waits(project, [AGENT, shell('1')]);
    expect(await stopsWith(project, ['1'])).toEqual([
      'the agent waits for 1 background agent, 1 background shell',
      'gates-failed',
    ]);
  });

  test('when a shell still runs that ran at a stop that was judged', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': worktreeYaml(['true']) });
    expect(await stopsWith(project, ['1'], ['1'], ['1'], ['1', '2'])).toEqual([
      'postponed',
      'commands-passed',
      'commands-passed',
      'postponed',
    ]);
  });

  test('at the fourth stop with new wake-ups', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': worktreeYaml(['true']) });
    for (const id of ['1', '2', '3', '4', '5']) await waits(project, [], [wakeUp(id)]);
    expect(logOf(project).map(({ why }) => why)).toEqual([
      ...Array(3).fill('postponed'),
      'commands-passed',
      'postponed',
    ]);
  });

  test('after a blocked stop, whatever shells it starts', async ({ makeProject }) => {
    expect(await stopsWith(makeProject(RED), [], ['1'], ['2'])).toEqual(Array(3).fill('gates-failed'));
  });

  test('after a blocked stop and a wait for an agent, whatever shells it starts', async ({ makeProject }) => {
    const project = makeProject(RED);
    await waits(project, []);
    await waits(project, [AGENT]);
    expect(await waits(project, [shell('1')])).toMatchObject({ decision: 'block' });
  });

  test('when it runs a server, which is not waited for', async ({ makeProject }) => {
    expect(await waits(makeProject(RED), [shell('1', 'npm run dev')])).toMatchObject({ decision: 'block' });
  });

  test('without a session, where the stops of one agent are not known', async ({ makeProject }) => {
    const noSession = { session_id: undefined };
    expect(await waits(makeProject(RED), [shell('1')], [], noSession)).toMatchObject({ decision: 'block' });
  });

  test('where the wait cannot be recorded', async ({ makeProject }) => {
    const project = makeProject(RED);
    mkdirSync(project.path(`@/turn-${sessionOf(project)}.json/x`), { recursive: true });
    expect(await waits(project, [shell('1')])).toMatchObject({ decision: 'block' });
  });

  test('by `ralph-gate --hook`, which does not wait for shells', async ({ makeProject }) => {
    const project = makeProject({
      'gate.config.json': JSON.stringify({ gates: [{ name: 'g', command: 'false' }] }),
    });
    const event = mainStops(project, { background_tasks: [shell('1')] });
    expect(await gateHookAnswers(project, event, { env: CLAUDE })).toMatchObject({ decision: 'block' });
  });
});

test('a stop that nothing guards is not said to be postponed', async ({ makeProject }) => {
  for (const files of [
    {},
    trellisFiles(['true'], '# ralph guards no main agent'),
    { 'worktree.yaml': 'ralph:\n  agents: [check]\n' },
  ]) {
    const project = makeProject(files);
    expect(await waits(project, [shell('1')])).toEqual({});
    expect(logOf(project).map(({ why }) => why)).not.toContain('postponed');
  }
});

test('what the agent did before it waited is verified, although a prompt came in between', async ({
  makeProject,
}) => {
  for (const task of [AGENT, shell('1')]) {
    const project = gitProject(makeProject, { ...RED, '.gitignore': '.trellis/.ralph/\n' });
    const prompt = (text: string) =>
      hookAnswers(project, mainStops(project, { hook_event_name: 'UserPromptSubmit', prompt: text }));
    await prompt('go');
    project.write({ new: '' });
    await waits(project, [task]);
    git(project, 'add', '--all');
    // The prompt of a wake-up looks like that of a person.
    await prompt('go on');
    expect(await waits(project, [])).toMatchObject({ decision: 'block' });
  }
});
