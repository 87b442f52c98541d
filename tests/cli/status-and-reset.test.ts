import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { ralphLoop, startRalphLoop } from '../helpers/bin.ts';
import { chainOf, step } from '../helpers/chain.ts';
import { git } from '../helpers/git-project.ts';
import { canBeOtherUser, makeReadOnly, ralphLoopAsOther } from '../helpers/other-user.ts';
import { expectGone } from '../helpers/processes.ts';
import { type Project, test, trellisFiles } from '../helpers/project.ts';
import { AGENT_COMMAND, scriptedAgent } from '../helpers/scripted-agent.ts';
import { sleepLong, waitFor } from '../helpers/shell-commands.ts';
import {
  checkStops,
  decisions,
  hookAnswers,
  LOG_FILE,
  mainStops,
  STATE_FILE,
  sessionOf,
  startHook,
} from '../helpers/stops.ts';
import { verifyGate } from '../helpers/typed-prompt.ts';

const FAILING = trellisFiles(['{ name: lint, run: "true" }', '{ name: test, run: "exit 3" }']);
const STAND_ALONE = { 'worktree.yaml': 'verify:\n  - exit 3\n' };

async function say(project: Project, ...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await ralphLoop(project, args);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout;
}

const statusOf = async (project: Project) => JSON.parse(await say(project, 'status', '--json'));

