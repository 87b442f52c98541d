import type { Client } from '../client.ts';

export const pi: Client = {
  host: 'pi',
  title: 'Pi',
  package: '@earendil-works/pi-coding-agent',
  version: '0.87.1',
  node: '22.23.3',
  program: 'pi',
  environment: () => ({ PI_OFFLINE: '1' }),
  homeFiles: ({ serverUrl }) => ({
    '.pi/agent/models.json': JSON.stringify({
      providers: {
        scripted: {
          baseUrl: `${serverUrl}/v1`,
          api: 'openai-completions',
          apiKey: 'dummy',
          models: [{ id: 'scripted' }],
        },
      },
    }),
  }),
  arguments: () => ['--model', 'scripted/scripted', '--approve', '--print', 'go'],
  printsMessages: true,
  shellCall: (command) => ({ tool: 'bash', input: { command } }),
  editCalls: ({ path: file, from, to }) => [
    { tool: 'edit', input: { path: file, edits: [{ oldText: from, newText: to }] } },
  ],
  // The extension prints what is wrong.
  complaints: ({ stderr }) => stderr.split('\n').filter((line) => /not verified:|[Ee]xtension/.test(line)),
};
