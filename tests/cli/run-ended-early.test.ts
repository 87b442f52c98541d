import { describe, expect } from 'vitest';
import { ralphLoop, startRalphLoop } from '../helpers/bin.ts';
import { eventually } from '../helpers/eventually.ts';
import { git, gitProject } from '../helpers/git-project.ts';
import { expectGone, isRunning } from '../helpers/processes.ts';
import { type MakeProject, type Project, test, worktreeYaml } from '../helpers/project.ts';
import { leaveSession, sleepLong } from '../helpers/puppets.ts';
import {
  AGENT_COMMAND,
  iterationsOf,
  promise,
  RUN,
  scriptedAgent,
  startsOf,
  WORK,
} from '../helpers/scripted-agent.ts';

const RESUME = ['run', '--resume', 'TASK-001'] as const;
const AGENT_PID = '../home/a.pid';

/** An agent that works for ever at its second start, with a child that has left its group. */
function stuckAt2(makeProject: MakeProject, more = ''): Project {
  return gitProject(makeProject, {
    'spec.md': 'Write the program.\n',
    'worktree.yaml': `${worktreeYaml(['{ name: test, run: test -e done.txt }'])}${more}`,
    ...scriptedAgent(
      'date >> work.txt; echo Half of it.',
      `setsid sh -c 'echo $$ > ../home/b.pid; exec sleep 600' & ${sleepLong(AGENT_PID)}`,
      `case "$(ps -o stat= -p "$(cat ${AGENT_PID})")" in '' | Z*) ;; *) touch ../home/alive ;; esac; touch done.txt; ${WORK}`,
    ),
  });
}

const pidsOf = (project: Project) => Promise.all([project.pidIn(AGENT_PID), project.pidIn('../home/b.pid')]);
const stateOf = (project: Project) => JSON.parse(project.read('.trellis/.ralph/promise-TASK-001.json'));

describe.concurrent('a loop that is interrupted', () => {
  test.for(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'by %s leaves nothing running, and is resumed at the next iteration',
    async (signal, { makeProject }) => {
      const project = stuckAt2(makeProject);
      const run = startRalphLoop(project, [...RUN, ...AGENT_COMMAND]);
      const pids = await pidsOf(project);
      run.kill(signal);
      const { exitCode, stdout } = await run;
      expect(exitCode).toBe(130);
      expect(stdout).toContain(
        'TASK-001 interrupted (coder, iteration 2/15); all processes have been ended.',
      );
      await expectGone(...pids);
      expect((await ralphLoop(project, ['status'])).stdout).toContain(
        'interrupted; resume with: ralph-loop run --resume TASK-001',
      );

      const resumed = await ralphLoop(project, RESUME);
      expect(resumed).toMatchObject({ exitCode: 0, stderr: '' });
      expect(startsOf(project)).toEqual([1, 2, 3]);
      expect(iterationsOf(project).map(({ ralph_iteration, outcome }) => [ralph_iteration, outcome])).toEqual(
        [
          [1, 'no-promise'],
          [2, 'interrupted'],
          [3, 'accepted'],
        ],
      );
    },
  );

  test('while gates run is resumed too', async ({ makeProject }) => {
    const project = gitProject(makeProject, {
      'spec.md': 'Write the program.\n',
      'worktree.yaml': worktreeYaml([
        `{ name: slow, run: "test -e done.txt || { ${sleepLong('../home/g.pid')}; }" }`,
      ]),
      ...scriptedAgent(WORK, `touch done.txt; ${WORK}`),
    });
    const run = startRalphLoop(project, [...RUN, ...AGENT_COMMAND]);
    const pid = await project.pidIn('../home/g.pid');
    await eventually('status tells of the gate', () => stateOf(project).activity?.name === 'slow');
    expect((await ralphLoop(project, ['status'])).stdout).toContain('the gate slow is running');
    run.kill('SIGINT');
    expect((await run).exitCode).toBe(130);
    await expectGone(pid);
    expect((await ralphLoop(project, RESUME)).exitCode).toBe(0);
    expect(startsOf(project)).toEqual([1, 2]);
  });

  test.for(['SIGINT', 'SIGKILL'] as const)(
    'while gates run by %s leaves nothing of them running once it is cancelled',
    async (signal, { makeProject }) => {
      const project = gitProject(makeProject, {
        'spec.md': 'Write the program.\n',
        'worktree.yaml': worktreeYaml([
          `{ name: slow, run: "${leaveSession('../home/b.pid').replaceAll('"', '\\"')}; ${sleepLong('../home/g.pid')}", env: { pass: [] } }`,
        ]),
        ...scriptedAgent(WORK),
      });
      const run = startRalphLoop(project, [...RUN, ...AGENT_COMMAND]);
      const pids = await Promise.all([project.pidIn('../home/g.pid'), project.pidIn('../home/b.pid')]);
      run.kill(signal);
      await run;
      expect((await ralphLoop(project, ['cancel', 'TASK-001'])).exitCode).toBe(0);
      await expectGone(...pids);
    },
  );

  test('at its last iteration fails when it is resumed', async ({ makeProject }) => {
    const project = stuckAt2(makeProject, 'ralph:\n  coder: {max_iterations: 2}\n');
    const run = startRalphLoop(project, [...RUN, ...AGENT_COMMAND]);
    await pidsOf(project);
    run.kill('SIGINT');
    await run;
    const { exitCode, stdout } = await ralphLoop(project, RESUME);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('iteration limit reached');
    expect(startsOf(project)).toEqual([1, 2]);
  });
});

