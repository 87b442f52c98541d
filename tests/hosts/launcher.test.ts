import { rmSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { test } from '../helpers/project.ts';
import { CLIENTS } from './clients.ts';
import { installClient } from './install-client.ts';
import { neverFixes } from './model-scripts.ts';
import { runClient } from './run-client.ts';
import { setUpHook } from './set-up-hook.ts';

for (const client of CLIENTS) {
  const installation = await installClient(client);
  describe.skipIf(!installation.installed)(
    `the launcher as the stop hook of ${client.title} ${client.version}`,
    () => {
      test('blocks one stop and allows the next if ralph-loop is not installed', async ({ makeProject }) => {
        if (!installation.installed) throw new Error(installation.reason);
        const project = makeProject({}, { git: false });
        await setUpHook(project, client.host, { gates: ['true'] });
        // The path of the program that `init` ran in is all that leads to it.
        rmSync(`${project.environment.XDG_STATE_HOME}/ralph-loop/program`);

        const run = await runClient(client, installation.command, project, neverFixes);

        expect({ complaints: run.complaints, failures: run.serverFailures }).toEqual({
          complaints: [],
          failures: [],
        });
        const texts = run.requests.map(({ messages }) => JSON.stringify(messages.at(-1)));
        expect(texts.filter((text) => text.includes('ralph-loop is not installed in'))).toHaveLength(1);
        expect(run.log).toEqual([]);
      });
    },
  );
}
