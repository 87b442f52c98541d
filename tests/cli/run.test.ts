import { mkdirSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { agentRunOf } from '../helpers/agent-run.ts';
import { ralphLoop, shell, startRalphLoop } from '../helpers/bin.ts';
import { eventually } from '../helpers/eventually.ts';
import { gitProject } from '../helpers/git-project.ts';
import { NO_HOME } from '../helpers/no-home.ts';
import { expectGone, isRunning } from '../helpers/processes.ts';
import { type MakeProject, type Project, test, worktreeYaml } from '../helpers/project.ts';
import {
  AGENT_COMMAND,
  iterationsOf,
  promise,
  RUN,
  scriptedAgent,
  startsOf,
  WORK,
} from '../helpers/scripted-agent.ts';
import { leaveSession, sleepLong } from '../helpers/shell-commands.ts';

const SPEC = { 'spec.md': 'Write the program.\n' };
const RESUME = ['run', '--resume', 'TASK-001'] as const;
const STATE = '@/promise-TASK-001.json';

const outcomesOf = (project: Project) =>
  iterationsOf(project).map(({ ralph_iteration, outcome }) => `${ralph_iteration} ${outcome}`);

describe.concurrent('run', () => {
  test('exits with 0 when the promise is verified', async ({ makeProject }) => {
    const project = gitProject(makeProject, {
      ...SPEC,
      'worktree.yaml': worktreeYaml(['{ name: test, run: test -e done.txt }']),
      ...scriptedAgent('date >> work.txt; echo Half of it is done.', WORK, `touch done.txt; ${WORK}`),
    });
    const { exitCode, stdout, stderr } = await ralphLoop(project, [...RUN, ...AGENT_COMMAND]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('▸ coder 1/15, .trellis/.ralph/output/promise-TASK-001/coder-1.log\n');
    expect(stdout).toMatch(/✗ coder 2\/15 \(.*\) promise not kept: Gates: test ✗/);
    expect(stdout).toContain('TASK-001 verified (3 iterations).\n');
    expect(startsOf(project)).toEqual([1, 2, 3]);
    expect(outcomesOf(project)).toEqual(['1 no-promise', '2 denied', '3 accepted']);
  });

  test('exits with 1 when the promise is not verified', async ({ makeProject }) => {
    const files = { ...SPEC, 'worktree.yaml': 'ralph:\n  coder: {max_iterations: 1}\n' };
    const project = gitProject(makeProject, { ...files, ...scriptedAgent('echo Hm.') });
    const { exitCode, stdout } = await ralphLoop(project, [...RUN, ...AGENT_COMMAND]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('TASK-001 not verified: iteration limit reached (coder, iteration 1/1).');
  });

  test('exits with 2 when the state cannot be written, and says how to resume', async ({ makeProject }) => {
    const state = '"$XDG_STATE_HOME/ralph-loop/projects$PWD/@"';
    const agent = scriptedAgent(`rm -r ${state}; touch ${state}`);
    const project = gitProject(makeProject, { ...SPEC, ...agent });
    const { exitCode, stderr } = await ralphLoop(project, [...RUN, ...AGENT_COMMAND]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /^ralph-loop: the state of TASK-001 cannot be written: .* ralph-loop run --resume TASK-001$/m,
    );
  });

  test('says which file of its state cannot be written, in the words of the system', async ({
    makeProject,
  }) => {
    const project = gitProject(makeProject, { ...SPEC, '.trellis/.ralph': 'a file' });
    const { exitCode, stderr } = await ralphLoop(project, [...RUN, 'true'], {
      env: { XDG_STATE_HOME: NO_HOME },
    });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: `ralph-loop: ${project.path('.trellis/.ralph/.gitignore')}: not a directory\n`,
    });
  });

  test('exits with 3 when it costs too much', async ({ makeProject }) => {
    const usage = { input_tokens: 10, output_tokens: 5 };
    const result = JSON.stringify({ type: 'result', result: 'Not yet.', total_cost_usd: 0.6, usage });
    const project = gitProject(makeProject, {
      ...SPEC,
      'worktree.yaml': 'ralph:\n  max_cost_usd: 0.5\n',
      ...scriptedAgent(`echo '${result}'`),
    });
    const { exitCode, stdout } = await ralphLoop(project, [...RUN, ...AGENT_COMMAND]);
    expect(exitCode).toBe(3);
    expect(stdout).toContain('max_cost_usd exceeded (coder, iteration 1/15, $0.60)');
  });

  test('runs the stages with the command of the config', async ({ makeProject }) => {
    const project = gitProject(makeProject, {
      ...SPEC,
      'worktree.yaml': 'ralph:\n  command: printf "%s" "{prompt}" | sh agent/agent.sh\n',
      ...scriptedAgent(WORK, `echo Approved.; ${promise('REVIEW_COMPLETE')}`),
    });
    expect((await ralphLoop(project, [...RUN, '--stages', 'coder,reviewer'])).exitCode).toBe(0);
    expect(iterationsOf(project).map(({ stage }) => stage)).toEqual(['coder', 'reviewer']);
  });

  test('restores the working tree after a failure with --rollback', async ({ makeProject }) => {
    const files = { ...SPEC, 'a.txt': 'before\n', 'worktree.yaml': 'ralph:\n  coder: {max_iterations: 1}\n' };
    const project = gitProject(makeProject, { ...files, ...scriptedAgent('echo after > a.txt') });
    const { exitCode, stdout } = await ralphLoop(project, [...RUN, '--rollback', ...AGENT_COMMAND]);
    expect(exitCode).toBe(1);
    expect(project.read('a.txt')).toBe('before\n');
    const [, rescue = ''] = /ralph-loop checkpoint restore (\w+)/.exec(stdout) ?? [];
    expect((await ralphLoop(project, ['checkpoint', 'restore', rescue])).exitCode).toBe(0);
    expect(project.read('a.txt')).toBe('after\n');
  });

  test('reads a prompt file that is a pipe', async ({ makeProject }) => {
    const project = gitProject(makeProject, scriptedAgent('date >> work.txt', WORK));
    const run = `ralph_loop run --task TASK-001 --prompt-file /dev/stdin ${AGENT_COMMAND.join(' ')}`;
    expect((await shell(project, `${run} <<END\nWrite the program.\nEND`)).exitCode).toBe(0);
    expect(project.read('.trellis/.ralph/output/promise-TASK-001/coder-2.md')).toContain(
      'Write the program.',
    );
  });

  test.for([
    { what: 'through a pipe', prompt: '--prompt-file /dev/stdin', before: 'cat spec.md |' },
    { what: 'on stdin', prompt: '--prompt-file /dev/stdin', before: '< spec.md' },
    { what: 'in a file that is deleted', prompt: '--prompt-file spec.md', before: '' },
    { what: 'on the command line', prompt: "--prompt 'Write the program.'", before: '' },
  ])('resumes a run whose prompt came $what', async ({ prompt, before }, { makeProject }) => {
    const interrupted = 'rm -f spec.md; kill -INT $PPID; exec sleep 600';
    const project = gitProject(makeProject, { ...SPEC, ...scriptedAgent(interrupted, WORK) });
    const started = `${before} ralph_loop run --task TASK-001 ${prompt} ${AGENT_COMMAND.join(' ')}`;
    const { exitCode } = await shell(project, started);
    expect(exitCode).toBe(130);
    expect(await ralphLoop(project, RESUME)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(project.read('.trellis/.ralph/output/promise-TASK-001/coder-2.md')).toContain(
      'Write the program.',
    );
  });

  test('resumes a run with another prompt', async ({ makeProject }) => {
    const project = gitProject(makeProject, {
      ...SPEC,
      ...scriptedAgent('kill -INT $PPID; exec sleep 600', 'kill -INT $PPID; exec sleep 600', WORK),
    });
    await ralphLoop(project, [...RUN, ...AGENT_COMMAND]);
    await ralphLoop(project, [...RESUME, '--prompt', 'Write the tests.']);
    expect((await ralphLoop(project, RESUME)).exitCode).toBe(0);
    expect(project.read('.trellis/.ralph/output/promise-TASK-001/coder-3.md')).toContain('Write the tests.');
  });

  test('prints the prompt with --print-prompt, and starts nothing', async ({ makeProject }) => {
    const project = gitProject(makeProject, { ...SPEC, ...scriptedAgent(WORK) });
    const { exitCode, stdout } = await ralphLoop(project, [...RUN, '--print-prompt', ...AGENT_COMMAND]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Ralph Iteration: 1/15');
    expect([startsOf(project), project.has('.trellis')]).toEqual([[], false]);
  });

  test.for([
    { args: ['--', '.'], message: '. is not on PATH.' },
    { args: ['--', './agent'], message: './agent is not an executable file.' },
    { args: ['--', ''], message: 'The command after -- starts with an empty argument.' },
    { args: [], message: 'No command for coder' },
    { args: ['--prompt', 'x'], message: '--prompt and --prompt-file cannot be used together.' },
  ])('exits with 2 and starts nothing for $args', async ({ args, message }, { makeProject }) => {
    const project = makeProject(SPEC);
    mkdirSync(project.path('agent'));
    const { exitCode, stdout, stderr } = await ralphLoop(project, [...RUN, ...args]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(project.has('.trellis')).toBe(false);
  });

  test('exits with 2 when the command of a run to resume has a secret', async ({ makeProject }) => {
    const order = { command: ['agent', '***'], prompt_file: null, rollback: false };
    const project = makeProject({ [STATE]: JSON.stringify(agentRunOf({ order, status: 'interrupted' })) });
    expect(await ralphLoop(project, RESUME)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('The command of TASK-001 contains a secret, which is not saved.'),
    });
  });
});

/** A run whose second agent works until it is ended, with a child that has left its process group. */
async function stuckAgent(makeProject: MakeProject) {
  const project = gitProject(makeProject, {
    ...SPEC,
    'worktree.yaml': worktreeYaml(['{ name: test, run: test -e done.txt }']),
    ...scriptedAgent(
      'date >> work.txt; echo Half of it.',
      `${leaveSession('../home/b.pid')}; ${sleepLong('../home/a.pid')}`,
      `touch done.txt; ${WORK}`,
    ),
  });
  const run = startRalphLoop(project, [...RUN, ...AGENT_COMMAND]);
  const pids = [await project.pidIn('../home/a.pid'), await project.pidIn('../home/b.pid')];
  return { project, run, pids };
}

describe.concurrent('an agent run that is interrupted', () => {
  test.for(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'by %s exits with 130, and leaves no process behind',
    async (signal, { makeProject }) => {
      const { run, pids } = await stuckAgent(makeProject);
      run.kill(signal);
      const { exitCode, stdout } = await run;
      expect(exitCode).toBe(130);
      expect(stdout).toContain('TASK-001 interrupted (coder, iteration 2/15)');
      await expectGone(...pids);
    },
  );

  test('is shown by status, and resumed with the next iteration', async ({ makeProject }) => {
    const { project, run } = await stuckAgent(makeProject);
    run.kill('SIGINT');
    await run;
    const { stdout } = await ralphLoop(project, ['status']);
    expect(stdout).toContain('interrupted; resume with: ralph-loop run --resume TASK-001');
    expect(await ralphLoop(project, RESUME)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(startsOf(project)).toEqual([1, 2, 3]);
    expect(outcomesOf(project)).toEqual(['1 no-promise', '2 interrupted', '3 accepted']);
  });

  test('while a gate runs leaves no process behind, also not one in its own session', async ({
    makeProject,
  }) => {
    const gate = `${leaveSession('../home/b.pid').replaceAll('"', '\\"')}; ${sleepLong('../home/g.pid')}`;
    const project = gitProject(makeProject, {
      ...SPEC,
      'worktree.yaml': worktreeYaml([`{ name: slow, run: "${gate}", env: { pass: [] } }`]),
      ...scriptedAgent(WORK),
    });
    const run = startRalphLoop(project, [...RUN, ...AGENT_COMMAND]);
    const pids = [await project.pidIn('../home/g.pid'), await project.pidIn('../home/b.pid')];
    await eventually('the gate is saved', () => JSON.parse(project.read(STATE)).activity?.name === 'slow');
    expect((await ralphLoop(project, ['status'])).stdout).toContain('its gates are running: slow');
    run.kill('SIGINT');
    expect((await run).exitCode).toBe(130);
    await expectGone(...pids);
  });
});

test('an agent run whose process is killed is resumed after its agent is ended', async ({ makeProject }) => {
  const { project, run, pids } = await stuckAgent(makeProject);
  run.kill('SIGKILL');
  await run;
  expect(pids.map(isRunning)).toEqual([true, true]);
  expect((await ralphLoop(project, ['status'])).stdout).toContain('its process was killed');
  expect((await ralphLoop(project, RESUME)).exitCode).toBe(0);
  await expectGone(...pids);
  expect(startsOf(project)).toEqual([1, 2, 3]);
  expect(outcomesOf(project)).toEqual(['1 no-promise', '2 interrupted', '3 accepted']);
});

describe.concurrent('cancel', () => {
  test('ends an agent run, its process and its agent for good', async ({ makeProject }) => {
    const { project, run, pids } = await stuckAgent(makeProject);
    for (const args of [[...RUN, ...AGENT_COMMAND], RESUME])
      expect(await ralphLoop(project, args)).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining(
          `Process ${run.pid} is already running TASK-001 (coder, iteration 2/15)`,
        ),
      });
    const cancelled = 'Cancelled Ralph loop for TASK-001 at iteration 2/15';
    expect(await ralphLoop(project, ['cancel'])).toEqual(
      expect.objectContaining({ exitCode: 0, stdout: `${cancelled}\n`, stderr: '' }),
    );
    await expectGone(...pids);
    const { exitCode, stdout } = await run;
    expect(exitCode).toBe(130);
    expect(stdout).toContain(cancelled);
    expect(outcomesOf(project)).toEqual(['1 no-promise', '2 cancelled']);
    expect(await ralphLoop(project, RESUME)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('The run of TASK-001 was cancelled'),
    });
  });

  test('ends the agent of a run whose process was killed', async ({ makeProject }) => {
    const { project, run, pids } = await stuckAgent(makeProject);
    run.kill('SIGKILL');
    await run;
    expect((await ralphLoop(project, ['cancel', 'TASK-001'])).exitCode).toBe(0);
    await expectGone(...pids);
  });

  test('allows the next stop of a stop loop, and blocks the one after it', async ({ makeProject }) => {
    const project = makeProject({
      '.trellis/.current-task': 'tasks/demo\n',
      '.trellis/worktree.yaml': worktreeYaml(['false']),
    });
    const input = JSON.stringify({
      hook_event_name: 'SubagentStop',
      agent_type: 'check',
      agent_id: 'a',
      session_id: 's',
      cwd: project.root,
      last_assistant_message: 'Done.',
    });
    const stop = async () => (await ralphLoop(project, ['hook', '--host', 'claude-code'], { input })).stdout;
    expect(await stop()).toContain('"block"');
    const env = { AI_AGENT: 'claude-code_2-1-197_agent' };
    expect((await ralphLoop(project, ['cancel', 'demo'], { env })).exitCode).toBe(0);
    const allowed = await stop();
    expect(allowed).not.toContain('"block"');
    expect(JSON.parse(allowed).systemMessage).toBe(
      "ralph-loop: the loop was cancelled by an agent's shell (AI_AGENT=claude-code_2-1-197_agent): nothing was verified",
    );
    expect(await stop()).toContain('Iteration 1/5');
  });

  test.for([
    { args: ['cancel', 'TASK-9'], exitCode: 1, message: 'There is no loop TASK-9.' },
    { args: ['cancel'], exitCode: 2, message: 'No loop to cancel.' },
  ])(
    'exits with $exitCode for $args in a project without loops',
    async ({ args, exitCode, message }, { makeProject }) => {
      expect(await ralphLoop(makeProject(), args)).toMatchObject({
        exitCode,
        stdout: '',
        stderr: `${message}\n`,
      });
    },
  );
});
