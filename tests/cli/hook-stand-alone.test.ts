import { readdirSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { type Project, test } from '../helpers/project.ts';
import {
  checkStops,
  decisions,
  hookAnswers,
  logOf,
  mainStops,
  sessionOf,
  stateOf,
} from '../helpers/stops.ts';

const FAILING = { 'worktree.yaml': 'verify:\n  - test -e repaired\n' };
const ROUND = ['block', 'block', 'block', 'block', 'allow'];

const loops = (project: Project) =>
  readdirSync(project.path('@/')).filter((name) => name.startsWith('loop-'));

describe.concurrent('a worktree.yaml of three lines', () => {
  test("guards the main agent's stop, with at most four blocks", async ({ makeProject }) => {
    const project = makeProject(FAILING);
    expect(await decisions(project, mainStops(project), 6)).toEqual([...ROUND, 'block']);
  });

  test('guards the check subagent in a separate loop', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    await decisions(project, mainStops(project), 3);
    expect((await hookAnswers(project, checkStops(project))).reason).toMatch(/^Iteration 1\/5\./);
    expect((await hookAnswers(project, mainStops(project))).reason).toMatch(/^Iteration 4\/5\./);
    expect(loops(project)).toHaveLength(2);
  });

  test('guards no other agent, not even a subagent named main', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    expect(await hookAnswers(project, checkStops(project, { agent_type: 'implement' }))).toEqual({});
    expect(await hookAnswers(project, checkStops(project, { agent_type: 'main' }))).toEqual({});
  });

  test.for([
    { same: 'session and agent', of: {}, iteration: 2 },
    { same: 'session, another agent', of: { agent_id: 'agent-2' }, iteration: 1 },
    { same: 'agent, another session', of: { session_id: 'session-2' }, iteration: 1 },
  ])('counts by $same', async ({ of, iteration }, { makeProject }) => {
    const project = makeProject(FAILING);
    await hookAnswers(project, checkStops(project));
    const { reason } = await hookAnswers(project, checkStops(project, of));
    expect(reason).toMatch(new RegExp(`^Iteration ${iteration}/5\\.`));
  });

  test('leaves no state after a pass or after the limit', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    await decisions(project, mainStops(project), 2);
    expect(loops(project)).toHaveLength(1);
    const [file = ''] = loops(project);
    expect(JSON.parse(project.read(`@/${file}`))).toEqual({
      task: `session:${sessionOf(project)}/main`,
      iteration: 2,
      started_at: expect.any(String),
      last_stop_at: expect.any(String),
      blocks: 2,
    });
    project.write({ repaired: '' });
    expect(await hookAnswers(project, mainStops(project))).toEqual({});
    expect(loops(project)).toEqual([]);
    project.write({ 'worktree.yaml': 'verify:\n  - false\n' });
    expect(await decisions(project, mainStops(project), 5)).toEqual(ROUND);
    expect(loops(project)).toEqual([]);
  });

  test('counts by the current task, in the state file of Trellis', async ({ makeProject }) => {
    const project = makeProject({ ...FAILING, '.trellis/.current-task': 'tasks/demo' });
    await hookAnswers(project, mainStops(project));
    await hookAnswers(project, checkStops(project, { session_id: 'session-2' }));
    expect(stateOf(project)).toMatchObject({ task: '.trellis/tasks/demo', iteration: 2 });
  });

  test('guards a session whose id is a path', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    const session_id = `../../../../${'x'.repeat(300)}/\ud800 é`;
    expect(await decisions(project, mainStops(project, { session_id }), 5)).toEqual(ROUND);
    expect(readdirSync(project.path('..')).toSorted()).toEqual(['home', 'my project', 'tmp']);
  });

  test('leaves a clean tree for git', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    await decisions(project, mainStops(project), 2);
    expect(project.read('.trellis/.ralph/.gitignore')).toBe('*\n');
  });

  test('is ignored beside a .trellis/worktree.yaml', async ({ makeProject }) => {
    const project = makeProject({ ...FAILING, '.trellis/worktree.yaml': 'verify:\n  - true\n' });
    expect(await hookAnswers(project, mainStops(project))).toEqual({});
    expect(logOf(project)).toMatchObject([{ answer: 'ignore', why: 'no current task is set' }]);
  });
});

test.concurrent('the settings of `ralph:` apply', async ({ makeProject }) => {
  const ralph =
    'ralph:\n  agents: [main, reviewer]\n  max_iterations: 2\n  fail_fast: false\n  command_timeout: 0.2\n';
  const project = makeProject({ 'worktree.yaml': `verify:\n  - exec sleep 600\n  - touch second\n${ralph}` });
  expect(await hookAnswers(project, checkStops(project))).toEqual({});
  const { reason } = await hookAnswers(project, checkStops(project, { agent_type: 'reviewer' }));
  expect(reason).toMatch(/^Iteration 1\/2\. Verification failed:\nCommand timed out: exec sleep 600\n/);
  expect(project.has('second')).toBe(true);
  expect(await decisions(project, mainStops(project), 3)).toEqual(['block', 'allow', 'block']);
});
