import { describe, expect } from 'vitest';
import { readLog } from '../../src/state/execution-log.ts';
import { ralphDirectory } from '../../src/state/paths.ts';
import { type Project, test } from '../helpers/project.ts';
import type { Client } from './client.ts';
import { CLIENTS } from './clients.ts';
import { installClient } from './install-client.ts';
import { fixesWhenSentBack } from './model-scripts.ts';
import { runClient } from './run-client.ts';
import type { ModelScript } from './scripted-model-server.ts';
import { setUpHook } from './set-up-hook.ts';

/** Returns the client with another prompt. */
function typing(client: Client, prompt: string): Client {
  return {
    ...client,
    arguments: (place) => client.arguments(place).map((word) => (word === 'go' ? prompt : word)),
  };
}

const logIn = (project: Project) => readLog(ralphDirectory(project.root));

const clients = await Promise.all(
  CLIENTS.map(async (client) => ({ client, installation: await installClient(client) })),
);

for (const { client, installation } of clients)
  describe.skipIf(!installation.installed)(
    `gates typed into the prompt of ${client.title} ${client.version}`,
    () => {
      test('are given to the model, and verified when it stops', async ({ makeProject }) => {
        if (!installation.installed) return;
        const project = makeProject({}, { git: false });
        await setUpHook(project, client.host, { gates: ['true'] });
        const prompt = 'go :: verify:"test -f fixed.txt" max:3';
        const run = await runClient(
          typing(client, prompt),
          installation.command,
          project,
          fixesWhenSentBack(client),
        );
        expect(
          run.log.filter(({ agent }) => agent === 'main').map(({ answer, why }) => `${answer} ${why}`),
        ).toEqual([
          expect.stringMatching(/^ignore gates begun: - `test -f fixed.txt`/),
          'block gates-failed',
          // The typed gates, then the gates of the project.
          ...(client.asksOnceATurn ? [] : ['allow verified', 'allow commands-passed']),
        ]);
        const isGiven = run.requests.some(({ system, messages }) =>
          [system, ...messages.map(({ text }) => text)].some((text) =>
            text.includes('ralph-loop verifies your work'),
          ),
        );
        // Copilot does not pass the context of a hook to the model, but its stops are checked.
        expect(isGiven).toBe(client.host !== 'copilot');
      });

      test('that are invalid keep the prompt from the model', async ({ makeProject }) => {
        if (!installation.installed) return;
        const project = makeProject({}, { git: false });
        await setUpHook(project, client.host, { gates: ['true'] });
        const asked: string[] = [];
        const script: ModelScript = ({ messages }) => {
          asked.push(...messages.map(({ text }) => text));
          return { text: 'All is done.' };
        };
        const prompt = 'go :: verify:"test';
        // Some clients report with their exit code that nothing was started.
        await runClient(typing(client, prompt), installation.command, project, script).catch(() => {});
        // OpenCode and Kilo cannot reject a prompt: its text is replaced by the reason.
        const isReason = (text: string) => text.includes('ralph-loop rejected the prompt.');
        expect(asked.filter((text) => text.includes('verify:') && !isReason(text))).toEqual([]);
        // The turn that answers with the reason has a stop of its own.
        const [first] = logIn(project);
        expect(first).toMatchObject({ why: expect.stringMatching(/^gates refused: /) });
      });
    },
  );