describe.concurrent('a run whose process is killed', () => {
  test('is resumed after its agent has been ended', async ({ makeProject }) => {
    const project = stuckAt2(makeProject);
    const run = startRalphLoop(project, [...RUN, ...AGENT_COMMAND]);
    const pids = await pidsOf(project);
    run.kill('SIGKILL');
    await run;
    expect(pids.map(isRunning)).toEqual([true, true]);
    expect((await ralphLoop(project, ['status'])).stdout).toContain('its process was killed');
    expect((await ralphLoop(project, RESUME)).exitCode).toBe(0);
    await expectGone(...pids);
    expect(project.has('../home/alive')).toBe(false);
    expect(startsOf(project)).toEqual([1, 2, 3]);
    expect(
      iterationsOf(project).map(({ ralph_iteration, outcome, continuing }) => [
        ralph_iteration,
        outcome,
        continuing,
      ]),
    ).toEqual([
      [1, 'no-promise', true],
      [2, 'interrupted', true],
      [3, 'accepted', false],
    ]);
  });

  test('may be begun anew; that is said', async ({ makeProject }) => {
    const project = stuckAt2(makeProject);
    const run = startRalphLoop(project, [...RUN, ...AGENT_COMMAND]);
    const pids = await pidsOf(project);
    run.kill('SIGKILL');
    await run;
    const { exitCode, stdout } = await ralphLoop(project, [...RUN, ...AGENT_COMMAND]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      'An earlier loop of TASK-001 had come to iteration 2/15 (coder); this one begins anew.',
    );
    await expectGone(...pids);
    expect(startsOf(project)).toEqual([1, 2, 1]);
  });

  test('is told of in the log once, wherever it was killed', async ({ makeProject }) => {
    const project = stuckAt2(makeProject);
    const run = startRalphLoop(project, [...RUN, ...AGENT_COMMAND]);
    await pidsOf(project);
    run.kill('SIGKILL');
    await run;
    // As if it had been killed between saving the first iteration and logging it.
    project.write({ '.trellis/.ralph/log.jsonl': '' });
    const saved = stateOf(project);
    project.write({
      '.trellis/.ralph/promise-TASK-001.json': JSON.stringify({
        ...saved,
        iteration: 1,
        activity: null,
        agent: null,
      }),
    });
    await ralphLoop(project, RESUME);
    expect(iterationsOf(project).map(({ ralph_iteration }) => ralph_iteration)).toEqual([1, 2]);
  });

  test('before its agent was started begins the same iteration again', async ({ makeProject }) => {
    const project = stuckAt2(makeProject);
    const run = startRalphLoop(project, [...RUN, ...AGENT_COMMAND]);
    await pidsOf(project);
    run.kill('SIGKILL');
    await run;
    project.write({
      '.trellis/.ralph/promise-TASK-001.json': JSON.stringify({ ...stateOf(project), agent: null }),
    });
    await ralphLoop(project, RESUME);
    expect(startsOf(project)).toEqual([1, 2, 2]);
  });
});

