import { expect, test } from 'vitest';
import { type FinishedAgent, judgeIteration } from '../../../src/agent-run/judge.ts';
import type { AgentRunPlan } from '../../../src/agent-run/plan.ts';
import { EMPTY_RECORDING } from '../../../src/process/recording.ts';
import type { AgentRun } from '../../../src/state/agent-run.ts';

const agentEnd = (exitCode: number, durationMs: number): FinishedAgent => ({
  result: {
    end: { how: 'exited', exitCode },
    durationMs,
    message: '',
    costUsd: null,
    tokens: null,
    errorLine: 'jq: not found',
  },
  prompt: '',
  changed: null,
  treeChanged: null,
});

test.for([
  { exitCode: 127, durationMs: 20, outcome: 'not-started', crashedAtOnce: false },
  { exitCode: 126, durationMs: 20, outcome: 'not-started', crashedAtOnce: false },
  { exitCode: 127, durationMs: 60_000, outcome: 'crashed', crashedAtOnce: false },
  { exitCode: 1, durationMs: 20, outcome: 'crashed', crashedAtOnce: true },
  { exitCode: 1, durationMs: 60_000, outcome: 'crashed', crashedAtOnce: false },
])('exit $exitCode after $durationMs ms: $outcome', async ({ exitCode, durationMs, ...expected }) => {
  const effects = {
    runCommand: async () => ({ end: { how: 'aborted' as const }, durationMs: 0, output: EMPTY_RECORDING }),
    now: () => new Date(),
    env: {},
    deadline: { seconds: 1, atMs: 0 },
    signal: new AbortController().signal,
  };
  const plan = { iterationTimeoutSeconds: 60 } as AgentRunPlan;
  const loop = { completion_promise: 'DONE', stage: 'coder' } as AgentRun;
  const judged = await judgeIteration(plan, loop, agentEnd(exitCode, durationMs), effects, () => {});
  expect(judged).toMatchObject(expected);
});
