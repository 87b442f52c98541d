import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '../client.ts';
import { SUBAGENT_PROMPT } from '../model-scripts.ts';
import { hookComplaints } from './gemini-hook-complaints.ts';

const qwenCode: Omit<Client, 'version'> = {
  host: 'qwen',
  title: 'Qwen Code',
  package: '@qwen-code/qwen-code',
  program: 'qwen',
  environment: ({ serverUrl }) => ({
    OPENAI_API_KEY: 'dummy',
    OPENAI_BASE_URL: `${serverUrl}/v1`,
    OPENAI_MODEL: 'scripted',
    QWEN_DEBUG_LOG_FILE: '1',
  }),
  arguments: () => ['--auth-type', 'openai', '--approval-mode', 'yolo', '--prompt', 'go'],
  shellCall: (command) => ({ tool: 'run_shell_command', input: { command, is_background: false } }),
  editCalls: ({ path: file, from, to }) => [
    { tool: 'read_file', input: { file_path: file } },
    { tool: 'edit', input: { file_path: file, old_string: from, new_string: to } },
  ],
  subagent: {
    // The older release starts a new agent after a block, which has only this prompt and the reason.
    // Both releases ignore an agent whose prompt is shorter than ten characters.
    files: {
      '.qwen/agents/check.md': `---\nname: check\ndescription: Checks the work\n---\n${SUBAGENT_PROMPT}\n`,
    },
    start: (prompt) => ({
      tool: 'agent',
      input: { description: 'Check', prompt, subagent_type: 'check', run_in_background: false },
    }),
  },
  complaints: ({ home }) => {
    const logs = path.join(home, '.qwen', 'debug');
    return readdirSync(logs).flatMap((name) => hookComplaints(readFileSync(path.join(logs, name), 'utf8')));
  },
};

export const qwen: Client = { ...qwenCode, version: '0.24.4', node: '22.23.3', printsMessages: true };

/** A release for Node 20. Its events have fewer fields, and its first stop already has stop_hook_active. */
export const qwenOfNode20: Client = { ...qwenCode, version: '0.15.10' };
