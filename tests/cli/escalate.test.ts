import { expect } from 'vitest';
import { BIN, ralphLoop } from '../helpers/bin.ts';
import { gitProject } from '../helpers/git-project.ts';
import { test, worktreeYaml } from '../helpers/project.ts';
import { AGENT_COMMAND, RUN, scriptedAgent, WORK } from '../helpers/scripted-agent.ts';
import { hookAnswers, logOf, mainStops, sessionOf } from '../helpers/stops.ts';

test('ralph-loop escalate records a reason that status, the next stop and why show', async ({
  makeProject,
}) => {
  const project = makeProject({ 'worktree.yaml': worktreeYaml(['{ name: lint, run: "exit 1" }']) });
  const env = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: sessionOf(project) };
  const run = (...args: string[]) => ralphLoop(project, args, { env });
  expect(await run('escalate', '--gate', 'lint')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^The reason is missing[\s\S]*ralph-loop escalate --gate test "/),
  });

  expect(await run('escalate', '--gate', 'lint', 'two rules conflict')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^Escalated `lint`: two rules conflict\n/),
  });
  expect(logOf(project).at(-1)).toMatchObject({
    why: "escalate, by an agent's shell (CLAUDECODE=1)",
    session: sessionOf(project),
    escalated: { gate: 'lint', reason: 'two rules conflict' },
  });
  expect((await run('status')).stdout).toContain('Escalated `lint`: two rules conflict (by an agent');
  const { systemMessage } = await hookAnswers(project, mainStops(project), { env: { CLAUDECODE: '1' } });
  expect(systemMessage).toContain('not passed, escalated by an agent');
  expect((await run('status')).stdout).toMatch(
    /Last call .*allowed: escalated \(lint failed, exit 1\): `lint`: two rules conflict\n/,
  );
  expect((await run('why')).stdout).toMatch(/^Escalated: `lint`: two rules conflict\n/);
  expect((await run('report')).stdout).toContain('Escalated   1\n');
});

test('ralph-loop reset names the escalations that it removes', async ({ makeProject }) => {
  const project = makeProject({ 'worktree.yaml': worktreeYaml(['{ name: lint, run: "exit 1" }']) });
  const run = (...args: string[]) => ralphLoop(project, args);
  await run('escalate', '--gate', 'lint', 'two rules conflict');
  expect((await run('reset')).stdout).toBe('Removed an escalation of `lint`: two rules conflict\n');
  expect((await run('reset')).stdout).toBe('Nothing to reset.\n');
});

const ESCALATE = `"${process.execPath}" "${BIN}" escalate --gate test "no network"`;

test.for([
  { when: 'beside its promise', scripts: [`${ESCALATE}; ${WORK}`] },
  { when: 'after a promise that did not hold', scripts: [WORK, ESCALATE] },
])(
  'receipt and why name the reason of an agent run that escalated $when',
  async ({ scripts }, { makeProject }) => {
    const project = gitProject(makeProject, {
      'spec.md': 'Write the program.\n',
      'worktree.yaml': worktreeYaml(['{ name: test, run: "exit 1" }']),
      ...scriptedAgent(...scripts),
    });
    const { stdout } = await ralphLoop(project, [...RUN, ...AGENT_COMMAND]);
    expect(stdout).toContain('not verified: the agent escalated: `test`: no network');
    const receipt = await ralphLoop(project, ['receipt', '--json']);
    expect(JSON.parse(receipt.stdout)).toMatchObject({
      status: 'FAIL',
      escalated: { gate: 'test', reason: 'no network' },
    });
    expect((await ralphLoop(project, ['why'])).stdout).toMatch(/^Escalated: `test`: no network\n/);
  },
);