describe.concurrent('cancel', () => {
  test('ends the agent and its driver, for good', async ({ makeProject }) => {
    const project = stuckAt2(makeProject);
    const run = startRalphLoop(project, [...RUN, ...AGENT_COMMAND]);
    const pids = await pidsOf(project);
    const cancelled = await ralphLoop(project, ['cancel', 'TASK-001']);
    expect(cancelled).toMatchObject({
      exitCode: 0,
      stdout: 'Cancelled Ralph loop for TASK-001 at iteration 2/15\n',
      stderr: '',
    });
    await expectGone(...pids);
    const { exitCode, stdout } = await run;
    expect(exitCode).toBe(130);
    expect(stdout).toContain('Cancelled Ralph loop for TASK-001 at iteration 2/15');
    expect(iterationsOf(project).at(-1)).toMatchObject({
      ralph_iteration: 2,
      outcome: 'cancelled',
      continuing: false,
    });
    const resumed = await ralphLoop(project, RESUME);
    expect(resumed).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('The loop of TASK-001 was cancelled'),
    });
    expect(startsOf(project)).toEqual([1, 2]);
    expect((await ralphLoop(project, ['cancel', 'TASK-001'])).exitCode).toBe(1);
  });

  test('ends the agent of a driver that was killed', async ({ makeProject }) => {
    const project = stuckAt2(makeProject);
    const run = startRalphLoop(project, [...RUN, ...AGENT_COMMAND]);
    const pids = await pidsOf(project);
    run.kill('SIGKILL');
    await run;
    expect((await ralphLoop(project, ['cancel'])).stdout).toBe(
      'Cancelled Ralph loop for TASK-001 at iteration 2/15\n',
    );
    await expectGone(...pids);
    expect((await ralphLoop(project, RESUME)).exitCode).toBe(2);
  });

  test('lets the next stop of a hook loop pass, and the one after it is guarded again', async ({
    makeProject,
  }) => {
    const project = makeProject({
      '.trellis/.current-task': 'tasks/demo\n',
      '.trellis/worktree.yaml': worktreeYaml(['false']),
    });
    const stop = () =>
      ralphLoop(project, ['hook', '--host', 'claude-code'], {
        input: JSON.stringify({
          hook_event_name: 'SubagentStop',
          agent_type: 'check',
          agent_id: 'a',
          session_id: 's',
          cwd: project.root,
          last_assistant_message: 'Done.',
        }),
      });
    expect((await stop()).stdout).toContain('"block"');
    const { stdout, exitCode } = await ralphLoop(project, ['cancel', 'demo']);
    expect({ stdout, exitCode }).toEqual({
      exitCode: 0,
      stdout:
        'Cancelled the loop .trellis/tasks/demo at iteration 1: its next stop is allowed, and nothing is verified then.\n',
    });
    const allowed = (await stop()).stdout;
    expect(allowed).not.toContain('"block"');
    expect(allowed).toContain('cancelled by hand');
    expect((await stop()).stdout).toContain('Iteration 1/5');
  });

  test('calls off a hook loop where the promise loop of the same name has ended', async ({ makeProject }) => {
    const project = gitProject(makeProject, {
      '.trellis/.current-task': 'tasks/demo\n',
      '.trellis/tasks/demo/task.json': '{}\n',
      'spec.md': 'Write the program.\n',
      '.trellis/worktree.yaml': worktreeYaml(['test -e done.txt']),
      ...scriptedAgent(`touch done.txt; ${WORK}; rm -f .trellis/.ralph-state.json`),
    });
    await ralphLoop(project, ['run', '--task', 'demo', '--prompt-file', 'spec.md', ...AGENT_COMMAND]);
    project.write({
      '.trellis/.ralph-state.json': JSON.stringify({
        task: '.trellis/tasks/demo',
        iteration: 1,
        started_at: new Date().toISOString(),
      }),
    });
    expect((await ralphLoop(project, ['cancel', 'demo'])).stdout).toContain(
      'Cancelled the loop .trellis/tasks/demo',
    );
  });

  test.for([
    { args: ['cancel', 'TASK-9'], exitCode: 1, said: 'There is no loop TASK-9.' },
    { args: ['cancel'], exitCode: 2, said: 'No loop to cancel.' },
  ])('fails for the arguments $args: $said', async ({ args, exitCode, said }, { makeProject }) => {
    expect(await ralphLoop(makeProject(), args)).toMatchObject({ exitCode, stdout: '', stderr: `${said}\n` });
  });
});

