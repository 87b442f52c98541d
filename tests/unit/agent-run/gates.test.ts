import { describe, expect, test } from 'vitest';
import { runPromiseGates } from '../../../src/agent-run/gates.ts';
import { agentRunOf } from '../../helpers/agent-run.ts';
import { type AgentRunProject, agentRunProject } from '../../helpers/agent-run-project.ts';
import { worktreeYaml } from '../../helpers/project.ts';

const FAILURES = '.trellis/.ralph/failed-promise-TASK-001.json';
const TESTS = '{ name: test, run: test -e done.txt }';

/** Plans a run in a project with these gates; the returned function verifies a promise of an iteration. */
async function projectWith(...verify: readonly string[]) {
  return projectOf(worktreeYaml(verify));
}

async function projectOf(config: string) {
  const project = agentRunProject({ 'worktree.yaml': config });
  const plan = await project.plan();
  const names: string[] = [];
  return {
    project,
    names,
    verify: (iteration = 1, task = 'TASK-001') =>
      runPromiseGates(plan, agentRunOf({ iteration, task_id: task }), project.context, (running) =>
        names.push(running.join(' ')),
      ),
  };
}

describe('runPromiseGates', () => {
  test('returns the results of gates that pass', async () => {
    const { verify, names } = await projectWith(
      '{ name: lint, run: "true" }',
      '{ name: types, run: "true" }',
    );
    expect(await verify()).toMatchObject({
      results: [
        { gate: { name: 'lint' }, outcome: { reason: 'passed' } },
        { gate: { name: 'types' }, outcome: { reason: 'passed' } },
      ],
      failed: undefined,
    });
    expect(names).toEqual(['lint', 'types']);
  });

  test('reports all gates that run at the same time', async () => {
    const gates = ['{ name: lint, run: "true" }', '{ name: types, run: "true" }'];
    const { names, verify } = await projectOf(worktreeYaml(gates, 'ralph:\n  jobs: 2\n'));
    await verify();
    expect(names).toEqual(['lint', 'lint types', 'types']);
  });

  test('returns nothing for a project without gates', async () => {
    const project = agentRunProject({});
    expect(await runPromiseGates(await project.plan(), agentRunOf(), project.context, () => {})).toEqual({
      results: [],
      failed: undefined,
      findings: [],
    });
  });

  test('describes a gate that fails for the log and for the agent', async () => {
    const { verify } = await projectWith(TESTS);
    const { failed } = await verify(3);
    expect(failed?.summary).toMatch(/^Gates: test ✗/);
    expect(failed?.feedback).toContain('Iteration 3/15');
    expect(failed?.feedback).toContain('test -e done.txt prints this');
    expect(failed?.feedback).toContain('It runs again when you promise again.');
  });

  test('stops at the first failure', async () => {
    const { verify } = await projectWith(TESTS, '{ name: lint, run: "true" }');
    expect((await verify()).results).toMatchObject([
      { outcome: { reason: 'failed' } },
      { outcome: { reason: 'skipped' } },
    ]);
  });

  test('has the same key for the same failure in another iteration', async () => {
    const { verify } = await projectWith(TESTS);
    expect((await verify(2)).failed?.key).toBe((await verify(1)).failed?.key);
  });

  test('has another key for another failure', async () => {
    const { verify, project } = await projectWith(TESTS, '{ name: lint, run: "false" }');
    const first = await verify(1);
    project.write({ 'done.txt': '' });
    expect((await verify(2)).failed?.key).not.toBe(first.failed?.key);
  });

  test('reports to the agent that nothing has changed since the previous failure', async () => {
    const { verify, project } = await projectWith(TESTS);
    await verify(1);
    expect((await verify(2)).failed?.feedback).toContain('Nothing in the working tree has changed');
    project.write({ 'more.txt': '' });
    expect((await verify(3)).failed?.feedback).not.toContain('Nothing in the working tree has changed');
  });

  test('records a failure, and removes the record when the gates pass', async () => {
    const { verify, project } = await projectWith(TESTS);
    await verify();
    expect(JSON.parse(project.read(FAILURES))).toMatchObject({
      task: 'promise:k3x9-7f2a:coder',
      iteration: 1,
      gates: [{ name: 'test' }],
    });
    project.write({ 'done.txt': '' });
    await verify();
    expect(project.has(FAILURES)).toBe(false);
  });

  test('keeps the outputs of concurrent runs apart', async () => {
    const { verify, project } = await projectWith(TESTS);
    await verify(1, 'A');
    await verify(1, 'B');
    expect(project.gates.map(({ logPath }) => logPath?.slice(project.root.length))).toEqual([
      '/.trellis/.ralph/output/promise-A/gates/test.log',
      '/.trellis/.ralph/output/promise-B/gates/test.log',
    ]);
  });

  test('marks the processes of the gates with the id of the run', async () => {
    const { verify, project } = await projectWith('{ name: test, run: "true", env: { pass: [] } }');
    await verify();
    expect(project.gates[0]?.env).toMatchObject({ RALPH_LOOP_TREE: expect.stringMatching(/^k3x9-7f2a:/) });
  });
});

