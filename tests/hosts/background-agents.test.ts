import { describe, expect } from 'vitest';
import { test } from '../helpers/project.ts';
import type { Client } from './client.ts';
import { claudeCode } from './clients/claude-code.ts';
import { qwen } from './clients/qwen.ts';
import { installClient } from './install-client.ts';
import { delegates, SUBAGENT_PROMPT } from './model-scripts.ts';
import { runClient } from './run-client.ts';
import type { ModelScript } from './scripted-model-server.ts';
import { setUpHook } from './set-up-hook.ts';

/** Returns the client with a main agent that does not wait for the subagent that it starts. */
function inBackground(client: Client): Client {
  const { subagent } = client;
  if (subagent === undefined) throw new Error(`${client.title} has no subagents`);
  const start = () => {
    const call = subagent.start(SUBAGENT_PROMPT);
    return { ...call, input: { ...call.input, run_in_background: true } };
  };
  return { ...client, subagent: { files: subagent.files, start } };
}

/** Works as a subagent until the first line of the log, which is that of the main agent's stop. */
function worksUntilMainStops(client: Client): ModelScript {
  const waiting = client.shellCall('until [ -s .trellis/.ralph/log.jsonl ]; do sleep 0.1; done');
  return ({ messages }) => (messages.some(({ role }) => role === 'tool') ? { text: 'Checked.' } : waiting);
}

const clients = await Promise.all(
  [claudeCode, qwen].map(async (client) => ({ client, installation: await installClient(client) })),
);

for (const { client, installation } of clients)
  describe.skipIf(!installation.installed)(
    `a main agent of ${client.title} that waits for a background agent`,
    () => {
      test('is allowed to stop, and is checked when it continues', async ({ makeProject }) => {
        if (!installation.installed) return;
        const waiting = inBackground(client);
        const project = makeProject(client.subagent?.files, { git: false });
        await setUpHook(project, client.host, { gates: ['true'] });
        const script = delegates(waiting, worksUntilMainStops(client));
        const { log } = await runClient(waiting, installation.command, project, script);
        const ofMain = log
          .filter(({ agent }) => agent === 'main')
          .map(({ answer, why }) => `${answer} ${why}`);
        expect(ofMain).toEqual(['ignore the agent waits for 1 background agent', 'allow commands-passed']);
      });
    },
  );