describe.concurrent('a task', () => {
  test('is driven by one process at a time', async ({ makeProject }) => {
    const project = stuckAt2(makeProject);
    const run = startRalphLoop(project, [...RUN, ...AGENT_COMMAND]);
    await pidsOf(project);
    for (const args of [[...RUN, ...AGENT_COMMAND], RESUME])
      expect(await ralphLoop(project, args)).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining(
          `TASK-001 is driven by process ${run.pid} already (coder, iteration 2/15)`,
        ),
      });
    run.kill('SIGINT');
    await run;
    expect(startsOf(project)).toEqual([1, 2]);
  });
});

test('of several that begin a task at once, one drives it, and the others leave nothing behind', async ({
  makeProject,
}) => {
  const project = stuckAt2(makeProject);
  const runs = [1, 2, 3, 4].map(() => startRalphLoop(project, [...RUN, '--checkpoint', ...AGENT_COMMAND]));
  const first = await Promise.race(runs);
  expect(first.exitCode).toBe(2);
  await pidsOf(project);
  await ralphLoop(project, ['cancel', 'TASK-001']);
  const ended = await Promise.all(runs);
  expect(ended.map(({ exitCode }) => exitCode).toSorted()).toEqual([130, 2, 2, 2]);
  expect(startsOf(project)).toEqual([1, 2]);
  expect(git(project, 'for-each-ref', 'refs/ralph').trim().split('\n')).toHaveLength(1);
});

describe.concurrent('the work', () => {
  const files = (script: string) => ({
    'spec.md': 'Write the program.\n',
    'a.txt': 'before\n',
    'worktree.yaml': `ralph:\n  coder: {max_iterations: 1}\n${worktreeYaml(['{ name: test, run: test -e done.txt }'])}`,
    ...scriptedAgent(script),
  });

  test('goes back to what it was where the loop is given up, and nothing is lost', async ({
    makeProject,
  }) => {
    const project = gitProject(makeProject, files(`echo after > a.txt; echo new > b.txt; ${promise()}`));
    const { exitCode, stdout } = await ralphLoop(project, [...RUN, '--rollback', ...AGENT_COMMAND]);
    expect(exitCode).toBe(1);
    expect([project.read('a.txt'), project.has('b.txt')]).toEqual(['before\n', false]);
    const [, rescue = ''] = /ralph-loop checkpoint restore (\w+)/.exec(stdout) ?? [];
    expect(git(project, 'for-each-ref', 'refs/ralph').trim().split('\n')).toHaveLength(1);
    expect((await ralphLoop(project, ['checkpoint', 'restore', rescue])).exitCode).toBe(0);
    expect([project.read('a.txt'), project.read('b.txt')]).toEqual(['after\n', 'new\n']);
  });

  test('stays, and its checkpoint goes, where the loop passes', async ({ makeProject }) => {
    const project = gitProject(makeProject, files(`echo after > a.txt; touch done.txt; ${promise()}`));
    const { exitCode } = await ralphLoop(project, [...RUN, '--checkpoint', ...AGENT_COMMAND]);
    expect(exitCode).toBe(0);
    expect(project.read('a.txt')).toBe('after\n');
    expect(git(project, 'for-each-ref', 'refs/ralph')).toBe('');
  });

  test('stays, and its checkpoint is named, if the run fails', async ({ makeProject }) => {
    const project = gitProject(makeProject, files(`echo after > a.txt; ${promise()}`));
    const { stdout } = await ralphLoop(project, [...RUN, '--checkpoint', ...AGENT_COMMAND]);
    expect(stdout).toContain('Its checkpoint is kept; to restore it: ralph-loop checkpoint restore');
    expect(project.read('a.txt')).toBe('after\n');
  });
});
