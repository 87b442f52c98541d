import type { Client } from '../client.ts';

export const kimi: Client = {
  host: 'kimi',
  title: 'Kimi Code',
  package: '@moonshot-ai/kimi-code',
  version: '2.1.0',
  node: '22.23.3',
  program: 'kimi',
  environment: () => ({ KIMI_DISABLE_TELEMETRY: '1', KIMI_CODE_NO_AUTO_UPDATE: '1' }),
  homeFiles: ({ serverUrl }) => ({
    '.kimi-code/config.toml': `default_model = "scripted"

[providers.scripted]
type = "openai"
base_url = "${serverUrl}/v1"
api_key = "dummy"

[models.scripted]
provider = "scripted"
model = "scripted"
max_context_size = 100000

`,
  }),
  arguments: () => ['-p', 'go'],
  asksOnceATurn: true,
  shellCall: (command) => ({ tool: 'Bash', input: { command } }),
  editCalls: ({ path: file, from, to }) => [
    { tool: 'Read', input: { path: file } },
    { tool: 'Edit', input: { path: file, old_string: from, new_string: to } },
  ],
  complaints: () => [],
};
