import { describe, expect, test } from 'vitest';
import { judgeIteration } from '../../../src/agent-run/judge.ts';
import type { AgentProcessResult } from '../../../src/agent-run/run-agent.ts';
import { agentRunOf } from '../../helpers/agent-run.ts';
import { agentRunProject, PROMISE } from '../../helpers/agent-run-project.ts';
import { type Files, worktreeYaml } from '../../helpers/project.ts';

interface Options {
  readonly files?: Files;
  readonly prompt?: string;
  readonly treeChanged?: boolean | null;
  readonly isInterrupted?: boolean;
  readonly stage?: string;
}

/** Judges an iteration of a coder. By default it has changed the tree and ended with exit code 0 after a minute. */
async function judge(
  result: Partial<AgentProcessResult>,
  { files = {}, prompt = '', treeChanged = true, isInterrupted = false, stage = 'coder' }: Options = {},
) {
  const project = agentRunProject(files);
  const plan = await project.plan();
  const finished = {
    result: {
      end: { how: 'exited', exitCode: 0 } as const,
      durationMs: 60_000.4,
      message: '',
      costUsd: null,
      tokens: null,
      errorLine: '',
      ...result,
    },
    prompt,
    changed: treeChanged,
    treeChanged,
  };
  const end = await judgeIteration(plan, agentRunOf({ stage }), finished, project.context, () => {
    if (isInterrupted) project.interrupt();
  });
  return { end, gates: project.gates };
}

const RUNNER_OUTPUTS: readonly string[] = [
  '1 failing',
  '  3 passing (12ms)\n  1 failing',
  '```\n  3 passing\n  1 failing\n```',
  'All good:\n\n  3 passing\n\n  1 failing\n\n  1) login redirects',
  'FAILED tests/test_auth.py::test_login\n=== 1 failed, 3 passed in 0.12s ===',
  'All tests pass except login.',
];

const FAILING = { 'worktree.yaml': worktreeYaml(['{ name: test, run: "false" }']) };
const PASSING = { 'worktree.yaml': worktreeYaml(['{ name: test, run: "true" }']) };

describe('judgeIteration', () => {
  test.for(RUNNER_OUTPUTS)('refuses a tester without a gate whose message has %j', async (message) => {
    const { end } = await judge({ message: `${message}\n\n${PROMISE}` }, { stage: 'tester' });
    expect(end.outcome).toBe('denied');
  });

  test('accepts a promise that holds', async () => {
    const { end } = await judge({ message: PROMISE, costUsd: 0.5, tokens: 7 }, { files: PASSING });
    expect(end).toEqual({
      outcome: 'accepted',
      why: 'the promise holds',
      promise_found: true,
      duration_ms: 60_000,
      cost_usd: 0.5,
      tokens: 7,
      gates: [{ name: 'test', outcome: 'passed', exit: 0, duration_ms: expect.any(Number) }],
      feedback: null,
      failedBy: null,
      changed: true,
      crashedAtOnce: false,
    });
  });

  test('runs no gates without a promise', async () => {
    const { end, gates } = await judge({ message: 'Not yet.' }, { files: PASSING });
    expect(end).toMatchObject({
      outcome: 'no-promise',
      promise_found: false,
      why: 'the agent made no promise',
    });
    expect(end.feedback).toContain('<promise>IMPLEMENTATION_COMPLETE</promise>');
    expect(gates).toEqual([]);
  });

  test('denies a promise when a gate fails, with the output of the gate', async () => {
    const { end } = await judge({ message: PROMISE }, { files: FAILING });
    expect(end).toMatchObject({ outcome: 'denied', why: expect.stringMatching(/^Gates: test ✗/) });
    expect(end.feedback).toContain('false prints this');
    expect(end.feedback).not.toContain('of the project does not pass');
  });

  test('denies a promise for all reasons at once', async () => {
    const message = `TODO: docs\n${PROMISE}`;
    const { end } = await judge({ message }, { files: FAILING, treeChanged: false });
    expect(end.why).toMatch(/^the message contradicts it: "TODO: docs"; git sees no change; Gates: test ✗/);
    expect(end.feedback).toMatch(/- line 1: TODO: docs[\s\S]*git status[\s\S]*false prints this/);
    expect(end.failedBy).not.toContain('Iteration');
  });

  test('denies a promise of a coder who has changed nothing', async () => {
    expect((await judge({ message: PROMISE }, { treeChanged: false })).end.outcome).toBe('denied');
  });

  test('accepts the word of a coder in a project without git', async () => {
    const { end } = await judge({ message: `I fixed the parser.\n${PROMISE}` }, { treeChanged: null });
    expect(end.outcome).toBe('accepted');
  });

  test('ignores the contradictions in the prompt that the agent prints', async () => {
    const prompt = 'TODO: all of it.';
    expect((await judge({ message: `${prompt}\n${PROMISE}` }, { prompt })).end.outcome).toBe('accepted');
  });

  test('accepts every promise when promises are not verified', async () => {
    const files = { 'worktree.yaml': `ralph:\n  verify_promises: false\n${FAILING['worktree.yaml']}` };
    const { end, gates } = await judge(
      { message: `TODO: all of it\n${PROMISE}` },
      { files, treeChanged: false },
    );
    expect(end.outcome).toBe('accepted');
    expect(gates).toEqual([]);
  });

  test('is interrupted when the signal aborts the gates', async () => {
    const { end } = await judge({ message: PROMISE }, { files: PASSING, isInterrupted: true });
    expect(end).toMatchObject({ outcome: 'interrupted', why: 'a signal stopped the run', feedback: null });
  });
});