describe.concurrent('status', () => {
  test('shows iteration, age, expiry, last verdict and failing gate', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    await decisions(project, checkStops(project), 2);
    const text = await say(project, 'status');
    expect(text).toContain('.trellis/worktree.yaml');
    expect(text).toContain('.trellis/tasks/demo: iteration 2/5');
    expect(text).toMatch(/started (?:just now|\d+ s ago), expires in (29|30) min/);
    expect(text).toMatch(/blocked: gates-failed \(test failed, exit 3\)/);
    expect(text).toMatch(/^Last call (?:just now|\d+ s ago): agent check, blocked/m);
    expect([...text].filter((character) => character < ' ' && character !== '\n')).toEqual([]);
    const seconds = expect.any(Number);
    expect(await statusOf(project)).toEqual({
      project: {
        root: project.root,
        layout: 'trellis',
        config: project.path('.trellis/worktree.yaml'),
        problems: [],
      },
      loops: [
        {
          loop: '.trellis/tasks/demo',
          iteration: 2,
          max: 5,
          started_at: expect.any(String),
          age_seconds: seconds,
          expires_in_seconds: seconds,
          expired: false,
          verifying: false,
          last: expect.objectContaining({ answer: 'block', iteration: 2 }),
        },
      ],
      chains: [],
      promise_loops: [],
      runs: [],
      escalations: [],
      last_call: expect.objectContaining({ answer: 'block', agent: 'check' }),
    });
  });

  test('shows that an iteration has no result yet while its hook runs', async ({ makeProject }) => {
    const project = makeProject(trellisFiles([`touch running; ${waitFor('go')}`]));
    const hook = startHook(project, checkStops(project));
    await project.appears('running');
    expect((await statusOf(project)).loops).toMatchObject([{ iteration: 1, verifying: true, last: null }]);
    expect(await say(project, 'status')).toMatch(/iteration 1\/5\n.*no result yet/);
    project.write({ go: '' });
    await hook;
    expect((await statusOf(project)).loops).toMatchObject([
      { iteration: 0, verifying: false, last: { answer: 'allow', why: 'commands-passed' } },
    ]);
  });

  test('shows each session of a stand-alone project', async ({ makeProject }) => {
    const project = makeProject(STAND_ALONE);
    await decisions(project, mainStops(project), 2);
    await hookAnswers(project, checkStops(project, { session_id: 'session-2' }));
    const { loops } = await statusOf(project);
    expect(
      (loops as { loop: string; iteration: number }[])
        .map(({ loop, iteration }) => `${loop} ${iteration}`)
        .toSorted(),
    ).toEqual([`session:${sessionOf(project)}/main 2`, 'session:session-2/agent-1 1'].toSorted());
  });

  test('shows that a loop has expired', async ({ makeProject }) => {
    const state = { task: '.trellis/tasks/demo', iteration: 3, started_at: '2026-01-31T10:30:00.123456' };
    const project = makeProject({ ...FAILING, [STATE_FILE]: JSON.stringify(state) });
    expect((await statusOf(project)).loops).toMatchObject([{ iteration: 3, expired: true }]);
    expect(await say(project, 'status', '--all')).toContain('expired: the next stop is iteration 1');
  });

  test('distinguishes a hook that never ran from one that had nothing to do', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    expect(await say(project, 'status')).toMatch(/^Loops +none\nLast call never$/m);
    await hookAnswers(project, checkStops(project, { agent_type: 'implement' }));
    expect(await say(project, 'status')).toMatch(
      /^Last call (?:just now|\d+ s ago): agent implement, ignored: /m,
    );
  });

  test.for([
    { where: 'a project below', place: 'packages/api', session: 'below' },
    { where: 'another working tree', place: '../login', session: 'beside' },
  ])('shows the last call where $where judged the stop', async ({ place, session }, { makeProject }) => {
    const { 'worktree.yaml': gates } = STAND_ALONE;
    const files = { ...STAND_ALONE, 'packages/api/worktree.yaml': gates };
    const project = makeProject(files, { git: false });
    git(project, 'init', '-q');
    git(project, 'add', '-A');
    git(project, 'commit', '-qm', 'first');
    git(project, 'worktree', 'add', '-q', '../login');
    const stop = mainStops(project, { session_id: session, cwd: project.path(place) });
    await hookAnswers(project, stop, { env: { CLAUDECODE: '1', CLAUDE_PROJECT_DIR: project.root } });
    expect(await say(project, 'status')).toMatch(
      new RegExp(`^Last call (?:just now|\\d+ s ago) in ${place}: agent main, blocked: gates-failed`, 'm'),
    );
    expect((await statusOf(project)).last_call).toMatchObject({
      session,
      project: join(project.root, place),
    });
    // A later call in this project is the last one.
    await hookAnswers(project, mainStops(project));
    expect((await statusOf(project)).last_call).not.toHaveProperty('project');
  });

  test('shows that the hook uses no worktree.yaml outside of a repository', async ({ makeProject }) => {
    const says = 'outside of a git repository, where the hook uses no worktree.yaml';
    expect(await say(makeProject(STAND_ALONE, { git: false }), 'status')).toContain(says);
    expect(await say(makeProject(STAND_ALONE), 'status')).not.toContain(says);
  });

  test.skipIf(!canBeOtherUser)(
    'does not know the last call of a project that is read-only',
    async ({ makeProject }) => {
      const project = makeProject(STAND_ALONE);
      makeReadOnly(project);
      const { stdout } = await ralphLoopAsOther(project, ['status']);
      expect(stdout).toContain('\nLast call unknown: .trellis/.ralph cannot be written, so that nothing');
    },
  );

  test('shows the problems of the config', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': 'verfy:\n  - true\n' });
    expect(await say(project, 'status')).toContain('worktree.yaml:1:1: ');
    expect((await statusOf(project)).project.problems).toHaveLength(1);
  });

  test.for([
    { broken: 'the state', files: { ...FAILING, [STATE_FILE]: '[]' } },
    { broken: 'the log', files: { ...FAILING, [LOG_FILE]: 'null\n{}\n{"time":7}\nhalf a li' } },
    { broken: 'a session', files: { ...FAILING, '@/loop-a-b.json/directory': '' } },
  ])('does not stumble over $broken', async ({ files }, { makeProject }) => {
    const project = makeProject(files);
    expect(await say(project, 'status')).toContain('Loops     none');
    expect((await statusOf(project)).loops).toEqual([]);
  });

  test('reports that there is no project', async ({ makeProject }) => {
    const project = makeProject();
    expect(await say(project, 'status')).toContain('No worktree.yaml or gate.config.json was found');
    expect(await statusOf(project)).toEqual({
      project: null,
      loops: [],
      chains: [],
      promise_loops: [],
      runs: [],
      escalations: [],
      last_call: null,
    });
  });

  test.for([
    { where: 'in a project', files: STAND_ALONE },
    { where: 'outside of a project', files: {} },
  ])('shows the chains that are not expired $where', async ({ files }, { makeProject }) => {
    const steps = [step('one', verifyGate('npm test')), step('two', verifyGate('npm run e2e'))];
    const live = chainOf({ steps, step: 1, attempts: 2, status: 'failed', session: 's1' });
    const expired = chainOf({ id: 'old' }, new Date('2026-01-31T10:30:00Z'));
    const project = makeProject({
      ...files,
      '@/chain-k3x9-7f2a.json': JSON.stringify(live),
      '@/chain-old.json': JSON.stringify(expired),
    });
    expect(await say(project, 'status')).toMatch(
      /^Chain {5}k3x9-7f2a {2}npm run e2e, step 2\/2, attempt 2\/5, failed$/m,
    );
    expect((await statusOf(project)).chains).toEqual([
      {
        id: 'k3x9-7f2a',
        status: 'failed',
        session: 's1',
        step: 2,
        steps: 2,
        attempts: 2,
        max_attempts: 5,
        unverified_steps: 0,
        commands: ['npm run e2e'],
        verifying: false,
        created_at: live.created_at,
        updated_at: live.updated_at,
      },
    ]);
  });
});

