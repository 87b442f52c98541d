import { mkdirSync, readdirSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { ralphLoop, shell, startRalphLoop } from '../helpers/bin.ts';
import { gitProject } from '../helpers/git-project.ts';
import { test, worktreeYaml } from '../helpers/project.ts';
import { sleepLong } from '../helpers/puppets.ts';
import {
  AGENT_COMMAND,
  iterationsOf,
  promise,
  RUN,
  scriptedAgent,
  startsOf,
  WORK,
} from '../helpers/scripted-agent.ts';

const spec = { 'spec.md': 'Write the program.\n' };
const loopOf = (text: string) => JSON.parse(text);

describe.concurrent('run starts an agent', () => {
  test('until its promise is verified', async ({ makeProject }) => {
    const project = gitProject(makeProject, {
      ...spec,
      'worktree.yaml': worktreeYaml(['{ name: test, run: test -e done.txt }']),
      ...scriptedAgent('date >> work.txt; echo Half of it is done.', WORK, `touch done.txt; ${WORK}`),
    });
    const { exitCode, stdout, stderr } = await ralphLoop(project, [...RUN, ...AGENT_COMMAND]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('TASK-001 verified (3 iterations).');
    expect(startsOf(project)).toEqual([1, 2, 3]);
    expect(iterationsOf(project)).toMatchObject([
      {
        task_id: 'TASK-001',
        stage: 'coder',
        ralph_iteration: 1,
        ralph_max: 15,
        promise_found: false,
        continuing: true,
        outcome: 'no-promise',
        why: 'the agent made no promise',
        cost_usd: null,
        gates: [],
      },
      {
        ralph_iteration: 2,
        promise_found: true,
        continuing: true,
        outcome: 'denied',
        gates: [{ name: 'test', outcome: 'failed', exit: 1 }],
      },
      {
        ralph_iteration: 3,
        promise_found: true,
        continuing: false,
        outcome: 'accepted',
        gates: [{ name: 'test', outcome: 'passed' }],
      },
    ]);
    const third = project.read('.trellis/.ralph/output/promise-TASK-001/coder-3.md');
    expect(third).toContain('Ralph Iteration: 3/15');
    expect(third).toContain('Write the program.');
    expect(third).toContain('test -e done.txt');
    expect(third).not.toContain('gate of the project');
    expect(third).toContain('All gates run again when you promise again.');
    expect(project.read('.trellis/.ralph/output/promise-TASK-001/coder-1.log')).toContain(
      'Half of it is done.',
    );
  });

  test('up to the iteration limit', async ({ makeProject }) => {
    const project = gitProject(makeProject, {
      ...spec,
      'worktree.yaml': `ralph:\n  coder: {max_iterations: 2}\n${worktreeYaml(['{ name: test, run: "false" }'])}`,
      ...scriptedAgent(WORK),
    });
    const { exitCode, stdout } = await ralphLoop(project, [...RUN, ...AGENT_COMMAND]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('TASK-001 not verified: iteration limit reached (coder, iteration 2/2).');
    expect(startsOf(project)).toEqual([1, 2]);
    expect(iterationsOf(project).map(({ continuing }) => continuing)).toEqual([true, false]);
  });

  test('up to the iteration limit, even if the agent changes its state file', async ({ makeProject }) => {
    const state = '.trellis/.ralph/promise-TASK-001.json';
    const project = gitProject(makeProject, {
      ...spec,
      'worktree.yaml': 'ralph:\n  coder: {max_iterations: 3}\n',
      ...scriptedAgent(
        `date +%N >> work.txt; sed -e 's/"iteration": [0-9]*/"iteration": 0/' -e 's/"max_iterations": 3/"max_iterations": 99/' ${state} > x; mv x ${state}`,
      ),
    });
    expect((await ralphLoop(project, [...RUN, ...AGENT_COMMAND])).exitCode).toBe(1);
    expect(startsOf(project)).toEqual([1, 2, 3]);
  });

  test('once if loops are disabled', async ({ makeProject }) => {
    const project = gitProject(makeProject, {
      ...spec,
      'worktree.yaml': 'ralph:\n  enabled: false\n',
      ...scriptedAgent('echo Nothing.'),
    });
    const { exitCode, stdout } = await ralphLoop(project, [...RUN, ...AGENT_COMMAND]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('loops are disabled, so the agent ran once (coder, iteration 1/1)');
    expect(startsOf(project)).toEqual([1]);
  });

  test('through stages, each with its own promise', async ({ makeProject }) => {
    const project = gitProject(makeProject, {
      ...spec,
      'worktree.yaml': worktreeYaml(['{ name: test, run: "true" }']),
      ...scriptedAgent(
        WORK,
        'echo Hm.',
        `echo 'I looked at it: approved.'; ${promise('REVIEW_COMPLETE')}`,
        `echo Fine.; ${promise('QA_PASSED')}`,
      ),
    });
    const { exitCode, stdout } = await ralphLoop(project, [
      ...RUN,
      '--stages',
      'coder,reviewer,qa',
      ...AGENT_COMMAND,
    ]);
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
    expect(
      iterationsOf(project).map(({ stage, ralph_iteration, ralph_max, outcome }) => [
        stage,
        ralph_iteration,
        ralph_max,
        outcome,
      ]),
    ).toEqual([
      ['coder', 1, 15, 'accepted'],
      ['reviewer', 1, 5, 'no-promise'],
      ['reviewer', 2, 5, 'accepted'],
      ['qa', 1, 5, 'accepted'],
    ]);
    expect(project.read('.trellis/.ralph/output/promise-TASK-001/reviewer-1.md')).toContain(
      '<promise>REVIEW_COMPLETE</promise>',
    );
  });

  test('until there is no more progress', async ({ makeProject }) => {
    const project = gitProject(makeProject, {
      ...spec,
      'worktree.yaml': `ralph:\n  max_stalled: 2\n${worktreeYaml(['{ name: test, run: "false" }'])}`,
      ...scriptedAgent(WORK, promise()),
    });
    const { exitCode, stdout } = await ralphLoop(project, [...RUN, ...AGENT_COMMAND]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('no progress (nothing changed, same failure)');
    expect(startsOf(project)).toEqual([1, 2, 3]);
  });

  test('until it exceeds its budget', async ({ makeProject }) => {
    const told = JSON.stringify({
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'Not yet.',
      total_cost_usd: 0.3,
      usage: { input_tokens: 10, output_tokens: 5 },
    });
    const project = gitProject(makeProject, {
      ...spec,
      'worktree.yaml': 'ralph:\n  max_cost_usd: 0.5\n',
      ...scriptedAgent(`date >> work.txt; echo '${told}'`),
    });
    const { exitCode, stdout } = await ralphLoop(project, [...RUN, ...AGENT_COMMAND]);
    expect(exitCode).toBe(3);
    expect(stdout).toContain('TASK-001 not verified: max_cost_usd exceeded (coder, iteration 2/15, $0.60).');
    expect(iterationsOf(project).map(({ cost_usd, tokens }) => [cost_usd, tokens])).toEqual([
      [0.3, 15],
      [0.3, 15],
    ]);
  });

  test('three times at most if it fails at every start', async ({ makeProject }) => {
    const project = gitProject(makeProject, { ...spec, ...scriptedAgent('echo Not logged in >&2; exit 4') });
    const { exitCode, stdout } = await ralphLoop(project, [...RUN, ...AGENT_COMMAND]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('the agent exited with 4: Not logged in');
    expect(stdout).toContain('the agent fails at every start');
    expect(startsOf(project)).toHaveLength(3);
  });

  test('no longer than its time, and leaves nothing of it running', async ({ makeProject }) => {
    const project = gitProject(makeProject, {
      ...spec,
      'worktree.yaml': 'ralph:\n  iteration_timeout: 1\n  coder: {max_iterations: 1}\n',
      ...scriptedAgent(
        `echo $$ > ../home/a.pid; setsid sh -c 'echo $$ > ../home/b.pid; sleep 600' & sleep 600`,
      ),
    });
    const { exitCode, stdout } = await ralphLoop(project, [...RUN, ...AGENT_COMMAND]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('the agent timed out after 1 s');
    const pids = await Promise.all([project.pidIn('../home/a.pid'), project.pidIn('../home/b.pid')]);
    const { expectGone } = await import('../helpers/processes.ts');
    await expectGone(...pids);
  });

  test('believing what it says, where promises are not to be verified', async ({ makeProject }) => {
    const project = gitProject(makeProject, {
      ...spec,
      'worktree.yaml': `ralph:\n  verify_promises: false\n${worktreeYaml(['{ name: test, run: "false" }'])}`,
      ...scriptedAgent(`echo 'TODO: all of it'; ${promise()}`),
    });
    expect((await ralphLoop(project, [...RUN, ...AGENT_COMMAND])).exitCode).toBe(0);
  });
});

describe.concurrent('run', () => {
  test.for([
    { command: '.', message: '. is not on PATH.' },
    { command: './agent', message: './agent is not an executable file.' },
    { command: '', message: 'The command after -- starts with an empty argument.' },
    { command: 'no-such-program', message: 'no-such-program is not on PATH.' },
  ])('refuses the command "$command"', async ({ command, message }, { makeProject }) => {
    const project = gitProject(makeProject, spec);
    mkdirSync(project.path('agent'));
    const { exitCode, stdout, stderr } = await ralphLoop(project, [...RUN, '--', command]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(project.has('.trellis')).toBe(false);
  });

  test.for([
    { name: 'of 300 letters', task: 'x'.repeat(300) },
    { name: 'with slashes', task: '../../a/b' },
    { name: 'of dots', task: '..' },
    { name: 'in other letters', task: 'Überprüfung 任务' },
  ])('takes a task $name', async ({ task }, { makeProject }) => {
    const project = gitProject(makeProject, { ...spec, ...scriptedAgent('date > work.txt', promise()) });
    const args = ['run', '--task', task, '--prompt-file', 'spec.md', ...AGENT_COMMAND];
    expect(await ralphLoop(project, args)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readdirSync(project.path('..')).toSorted()).toEqual(['home', 'my project', 'tmp']);
    expect(readdirSync(project.path('.trellis'))).toEqual(['.ralph']);
  });

  test('keeps what it writes of an agent in its place, however that is named', async ({ makeProject }) => {
    const project = gitProject(makeProject, {
      ...spec,
      ...scriptedAgent(`date > work.txt; ${promise('STAGE_COMPLETE')}`),
    });
    const args = [...RUN, '--agent', `../../../../${'x'.repeat(300)}`, ...AGENT_COMMAND];
    expect(await ralphLoop(project, args)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readdirSync(project.path('.'))).not.toContainEqual(expect.stringMatching(/^x/));
    expect(readdirSync(project.path('.trellis/.ralph/output/promise-TASK-001'))).toHaveLength(2);
  });

  test('keeps no secret of its command, and asks for it when it is resumed', async ({ makeProject }) => {
    const project = gitProject(makeProject, {
      ...spec,
      ...scriptedAgent(sleepLong('../home/a.pid'), WORK),
    });
    const env = { API_TOKEN: 'correct-horse-battery' };
    const run = startRalphLoop(project, [...RUN, ...AGENT_COMMAND, env.API_TOKEN], { env });
    await project.pidIn('../home/a.pid');
    run.kill('SIGINT');
    await run;
    expect(project.read('.trellis/.ralph/promise-TASK-001.json')).not.toContain(env.API_TOKEN);
    const resume = ['run', '--resume', 'TASK-001'];
    expect(await ralphLoop(project, resume)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('The command of TASK-001 contains a secret, which is not saved'),
    });
    expect((await ralphLoop(project, [...resume, ...AGENT_COMMAND, 'x'])).exitCode).toBe(0);
  });
});

describe.concurrent('the prompt', () => {
  test('stands in place of {prompt}', async ({ makeProject }) => {
    const project = gitProject(makeProject, spec);
    const script =
      'printf "%s" "$1" > ../home/prompt; wc -c > ../home/stdin; date > work.txt; echo "<promise>IMPLEMENTATION_COMPLETE</promise>"';
    const { exitCode } = await ralphLoop(project, [...RUN, '--', 'sh', '-c', script, 'sh', '{prompt}']);
    expect(exitCode).toBe(0);
    expect(project.read('../home/prompt')).toContain('Write the program.');
    expect(project.read('../home/stdin').trim()).toBe('0');
  });

  test.for([
    'sh agent/agent.sh',
    'printf "%s" {prompt} | sh agent/agent.sh',
    `printf "%s" '{prompt}' | sh agent/agent.sh`,
    'printf "%s" "{prompt}" | sh agent/agent.sh',
  ])('reaches the command of the config: %s', async (command, { makeProject }) => {
    const project = gitProject(makeProject, {
      ...spec,
      'worktree.yaml': `ralph:\n  command: ${JSON.stringify(command)}\n  coder:\n    prompt: Be brief.\n`,
      ...scriptedAgent(WORK),
    });
    expect((await ralphLoop(project, RUN)).exitCode).toBe(0);
    expect(startsOf(project)).toEqual([1]);
    expect(project.read('.trellis/.ralph/output/promise-TASK-001/coder-1.md')).toMatch(
      /Be brief\.\n\nWrite the program\./,
    );
  });

  test('is not held against an agent that repeats it', async ({ makeProject }) => {
    const project = gitProject(makeProject, {
      'spec.md': 'TODO: all of it. There is remaining work, and tests fail.\n',
      ...scriptedAgent(WORK),
    });
    const repeat = `tee ../home/prompt; ${WORK}`;
    expect((await ralphLoop(project, [...RUN, '--', 'sh', '-c', repeat])).exitCode).toBe(0);
    expect(project.read('../home/prompt')).toContain('remaining work');
  });

  test('is printed, and nothing started', async ({ makeProject }) => {
    const project = gitProject(makeProject, { ...spec, ...scriptedAgent(WORK) });
    const { exitCode, stdout } = await ralphLoop(project, [...RUN, '--print-prompt', ...AGENT_COMMAND]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Ralph Iteration: 1/15');
    expect(startsOf(project)).toEqual([]);
    expect(project.has('.trellis')).toBe(false);
  });

  test('may come through a pipe, which can be read but once', async ({ makeProject }) => {
    const project = gitProject(makeProject, scriptedAgent('date >> work.txt', WORK));
    const run = `ralph_loop run --task TASK-001 --prompt-file /dev/stdin ${AGENT_COMMAND.join(' ')}`;
    expect((await shell(project, `${run} <<END\nWrite the program.\nEND`)).exitCode).toBe(0);
    expect(project.read('.trellis/.ralph/output/promise-TASK-001/coder-2.md')).toContain(
      'Write the program.',
    );
  });

  test('may be 10 MB long', async ({ makeProject }) => {
    const project = gitProject(makeProject, {
      'spec.md': `${'x'.repeat(99)}\n`.repeat(100_000),
      ...scriptedAgent(WORK),
    });
    expect(
      (await ralphLoop(project, [...RUN, '--', 'sh', '-c', `wc -c > ../home/size; ${WORK}`])).exitCode,
    ).toBe(0);
    expect(Number(project.read('../home/size'))).toBeGreaterThan(10_000_000);
  });

  test('is too long for an argument', async ({ makeProject }) => {
    const project = gitProject(makeProject, { 'spec.md': `${'x'.repeat(99)}\n`.repeat(100_000) });
    const { exitCode, stderr, stdout } = await ralphLoop(project, [
      ...RUN,
      '--',
      'sh',
      '-c',
      'true',
      '{prompt}',
    ]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('leave {prompt} out');
  });
});

describe.concurrent("a Trellis task's file", () => {
  const task = {
    id: 'TASK-001',
    title: 'Log in',
    status: 'in_progress',
    metadata: { own: 1 },
    other: [1, 2],
  };
  const files = (scripts: readonly string[], ralph = '') => ({
    '.trellis/tasks/01-login/task.json': `${JSON.stringify(task, null, 4)}\n`,
    '.trellis/tasks/01-login/prd.md': 'People can log in.\n',
    'worktree.yaml': `ralph:\n  command: sh agent/agent.sh\n${ralph}`,
    ...scriptedAgent(...scripts),
  });

  test('tells where the loop is, and nothing of it when it has passed', async ({ makeProject }) => {
    const project = gitProject(makeProject, files(['cp .trellis/tasks/01-login/task.json ../home/', WORK]));
    const { exitCode } = await ralphLoop(project, ['run', '--task', 'TASK-001']);
    expect(exitCode).toBe(0);
    expect(loopOf(project.read('../home/task.json'))).toEqual({
      ...task,
      metadata: {
        own: 1,
        ralph: {
          stage: 'coder',
          iteration: 1,
          max_iterations: 15,
          started_at: expect.stringMatching(/Z$/),
          completion_promise: 'IMPLEMENTATION_COMPLETE',
        },
      },
    });
    expect(loopOf(project.read('.trellis/tasks/01-login/task.json'))).toEqual(task);
    const prompt = project.read('.trellis/.ralph/output/promise-TASK-001/coder-1.md');
    expect(prompt).toContain('Log in');
    expect(prompt).toContain('People can log in.');
  });

  test('tells that the loop was given up', async ({ makeProject }) => {
    const project = gitProject(
      makeProject,
      files(['date >> w; echo I am stuck.'], '  coder: {max_iterations: 2}\n'),
    );
    expect((await ralphLoop(project, ['run', '--task', '01-login'])).exitCode).toBe(1);
    expect(loopOf(project.read('.trellis/tasks/01-login/task.json'))).toEqual({
      ...task,
      status: 'todo',
      metadata: {
        own: 1,
        ralph_failure: {
          stage: 'coder',
          iterations_used: 2,
          last_output: 'I am stuck.\n',
          reason: expect.stringMatching(/^cap: /),
        },
      },
    });
  });

  test('may have metadata of null', async ({ makeProject }) => {
    const project = gitProject(makeProject, {
      ...files(['date >> w'], '  coder: {max_iterations: 1}\n'),
      '.trellis/tasks/01-login/task.json': JSON.stringify({ ...task, metadata: null }),
    });
    await ralphLoop(project, ['run', '--task', '01-login']);
    expect(loopOf(project.read('.trellis/tasks/01-login/task.json')).metadata).toEqual({
      ralph_failure: expect.objectContaining({ stage: 'coder' }),
    });
  });

  test('is driven once, by whichever of its names', async ({ makeProject }) => {
    const project = gitProject(makeProject, files([sleepLong('../home/a.pid')]));
    const run = startRalphLoop(project, ['run', '--task', 'TASK-001']);
    await project.pidIn('../home/a.pid');
    expect(await ralphLoop(project, ['run', '--task', '01-login'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`Process ${run.pid} is already running TASK-001`),
    });
    run.kill('SIGINT');
    await run;
  });

  test('is left as it is where it is no JSON', async ({ makeProject }) => {
    const project = gitProject(makeProject, {
      ...files([WORK]),
      '.trellis/tasks/01-login/task.json': '{"id": ',
    });
    const { exitCode, stderr } = await ralphLoop(project, ['run', '--task', '01-login']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('.trellis/tasks/01-login/task.json is not a JSON object');
    expect(project.read('.trellis/tasks/01-login/task.json')).toBe('{"id": ');
    expect(startsOf(project)).toEqual([]);
  });
});