describe('judgeIteration, when the agent has failed,', () => {
  test.for([
    { exitCode: 127, durationMs: 20, outcome: 'not-started', crashedAtOnce: false },
    { exitCode: 126, durationMs: 20, outcome: 'not-started', crashedAtOnce: false },
    { exitCode: 127, durationMs: 60_000, outcome: 'crashed', crashedAtOnce: false },
    { exitCode: 1, durationMs: 20, outcome: 'crashed', crashedAtOnce: true },
    { exitCode: 1, durationMs: 60_000, outcome: 'crashed', crashedAtOnce: false },
  ])(
    'returns $outcome for exit code $exitCode after $durationMs ms',
    async ({ exitCode, durationMs, ...expected }) => {
      const { end } = await judge({
        end: { how: 'exited', exitCode },
        durationMs,
        errorLine: 'jq: not found',
      });
      expect(end).toMatchObject(expected);
    },
  );

  test('reports the last line of its stderr', async () => {
    const { end } = await judge({ end: { how: 'exited', exitCode: 4 }, errorLine: 'Not logged in' });
    expect(end.why).toBe('the agent exited with 4: Not logged in');
    expect(end.feedback).toBe(
      'The last iteration failed: the agent exited with 4: Not logged in. Look at what it left behind, and continue from there.',
    );
  });

  test('reports the signal that killed it', async () => {
    const { end } = await judge({ end: { how: 'killed', signal: 'SIGSEGV' } });
    expect(end).toMatchObject({ outcome: 'crashed', why: 'the agent was killed by SIGSEGV' });
  });

  test('reports the timeout', async () => {
    const files = { 'worktree.yaml': 'ralph:\n  iteration_timeout: 90\n' };
    const { end } = await judge({ end: { how: 'timed-out' }, message: PROMISE }, { files });
    expect(end).toMatchObject({
      outcome: 'timed-out',
      why: 'the agent timed out after 1 min 30 s',
      promise_found: true,
      failedBy: 'timed-out',
    });
  });

  test('reports why it could not be started', async () => {
    const { end } = await judge({ end: { how: 'not-started', message: 'no shell' } });
    expect(end).toMatchObject({ outcome: 'not-started', why: 'no shell', feedback: null });
  });

  test('is interrupted when the signal aborts the agent', async () => {
    expect((await judge({ end: { how: 'aborted' } })).end.outcome).toBe('interrupted');
  });
});