describe('runPromiseGates, after the agent has changed the config,', () => {
  const change = (project: AgentRunProject, ...verify: readonly string[]) =>
    project.write({ 'worktree.yaml': worktreeYaml(verify) });

  test.for<[string, readonly string[]]>([
    ['removed a gate', ['{ name: lint, run: "true" }']],
    ['disabled a gate', ['{ name: test, run: test -e done.txt, enabled: false }']],
    ['changed the command of a gate', ['{ name: test, run: test 1 }']],
    ['changed the directory of a gate', ['{ name: test, run: test -e done.txt, cwd: src }']],
    ['changed the environment of a gate', ['{ name: test, run: test -e done.txt, env: { A: b } }']],
    [
      'limited the inherited environment of a gate',
      ['{ name: test, run: test -e done.txt, env: { pass: [] } }'],
    ],
    ['turned a gate into a warning', ['{ name: test, run: test -e done.txt, blocking: false }']],
    ['gave a gate a longer timeout', ['{ name: test, run: test -e done.txt, timeout: 999 }']],
  ])('fails, and judges the gate as it was, when it has %s', async ([, gates]) => {
    const { verify, project } = await projectWith(TESTS);
    change(project, ...gates);
    const red = await verify();
    expect(red.failed?.summary).toMatch(/test ✗/);
    expect(red.failed?.feedback).toContain('Restore them');

    project.write({ 'done.txt': '' });
    const { failed, results, findings } = await verify();
    expect(results).toContainEqual(expect.objectContaining({ outcome: { reason: 'passed' } }));
    expect(failed?.summary).toMatch(
      /^gates or tests became weaker since the run started: worktree\.yaml:\d: gate `test`/,
    );
    expect(findings).toMatchObject([{ rule: 'gate-changed', severity: 'high', path: 'worktree.yaml' }]);
    expect(project.gates.map(({ command }) => command).filter((command) => command !== 'true')).toEqual([
      'test -e done.txt',
      'test -e done.txt',
    ]);
  });

  test('fails when it has removed the config', async () => {
    const { verify, project } = await projectWith(TESTS);
    project.write({ 'worktree.yaml': '', 'done.txt': '' });
    expect((await verify()).failed?.summary).toContain('gate `test` is gone');
  });

  test('reports the difference without failing with `integrity: warn`', async () => {
    const warn = 'ralph:\n  integrity: warn\n';
    const { verify, project } = await projectOf(worktreeYaml([TESTS], warn));
    project.write({ 'worktree.yaml': worktreeYaml(['{ name: test, run: "true" }'], warn), 'done.txt': '' });
    expect(await verify()).toMatchObject({ failed: undefined, findings: [{ rule: 'gate-changed' }] });
  });

  test('fails when the config is invalid', async () => {
    const { verify, project } = await projectWith(TESTS);
    project.write({ 'worktree.yaml': 'verify:\n  - {name: test}\n' });
    expect((await verify()).failed).toMatchObject({
      summary: 'the config of the gates is invalid',
      feedback: expect.stringMatching(/^The config of the gates is invalid:\nworktree\.yaml:2:/),
    });
  });

  test('runs a gate that it has added', async () => {
    const { verify, project } = await projectWith('{ name: lint, run: "true" }');
    change(project, '{ name: lint, run: "true" }', TESTS);
    expect((await verify()).failed?.summary).toMatch(/^Gates: lint ✓.*test ✗/);
  });

  test('accepts a shorter timeout and another order', async () => {
    const { verify, project } = await projectWith('{ name: lint, run: "true" }');
    change(project, '{ name: lint, run: "true", timeout: 5, order: 7 }');
    expect((await verify()).failed).toBeUndefined();
  });
});