describe.concurrent('reset', () => {
  test('removes the loop and reports it, and the next stop is the first', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    await decisions(project, checkStops(project), 3);
    const text = await say(project, 'reset');
    expect(text).toBe(`Removed ${STATE_FILE}: loop .trellis/tasks/demo, at iteration 3\n1 loop reset.\n`);
    expect(project.has(STATE_FILE)).toBe(false);
    expect(project.has(LOG_FILE)).toBe(true);
    expect((await hookAnswers(project, checkStops(project))).reason).toMatch(/^Iteration 1\/5\./);
  });

  test('removes every session', async ({ makeProject }) => {
    const project = makeProject(STAND_ALONE);
    await hookAnswers(project, mainStops(project));
    await hookAnswers(project, mainStops(project, { session_id: 'session-of-reset' }));
    expect(await say(project, 'reset')).toMatch(/session-\w+\/main, at iteration 1\n.*\n2 loops reset\.\n$/);
    expect((await statusOf(project)).loops).toEqual([]);
  });

  test('removes all files of ralph-loop with --all, and nothing else', async ({ makeProject }) => {
    const project = makeProject({ ...FAILING, [STATE_FILE]: 'broken' });
    await decisions(project, checkStops(project), 2);
    await say(project, 'reset', '--all');
    expect(project.has('.trellis/.ralph')).toBe(false);
    expect(readdirSync(project.path('.trellis')).toSorted()).toEqual([
      '.current-task',
      'tasks',
      'worktree.yaml',
    ]);
  });

  test('removes unreadable state', async ({ makeProject }) => {
    const project = makeProject({ ...FAILING, [STATE_FILE]: '[]' });
    expect(await say(project, 'reset')).toContain('a loop with unreadable state');
    expect(project.has(STATE_FILE)).toBe(false);
  });

  test('exits with 0 when there is nothing to reset', async ({ makeProject }) => {
    expect(await say(makeProject(FAILING), 'reset')).toBe('Nothing to reset.\n');
    expect(await say(makeProject(FAILING), 'reset', '--all')).toBe('Nothing to reset.\n');
    expect(await say(makeProject(), 'reset')).toMatch(/^Nothing to reset: no worktree\.yaml/);
  });

  describe.concurrent('of agent runs', () => {
    const promiseFiles = (script: string) => ({
      'spec.md': 'Write the program.\n',
      ...scriptedAgent(script),
    });
    const run = ['run', '--task', 'T-1', '--prompt-file', 'spec.md', ...AGENT_COMMAND];
    const state = '@/promise-T-1.json';

    test('removes a run that has ended, and keeps the output of its agents', async ({ makeProject }) => {
      const project = makeProject(promiseFiles('exit 1'));
      await ralphLoop(project, run);
      expect(await say(project, 'reset')).toBe(
        `Removed ${project.path(state)}: agent run T-1 (coder): iteration 3/15\n1 loop reset.\n`,
      );
      expect(project.has(state)).toBe(false);
      expect(project.has('.trellis/.ralph/output/promise-T-1/coder-1.md')).toBe(true);
    });

    test('ends the agent of a run whose process was killed', async ({ makeProject }) => {
      const project = makeProject(promiseFiles(sleepLong('../home/a.pid')));
      const running = startRalphLoop(project, run);
      const pid = await project.pidIn('../home/a.pid');
      running.kill('SIGKILL');
      await running;
      expect(await say(project, 'reset', '--all')).toContain('1 loop reset.');
      await expectGone(pid);
      expect(project.has('.trellis/.ralph')).toBe(false);
    });

    test('keeps a run in progress, and the directory that it writes to', async ({ makeProject }) => {
      const project = makeProject({ ...FAILING, ...promiseFiles(sleepLong('../home/a.pid')) });
      await decisions(project, checkStops(project), 1);
      const running = startRalphLoop(project, run);
      await project.pidIn('../home/a.pid');
      const { exitCode, stdout } = await ralphLoop(project, ['reset', '--all']);
      expect(exitCode).toBe(1);
      expect(stdout).toBe(
        [
          `Kept ${project.path(state)}: Process ${running.pid} is already running T-1 (coder, iteration 1/15). To end it: ralph-loop cancel T-1`,
          `Removed ${STATE_FILE}: loop .trellis/tasks/demo, at iteration 1`,
          'Kept .trellis/.ralph: an agent run in progress writes to it.',
          '1 loop reset.\n',
        ].join('\n'),
      );
      expect([project.has(state), project.has(LOG_FILE), project.has(STATE_FILE)]).toEqual([
        true,
        true,
        false,
      ]);
      running.kill('SIGINT');
      expect((await running).exitCode).toBe(130);
    });

    test('removes unreadable state', async ({ makeProject }) => {
      const project = makeProject({ [state]: '{' });
      expect(await say(project, 'reset')).toContain(
        `Removed ${project.path(state)}: a loop with unreadable state`,
      );
    });
  });
});
