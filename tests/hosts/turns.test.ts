import { describe, expect } from 'vitest';
import { test } from '../helpers/project.ts';
import { CLIENTS } from './clients.ts';
import { installClient } from './install-client.ts';
import { isBackgroundRequest, neverFixes } from './model-scripts.ts';
import { runClient } from './run-client.ts';
import type { ModelScript } from './scripted-model-server.ts';
import { setUpHook } from './set-up-hook.ts';

const clients = await Promise.all(
  CLIENTS.map(async (client) => ({ client, installation: await installClient(client) })),
);

for (const { client, installation } of clients)
  describe.skipIf(!installation.installed)(`a turn of ${client.title} ${client.version}`, () => {
    /** Works once, and claims to be done. */
    const works: ModelScript = (request) =>
      !isBackgroundRequest(client, request) && request.messages.every(({ role }) => role !== 'tool')
        ? client.shellCall('echo x > new.txt')
        : { text: 'All is done.' };

    test.for([
      { what: 'changed nothing', script: neverFixes, whys: ['unchanged'] },
      { what: 'changed a file', script: works, whys: ['gates-failed', 'gates-failed', 'cap-reached'] },
    ])('that $what', async ({ script, whys }, { makeProject }) => {
      if (!installation.installed) return;
      const project = makeProject({}, { git: false });
      await setUpHook(project, client.host, { gates: ['false'], when: 'changed' });
      const config = project.read('worktree.yaml');
      project.write({ 'worktree.yaml': config.replace('ralph:\n', 'ralph:\n  max_iterations: 3\n') });
      const { log } = await runClient(client, installation.command, project, script);
      expect(log.filter(({ agent }) => agent === 'main').map(({ why }) => why)).toEqual(
        whys.slice(0, client.asksOnceATurn ? 1 : undefined),
      );
    });
  });
