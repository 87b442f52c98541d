import { execa } from 'execa';
import { describe, expect, onTestFinished } from 'vitest';
import { readLog } from '../../src/state/execution-log.ts';
import { ralphDirectory } from '../../src/state/paths.ts';
import { eventually } from '../helpers/eventually.ts';
import { type Project, test } from '../helpers/project.ts';
import type { Client } from './client.ts';
import { kilo, opencode } from './clients/opencode.ts';
import { configureClient } from './configure-client.ts';
import { type Command, installClient } from './install-client.ts';
import type { ModelReply } from './model-reply.ts';
import { fixesWhenSentBack } from './model-scripts.ts';
import { type ModelScript, startScriptedModelServer } from './scripted-model-server.ts';
import { setUpHook } from './set-up-hook.ts';

// Sessions that stay open after a turn, as in a terminal, on the server that the clients of OpenCode use.

const CLIENTS: readonly Client[] = [opencode, kilo];

/** An answer that never arrives. */
const NEVER = new Promise<ModelReply>(() => {});

/** Starts a session of the client's server, with `script` as the model until the test ends. */
async function openSession(
  client: Client,
  [program, ...before]: Command,
  project: Project,
  script: ModelScript,
) {
  const model = await startScriptedModelServer(script);
  onTestFinished(() => model.close());
  const { environment } = await configureClient(client, project, model.url);
  const server = execa(program, [...before, 'serve', '--port', '0'], {
    cwd: project.root,
    env: { ...project.environment, ...environment },
    extendEnv: false,
    stdin: 'ignore',
    all: true,
    reject: false,
  });
  onTestFinished(async () => {
    server.kill();
    await server;
  });
  let printed = '';
  server.all.on('data', (text) => (printed += text));
  const url = await eventually('the server listens', () => /https?:\/\/[\w.]+:\d+/.exec(printed)?.[0]);
  const post = async (path: string, body: object = {}) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.ok).toBe(true);
    return response.text();
  };
  const { id } = JSON.parse(await post('/session'));
  return {
    model,
    prompt: (text: string) => post(`/session/${id}/prompt_async`, { parts: [{ type: 'text', text }] }),
    interrupt: () => post(`/session/${id}/abort`),
    answers: () =>
      readLog(ralphDirectory(project.root))
        .filter(({ answer }) => answer !== 'ignore')
        .map(({ answer, why }) => `${answer} ${why}`),
  };
}

for (const client of CLIENTS) {
  const installation = await installClient(client);
  const command: Command = installation.installed ? installation.command : [''];
  describe.skipIf(!installation.installed)(`a session of ${client.title} ${client.version}`, () => {
    test('goes on after a blocked stop, until the failure is fixed', async ({ makeProject }) => {
      const project = makeProject({}, { git: false });
      await setUpHook(project, client.host, { gates: ['test -f fixed.txt'] });
      const session = await openSession(client, command, project, fixesWhenSentBack(client));
      await session.prompt('go');
      await eventually('the stop is allowed', () => session.answers().length === 2);
      expect(session.answers()).toEqual(['block gates-failed', 'allow commands-passed']);
    });

    test('that a person interrupts stays idle, and is judged after the next prompt', async ({
      makeProject,
    }) => {
      const project = makeProject({}, { git: false });
      await setUpHook(project, client.host, { gates: ['true'] });
      let isStuck = true;
      const session = await openSession(client, command, project, () =>
        isStuck ? NEVER : { text: 'All is done.' },
      );
      await session.prompt('go');
      await eventually('the model is asked', () => session.model.requests.length > 0);
      await session.interrupt();
      isStuck = false;
      const asked = session.model.requests.length;
      await session.prompt('go on');
      await eventually('the stop is allowed', () => session.answers().length > 0);
      expect(session.answers()).toEqual(['allow commands-passed']);
      const prompts = session.model.requests
        .slice(asked)
        .flatMap(({ messages }) => messages.at(-1)?.text ?? '');
      expect(prompts.filter((text) => text.includes('ralph-loop'))).toEqual([]);
    });
  });
}
