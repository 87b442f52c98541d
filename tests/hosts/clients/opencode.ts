import type { Client } from '../client.ts';

const config = (serverUrl: string) =>
  JSON.stringify({
    share: 'disabled',
    autoupdate: false,
    model: 'scripted/scripted',
    small_model: 'scripted/scripted',
    permission: 'allow',
    provider: {
      scripted: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `${serverUrl}/v1`, apiKey: 'dummy' },
        models: { scripted: { tool_call: true, limit: { context: 100_000, output: 10_000 } } },
      },
    },
  });

export const opencode: Client = {
  host: 'opencode',
  title: 'OpenCode',
  package: 'opencode-ai',
  version: '1.18.33',
  nativePackage: 'opencode',
  program: 'opencode',
  environment: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
  }),
  homeFiles: ({ serverUrl }) => ({ '.config/opencode/opencode.json': config(serverUrl) }),
  arguments: () => ['run', 'go'],
  printsMessages: true,
  shellCall: (command) => ({ tool: 'bash', input: { command, description: 'Do it' } }),
  editCalls: ({ path: file, from, to }) => [
    { tool: 'read', input: { filePath: file } },
    { tool: 'edit', input: { filePath: file, oldString: from, newString: to } },
  ],
  subagent: {
    files: { '.opencode/agent/check.md': '---\ndescription: Checks the work\nmode: subagent\n---\nCheck.\n' },
    start: (prompt) => ({ tool: 'task', input: { description: 'Check', prompt, subagent_type: 'check' } }),
  },
  // The plugin prints what is wrong.
  complaints: ({ stderr }) => stderr.split('\n').filter((line) => line.includes('not verified:')),
};

/** A fork of OpenCode. */
export const kilo: Client = {
  ...opencode,
  host: 'kilo',
  title: 'Kilo Code',
  package: '@kilocode/cli',
  version: '7.7.7',
  nativePackage: '@kilocode/cli',
  program: 'kilo',
  environment: ({ serverUrl }) => ({
    KILO_DISABLE_AUTOUPDATE: '1',
    KILO_DISABLE_MODELS_FETCH: '1',
    KILO_DISABLE_LSP_DOWNLOAD: '1',
    KILO_DISABLE_DEFAULT_PLUGINS: '1',
    KILO_API_URL: serverUrl,
    KILO_NO_DAEMON: '1',
  }),
  homeFiles: ({ serverUrl }) => ({ '.config/kilo/kilo.json': config(serverUrl) }),
  arguments: () => ['run', '--auto', 'go'],
  subagent: {
    files: { '.kilo/agent/check.md': '---\ndescription: Checks the work\nmode: subagent\n---\nCheck.\n' },
    start: (prompt) => ({ tool: 'task', input: { description: 'Check', prompt, subagent_type: 'check' } }),
  },
};
