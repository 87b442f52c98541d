import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentRunEndText } from '../../../src/messages/agent-run.ts';
import { pendingEscalations } from '../../../src/state/escalations.ts';
import { escalate } from '../../../src/verification/escalate.ts';
import { type AgentScript, agentRunProject, PROMISE, work } from '../../helpers/agent-run-project.ts';
import { worktreeYaml } from '../../helpers/project.ts';
import { temporaryHome, temporaryTree } from '../../helpers/temporary-tree.ts';

const STATE = '.trellis/.ralph/promise-TASK-001.json';
const OUTPUT = '.trellis/.ralph/output/promise-TASK-001';
const TEST_GATE = worktreeYaml(['{ name: test, run: test -e done.txt }']);
const limited = (maxIterations: number) => `ralph:\n  coder: {max_iterations: ${maxIterations}}\n`;

describe('runIterations', () => {
  test('starts the agent again until its promise holds', async () => {
    const project = agentRunProject({ 'worktree.yaml': TEST_GATE }, [
      () => 'Half of it is done.',
      work,
      (project) => {
        project.write({ 'done.txt': '' });
        return work(project);
      },
    ]);
    const run = await project.run();
    expect(run).toMatchObject({ status: 'passed', iteration: 3, driver: null, agent: null, activity: null });
    expect(project.saved()).toEqual(run);
    expect(project.outcomes()).toEqual(['coder 1 no-promise', 'coder 2 denied', 'coder 3 accepted']);
    expect(project.prompts[1]).toContain('Ralph Iteration: 2/15');
    expect(project.prompts[1]).toContain('Your message does not promise');
    expect(project.prompts[2]).toContain('Write the program.');
    expect(project.prompts[2]).toContain('test -e done.txt');
    expect(project.prompts[2]).toContain('It runs again when you promise again.');
    expect(project.read(`${OUTPUT}/coder-3.md`)).toBe(project.prompts[2]);
  });

  test('reports each agent, each gate and each end in order', async () => {
    const project = agentRunProject({ 'worktree.yaml': `${limited(2)}${TEST_GATE}` }, [() => 'Hm.', work]);
    await project.run();
    expect(
      project.events.map((event) => {
        if (event.type === 'gates') return `gates ${event.names}`;
        return event.type === 'note' ? event.text : `${event.type} ${event.run.iteration}`;
      }),
    ).toEqual(['begun 1', 'ended 1', 'begun 2', 'gates test', 'ended 2']);
    expect(project.events[0]).toMatchObject({ logPath: join(project.root, OUTPUT, 'coder-1.log') });
  });

  describe('an agent that escalates', () => {
    const escalating: AgentScript = async (project) => {
      await escalate(
        project.root,
        { gate: 'test', reason: 'no network', by: 'in a terminal' },
        { env: { RALPH_LOOP_TREE: project.saved()?.id }, now: new Date() },
      );
      return (await work(project)) as string;
    };

    test('ends its run, which is not verified', async () => {
      temporaryHome();
      const project = agentRunProject({ 'worktree.yaml': TEST_GATE }, [escalating]);
      const run = await project.run();
      expect(run).toMatchObject({ status: 'failed', failure: 'escalated', iteration: 1 });
      expect(run.last?.escalated).toEqual({ gate: 'test', reason: 'no network' });
      expect(agentRunEndText(run)).toMatch(
        /^TASK-001 not verified: the agent escalated: `test`: no network \(Gates: test ✗/,
      );
      expect(await pendingEscalations(project.root, new Date())).toEqual([]);
    });

    test('has not needed it if its promise holds', async () => {
      temporaryHome();
      const project = agentRunProject({ 'worktree.yaml': TEST_GATE, 'done.txt': '' }, [escalating]);
      const run = await project.run();
      expect(run).toMatchObject({ status: 'passed' });
      expect(run.last?.why).toContain('the escalation was not needed: `test`: no network');
    });
  });

  test('stops at the last iteration', async () => {
    const project = agentRunProject(
      { 'worktree.yaml': `${limited(2)}${worktreeYaml(['{ name: test, run: "false" }'])}` },
      [work],
    );
    expect(await project.run()).toMatchObject({ status: 'failed', failure: 'cap', iteration: 2 });
    expect(project.prompts).toHaveLength(2);
  });

  test('runs the agent once when repetition is disabled', async () => {
    const project = agentRunProject({ 'worktree.yaml': 'ralph:\n  enabled: false\n' }, [() => 'Nothing.']);
    expect(await project.run()).toMatchObject({ status: 'failed', failure: 'once' });
    expect(project.prompts).toHaveLength(1);
  });

  test('runs the stages one after another, each with its own promise', async () => {
    const project = agentRunProject({ 'worktree.yaml': worktreeYaml(['{ name: test, run: "true" }']) }, [
      work,
      () => 'Hm.',
      () => 'I looked at it: approved.\n<promise>REVIEW_COMPLETE</promise>',
      () => 'Fine.\n<promise>QA_PASSED</promise>',
    ]);
    expect(await project.run({ stages: ['coder', 'reviewer', 'qa'] })).toMatchObject({ status: 'passed' });
    expect(project.outcomes()).toEqual([
      'coder 1 accepted',
      'reviewer 1 no-promise',
      'reviewer 2 accepted',
      'qa 1 accepted',
    ]);
    expect(project.prompts[1]).toContain('Ralph Iteration: 1/5');
    expect(project.prompts[1]).toContain('<promise>REVIEW_COMPLETE</promise>');
  });

  test('stops when the agent changes nothing and fails in the same way', async () => {
    const project = agentRunProject(
      { 'worktree.yaml': `ralph:\n  max_stalled: 2\n${worktreeYaml(['{ name: test, run: "false" }'])}` },
      [work, () => PROMISE],
    );
    expect(await project.run()).toMatchObject({ status: 'failed', failure: 'stalled', iteration: 3 });
  });

  test('does not stop an agent that changes nothing in a project without git', async () => {
    const files = { 'worktree.yaml': `ralph:\n  max_stalled: 2\n  coder: {max_iterations: 4}\n` };
    const project = agentRunProject(files, [() => 'Hm.'], { git: false });
    expect(await project.run()).toMatchObject({ failure: 'cap', iteration: 4, base_tree: null });
  });

  test('stops when the agents have cost too much', async () => {
    const usage = { input_tokens: 10, output_tokens: 5 };
    const result = JSON.stringify({ type: 'result', result: 'Not yet.', total_cost_usd: 0.3, usage });
    const project = agentRunProject({ 'worktree.yaml': 'ralph:\n  max_cost_usd: 0.5\n' }, [
      (project) => {
        work(project);
        return result;
      },
    ]);
    expect(await project.run()).toMatchObject({ failure: 'budget', iteration: 2, cost_usd: 0.6, tokens: 30 });
  });

  test('stops after three agents that fail at once', async () => {
    const project = agentRunProject({}, [() => ({ stderr: 'Not logged in\n', end: 4, durationMs: 100 })]);
    expect(await project.run()).toMatchObject({
      failure: 'crashing',
      iteration: 3,
      last: { outcome: 'crashed', why: 'the agent exited with 4: Not logged in' },
    });
  });

  test('stops at once when the agent cannot be started', async () => {
    const end = { how: 'not-started', message: 'no such program' } as const;
    const project = agentRunProject({}, [() => ({ end })]);
    expect(await project.run()).toMatchObject({ failure: 'no-agent', iteration: 1 });
  });

  test('starts the command of the config', async () => {
    const project = agentRunProject({ 'worktree.yaml': 'ralph:\n  command: agent\n' }, [work]);
    const order = { command: null, prompt_file: join(project.root, 'spec.md'), rollback: false };
    expect(await project.run({ order })).toMatchObject({ status: 'passed' });
    expect(project.prompts[0]).toContain('Write the program.');
  });

  test('keeps its files in their directory for any name of the agent', async () => {
    const project = agentRunProject({}, [
      (project) => {
        work(project);
        return '<promise>STAGE_COMPLETE</promise>';
      },
    ]);
    expect(await project.run({ stages: [`../../../../${'x'.repeat(300)}`] })).toMatchObject({
      status: 'passed',
    });
    expect(project.events[0]).toMatchObject({ logPath: expect.stringContaining(join(project.root, OUTPUT)) });
  });

  test('reports a log that cannot be written, and continues', async () => {
    const project = agentRunProject({ '.trellis/.ralph/log.jsonl/directory/': '' }, [work]);
    expect(await project.run()).toMatchObject({ status: 'passed' });
    expect(project.events).toContainEqual({
      type: 'note',
      text: expect.stringMatching(/^The execution log cannot be written: /),
    });
  });
});

describe('an interrupted agent run', () => {
  test('ends as interrupted when the agent is aborted', async () => {
    const project = agentRunProject({}, [(project) => project.interrupt()]);
    expect(await project.run()).toMatchObject({
      status: 'interrupted',
      iteration: 1,
      driver: null,
      last: { outcome: 'interrupted', why: 'a signal stopped the run', continuing: false },
    });
  });

  test('ends as interrupted when a gate is aborted, and records no failure', async () => {
    const project = agentRunProject({ 'worktree.yaml': TEST_GATE }, [work]);
    const { onEvent } = project.context;
    Object.assign(project.context, {
      onEvent: (event: Parameters<typeof onEvent>[0]) => event.type === 'gates' && project.interrupt(),
    });
    expect(await project.run()).toMatchObject({ status: 'interrupted' });
    expect(project.has('.trellis/.ralph/failed-promise-TASK-001.json')).toBe(false);
  });
});

describe('a cancelled agent run', () => {
  const cancelling: AgentScript = async (project) => {
    const saved = project.saved();
    project.write({
      [STATE]: JSON.stringify({ ...saved, status: 'cancelled', cancelled_by: 'in a terminal' }),
    });
    return PROMISE;
  };

  test('ends as cancelled even if the agent makes a promise', async () => {
    const project = agentRunProject({}, [cancelling]);
    expect(await project.run()).toMatchObject({
      status: 'cancelled',
      last: { outcome: 'cancelled', why: 'the run was cancelled in a terminal', continuing: false },
    });
    expect(project.prompts).toHaveLength(1);
  });

  test('is in the log as cancelled when it is cancelled between two iterations', async () => {
    const project = agentRunProject({}, [() => 'Hm.']);
    const onEvent = ({ type }: { type: string }) => void (type === 'ended' && cancelling(project));
    Object.assign(project.context, { onEvent });
    expect(await project.run()).toMatchObject({ status: 'cancelled' });
    expect(project.outcomes()).toEqual(['coder 1 no-promise', 'coder 1 cancelled']);
  });

  test('starts no agent when it is cancelled after the iteration is counted', async () => {
    const project = agentRunProject({}, [work]);
    const onEvent = ({ type }: { type: string }) => void (type === 'begun' && cancelling(project));
    Object.assign(project.context, { onEvent });
    expect(await project.run()).toMatchObject({ status: 'cancelled' });
    expect(project.prompts).toEqual([]);
  });
});

test('an agent run writes no output through a link that leads out of the project', async () => {
  const elsewhere = temporaryTree();
  const project = agentRunProject({}, [() => PROMISE]);
  mkdirSync(join(project.root, '.trellis/.ralph'), { recursive: true });
  symlinkSync(elsewhere, join(project.root, '.trellis/.ralph/output'));

  await expect(project.run()).rejects.toThrow('by a symbolic link');
  expect(readdirSync(elsewhere)).toEqual([]);
});

describe('the state file of an agent run', () => {
  test.for<{ does: string; hostile: AgentScript }>([
    { does: 'resets its count', hostile: edit({ iteration: 0 }) },
    { does: 'raises its limit', hostile: edit({ max_iterations: 99 }) },
    { does: 'writes that it has passed', hostile: edit({ status: 'passed' }) },
    { does: 'breaks the file', hostile: ({ write }) => write({ [STATE]: '{"id": 7' }) },
    {
      does: 'removes the directory',
      hostile: ({ root }) => rmSync(join(root, '.trellis'), { recursive: true }),
    },
  ])('gives no iteration to an agent that $does', async ({ hostile }) => {
    const project = agentRunProject({ 'worktree.yaml': `${limited(2)}${TEST_GATE}` }, [
      (project) => {
        hostile(project);
        return work(project);
      },
    ]);
    expect(await project.run()).toMatchObject({ status: 'failed', failure: 'cap', iteration: 2 });
    expect(project.saved()).toMatchObject({ status: 'failed', iteration: 2, max_iterations: 2 });
    expect(project.prompts).toHaveLength(2);
  });

  test('ends the run with an error when it cannot be written', async () => {
    const project = agentRunProject({}, [
      ({ root }) => {
        rmSync(join(root, '.trellis/.ralph'), { recursive: true });
        writeFileSync(join(root, '.trellis/.ralph'), '');
      },
    ]);
    await expect(project.run()).rejects.toThrow(
      /^the state of TASK-001 cannot be written: .* To resume the run later: ralph-loop run --resume TASK-001$/,
    );
  });
});

function edit(fields: object): AgentScript {
  return (project) => project.write({ [STATE]: JSON.stringify({ ...project.saved(), ...fields }) });
}

describe('the prompt of an agent run', () => {
  test('contains the specification after the agent has removed its file', async () => {
    const project = agentRunProject({ 'worktree.yaml': limited(2) }, [
      ({ root }) => rmSync(join(root, 'spec.md'), { force: true }),
    ]);
    await project.run();
    expect(project.prompts[1]).toContain('Write the program.');
  });

  test('contains the present text of the specification', async () => {
    const project = agentRunProject({ 'worktree.yaml': limited(2) }, [
      ({ write }) => write({ 'spec.md': 'Write it in TypeScript.\n' }),
    ]);
    await project.run();
    expect(project.prompts[1]).toContain('Write it in TypeScript.');
  });

  test('does not count against an agent that prints it', async () => {
    const project = agentRunProject(
      { 'spec.md': 'TODO: all of it. There is remaining work, and tests fail.\n' },
      [(project) => `${project.prompts[0]}\n${work(project)}`],
    );
    expect(await project.run()).toMatchObject({ status: 'passed', iteration: 1 });
  });
});

describe("the task's file of an agent run", () => {
  const TASK = '.trellis/tasks/01-login/task.json';
  const task = { id: 'TASK-001', title: 'Log in', status: 'in_progress', metadata: { own: 1 } };
  const files = {
    [TASK]: `${JSON.stringify(task, null, 4)}\n`,
    '.trellis/tasks/01-login/prd.md': 'People can log in.\n',
    'worktree.yaml': limited(2),
  };
  const order = { command: ['agent'], prompt_file: null, rollback: false };

  test('shows the progress while the agent works, and nothing when the run has passed', async () => {
    let during: unknown;
    const project = agentRunProject(files, [
      (project) => {
        during = JSON.parse(project.read(TASK));
        return work(project);
      },
    ]);
    expect(await project.run({ order })).toMatchObject({ status: 'passed', title: 'Log in' });
    expect(during).toMatchObject({ metadata: { own: 1, ralph: { stage: 'coder', iteration: 1 } } });
    expect(JSON.parse(project.read(TASK))).toEqual(task);
    expect(project.prompts[0]).toContain('# TASK-001: Log in');
    expect(project.prompts[0]).toContain('People can log in.');
  });

  test('shows the failure and the last message when the run has failed', async () => {
    const project = agentRunProject(files, [() => 'I am stuck.\n']);
    await project.run({ order });
    expect(JSON.parse(project.read(TASK))).toMatchObject({
      status: 'todo',
      metadata: { own: 1, ralph_failure: { last_output: 'I am stuck.\n', iterations_used: 2 } },
    });
  });

  test('does not count as a change of the working tree', async () => {
    const project = agentRunProject({ ...files, 'worktree.yaml': `ralph:\n  max_stalled: 1\n` }, [
      () => 'Hm.',
    ]);
    expect(await project.run({ order })).toMatchObject({ failure: 'stalled', iteration: 1 });
  });

  test.skipIf(process.getuid?.() === 0)('is reported when it cannot be written', async () => {
    const project = agentRunProject(files, [work]);
    chmodSync(join(project.root, '.trellis/tasks/01-login'), 0o500);
    expect(await project.run({ order })).toMatchObject({ status: 'passed' });
    chmodSync(join(project.root, '.trellis/tasks/01-login'), 0o700);
    expect(project.events).toContainEqual({
      type: 'note',
      text: expect.stringContaining('cannot be written'),
    });
  });
});
