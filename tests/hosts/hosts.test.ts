import { afterAll, describe, expect } from 'vitest';
import { test } from '../helpers/project.ts';
import type { Client } from './client.ts';
import { CLIENTS } from './clients.ts';
import { driveClient } from './drive-client.ts';
import { hostTable, type Outcome } from './host-table.ts';
import { installClient } from './install-client.ts';
import { delegates, feedbackIn, fixesWhenSentBack, isSubagent, neverFixes } from './model-scripts.ts';
import type { ModelScript } from './scripted-model-server.ts';
import { type HookSetUp, setUpHook } from './set-up-hook.ts';

interface Case {
  /** The heading of its column, too. */
  readonly name: string;
  readonly hook: HookSetUp;
  readonly agent: 'main' | 'subagent';
  readonly model: (client: Client) => ModelScript;
  /** ralph-loop's answers to the agent, and why. */
  readonly answers: readonly string[];
  /** What the agent is told, its first line. */
  readonly feedback: readonly string[];
}

const failed = (iteration: number) => `Iteration ${iteration}/5. Verification failed:`;
const sentBackFourTimes = {
  answers: [...Array(4).fill('block gates-failed'), 'allow cap-reached'],
  feedback: [1, 2, 3, 4].map(failed),
};

const CASES: readonly Case[] = [
  {
    name: 'never fixed',
    hook: { gates: ['test -f fixed.txt'] },
    agent: 'main',
    model: () => neverFixes,
    ...sentBackFourTimes,
  },
  {
    name: 'a subagent, never fixed',
    hook: { gates: ['test -f fixed.txt'] },
    agent: 'subagent',
    model: (client) => delegates(client, neverFixes),
    ...sentBackFourTimes,
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
    hook: { gates: ['test -f fixed.txt || sleep 60'], timeoutSeconds: 6 },
    agent: 'main',
    model: fixesWhenSentBack,
    answers: ['block out-of-time', 'allow commands-passed'],
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
  describe(`ralph-loop as the stop hook of ${client.title}`, () => {
    test.for(CASES)(
      '$name',
      async ({ name, hook, agent, model, answers, feedback }, { makeProject, skip }) => {
        if (!installation.installed) {
          outcomes.set(name, 'not installed');
          return skip(installation.reason);
        }
        if (agent === 'subagent' && client.subagent === undefined) {
          outcomes.set(name, 'no such event');
          return skip('no hook hears of its subagents');
        }
        outcomes.set(name, 'failed');

        const project = makeProject(client.subagent?.files, { git: false });
        setUpHook(project, client.host, hook);
        const run = await driveClient(client, installation.executable, project, model(client));

        expect(run.complaints).toEqual([]);
        expect(run.serverFailures).toEqual([]);
        const type = agent === 'main' ? 'main' : client.subagent?.type;
        const judged = run.log.filter((record) => record.agent === type && record.answer !== 'ignore');
        expect(judged.map(({ answer, why }) => `${answer} ${why}`)).toEqual(answers);
        expect(judged.map(({ host }) => host)).toEqual(answers.map(() => client.host));
        const told = run.requests
          .filter((request) => isSubagent(request) === (agent === 'subagent'))
          .map(feedbackIn);
        expect([...new Set(told)].filter((line) => line !== undefined)).toEqual(feedback);
        expect(run.exitCode).toBe(0);
        outcomes.set(name, 'passed');
      },
    );
  });
}

afterAll(() => {
  const rows = driven.map(({ client, installation, outcomes }) => ({
    client: `${client.title} ${installation.installed ? installation.version : client.version}`,
    outcomes,
  }));
  const reasons = driven.map(({ client, installation }) =>
    installation.installed ? '' : `${client.title} is not installed: ${installation.reason}\n`,
  );
  process.stdout.write(
    `\n${hostTable(
      CASES.map(({ name }) => name),
      rows,
    )}${reasons.join('')}\n`,
  );
});
