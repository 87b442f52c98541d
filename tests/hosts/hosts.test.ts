import { readFileSync } from 'node:fs';
import { afterAll, describe, expect } from 'vitest';
import { test } from '../helpers/project.ts';
import type { Client } from './client.ts';
import { CLIENTS } from './clients.ts';
import { hostTable, type Outcome } from './host-table.ts';
import { installClient } from './install-client.ts';
import { delegates, feedbackIn, fixesWhenSentBack, isCheckAgent, neverFixes } from './model-scripts.ts';
import { type ClientRun, runClient } from './run-client.ts';
import type { ModelScript } from './scripted-model-server.ts';
import { type HookSetUp, setUpHook } from './set-up-hook.ts';

interface Case {
  /** Also the heading of the column. */
  readonly name: string;
  readonly hook: HookSetUp;
  /** The agent whose stops are checked. */
  readonly agent: 'main' | 'check';
  readonly model: (client: Client) => ModelScript;
  /** The answers of ralph-loop, with their reasons. */
  readonly answers: readonly string[];
  /** The first lines of the feedback to the agent. */
  readonly feedback: readonly string[];
}

const failed = (iteration: number) => `Iteration ${iteration}/5. Verification failed:`;
const blockedFourTimes = {
  answers: [...Array(4).fill('block gates-failed'), 'allow cap-reached'],
  feedback: [1, 2, 3, 4].map(failed),
};

const CASES: readonly Case[] = [
  {
    name: 'never fixed',
    hook: { gates: ['test -f fixed.txt'] },
    agent: 'main',
    model: () => neverFixes,
    ...blockedFourTimes,
  },
  {
    name: 'a subagent, never fixed',
    hook: { gates: ['test -f fixed.txt'] },
    agent: 'check',
    model: (client) => delegates(client, neverFixes),
    ...blockedFourTimes,
  },
  {
    name: 'fixed when sent back',
    hook: { gates: ['test -f fixed.txt'] },
    agent: 'main',
    model: fixesWhenSentBack,
    answers: ['block gates-failed', 'allow commands-passed'],
    feedback: [failed(1)],
  },
  {
    name: 'a gate slower than the host waits',
    hook: { gates: ['test -f fixed.txt || sleep 3000'], timeoutSeconds: 6 },
    agent: 'main',
    model: fixesWhenSentBack,
    // The gate goes on while the agent waits, three times at most.
    answers: [...Array(3).fill('block still-running'), 'block out-of-time', 'allow commands-passed'],
    feedback: [expect.stringContaining('Iteration 1/5.')],
  },
];

const driven = await Promise.all(
  CLIENTS.map(async (client) => ({
    client,
    installation: await installClient(client),
    outcomes: new Map<string, Outcome>(),
  })),
);

for (const { client, installation, outcomes } of driven) {
  describe(`ralph-loop as the stop hook of ${client.title} ${client.version}`, () => {
    test.for(CASES)('$name', async (row, { makeProject, skip }) => {
      if (!installation.installed) {
        outcomes.set(row.name, 'not installed');
        return skip(installation.reason);
      }
      if (row.agent === 'check' && client.subagent === undefined) {
        outcomes.set(row.name, 'no such event');
        return skip('no hook hears of its subagents');
      }
      outcomes.set(row.name, 'failed');

      const project = makeProject(client.subagent?.files, { git: false });
      await setUpHook(project, client.host, row.hook);
      const run = await runClient(client, installation.command, project, row.model(client));

      expect(run.complaints).toEqual([]);
      expect(run.serverFailures).toEqual([]);
      const stops = client.asksOnceATurn ? 1 : undefined;
      const answers = row.answers.slice(0, stops).map((answer) => `${client.host}: ${answer}`);
      expect(answersTo(row.agent, run)).toEqual(answers);
      const feedback = row.answers[0] === 'block gates-failed' ? row.feedback.slice(0, stops) : [];
      expect(feedbackFor(row.agent, run)).toEqual(client.asksOnceATurn ? feedback : row.feedback);
      outcomes.set(row.name, 'passed');
    });
  });
}

afterAll(() => {
  const rows = driven.map(({ client, installation, outcomes }) => ({
    client: `${client.title} ${installation.installed ? installation.version : client.version}`,
    outcomes,
  }));
  const table = hostTable(
    CASES.map(({ name }) => name),
    rows,
  );
  const reasons = driven.map(({ client, installation }) =>
    installation.installed ? '' : `${client.title} is not installed: ${installation.reason}\n`,
  );
  process.stdout.write(`\n${table}${reasons.join('')}\n`);
  // A client that is not installed here may be installed elsewhere.
  if (driven.every(({ installation }) => installation.installed))
    expect(readFileSync(new URL('../../docs/hosts.md', import.meta.url), 'utf8')).toContain(table);
});

/** Returns the answers in the log of ralph-loop, without ignored stops. */
function answersTo(agent: Case['agent'], { log }: ClientRun): string[] {
  return log
    .filter((record) => record.agent === agent && record.answer !== 'ignore')
    .map(({ host, answer, why }) => `${host}: ${answer} ${why}`);
}

/** Returns the feedback that reached the model. A request repeats earlier feedback until there is a newer one. */
function feedbackFor(agent: Case['agent'], { requests }: ClientRun): string[] {
  const feedback = requests
    .filter((request) => isCheckAgent(request) === (agent === 'check'))
    .map(feedbackIn)
    .filter((line) => line !== undefined);
  return [...new Set(feedback)];
}
