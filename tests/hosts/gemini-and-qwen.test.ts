import { describe, expect } from 'vitest';
import { test } from '../helpers/project.ts';
import { gemini } from './clients/gemini.ts';
import { qwen, qwenOfNode20 } from './clients/qwen.ts';
import { driveClient } from './drive-client.ts';
import { type Command, installClient } from './install-client.ts';
import { neverFixes } from './model-scripts.ts';

const FAMILY = [
  { client: gemini, settings: '.gemini/settings.json', event: 'AfterAgent' },
  { client: qwen, settings: '.qwen/settings.json', event: 'Stop' },
  { client: qwenOfNode20, settings: '.qwen/settings.json', event: 'Stop' },
];

const FAULTS = [
  { fault: 'prints half a document', command: `printf '{"decision":'` },
  { fault: 'prints plain text', command: 'echo fine' },
  { fault: 'warns on stderr', command: 'echo careful >&2' },
  { fault: 'fails without a word', command: 'exit 1' },
  { fault: 'outlives its timeout', command: 'exec tail -f /dev/null', timeout: 1000 },
];

// Without these rows the tests of all hosts could find no complaint merely because nothing looks for one.
for (const { client, settings, event } of FAMILY) {
  const installation = await installClient(client);
  const program: Command = installation.installed ? installation.command : [''];
  describe.skipIf(!installation.installed)(
    `a hook that ${client.title} ${client.version} holds something against`,
    () => {
      test.for(FAULTS)(
        '$fault: it is named, and the stop goes through',
        async ({ command, timeout = 60_000 }, { makeProject }) => {
          const hooks = { [event]: [{ hooks: [{ type: 'command', name: 'faulty', command, timeout }] }] };
          const project = makeProject({ [settings]: JSON.stringify({ hooks }) }, { git: false });
          const run = await driveClient(client, program, project, neverFixes);

          expect(run.complaints).not.toEqual([]);
          expect(run.stdout).toBe('All is done.');
        },
      );
    },
  );
}
