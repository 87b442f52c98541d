import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '../client.ts';

export const copilot: Client = {
  host: 'copilot',
  title: 'Copilot CLI',
  package: '@github/copilot',
  version: '1.0.102',
  program: 'copilot',
  environment: ({ serverUrl }) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_MODEL: 'scripted',
    COPILOT_PROVIDER_TYPE: 'anthropic',
    COPILOT_PROVIDER_BASE_URL: serverUrl,
    COPILOT_PROVIDER_API_KEY: 'dummy',
  }),
  // It ignores trust in its settings.json.
  homeFiles: ({ project }) => ({ '.copilot/config.json': JSON.stringify({ trustedFolders: [project] }) }),
  arguments: () => ['-p', 'go', '--allow-all'],
  shellCall: (command) => ({ tool: 'bash', input: { command, description: 'Do it' } }),
  editCalls: ({ path: file, from, to }) => [
    { tool: 'edit', input: { path: file, old_str: from, new_str: to } },
  ],
  subagent: {
    files: {
      '.github/agents/check.agent.md': '---\nname: check\ndescription: Checks the work\n---\nCheck.\n',
    },
    start: (prompt) => ({
      tool: 'task',
      input: { name: 'checker', description: 'Check', prompt, agent_type: 'check', mode: 'sync' },
    }),
  },
  // It reports hooks only in its log.
  complaints: ({ home }) => {
    const logs = path.join(home, '.copilot', 'logs');
    const lines = readdirSync(logs).flatMap((name) =>
      readFileSync(path.join(logs, name), 'utf8').split('\n'),
    );
    return lines.filter((line) => line.includes('[rust:hooks]'));
  },
};
