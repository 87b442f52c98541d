import type { Client } from '../client.ts';
import { hookComplaints } from './gemini-hook-complaints.ts';

/** It has no event for its subagents. */
export const gemini: Client = {
  host: 'gemini',
  title: 'Gemini CLI',
  package: '@google/gemini-cli',
  version: '0.61.0',
  program: 'gemini',
  environment: ({ serverUrl }) => ({
    GEMINI_API_KEY: 'dummy',
    GOOGLE_GEMINI_BASE_URL: serverUrl,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  }),
  // Otherwise it would treat the key as one of a gateway and not start.
  homeFiles: () => ({ '.gemini/settings.json': '{"security":{"auth":{"selectedType":"gemini-api-key"}}}' }),
  // Without the name of a model, it asks a model which one to use.
  arguments: () => ['--approval-mode', 'yolo', '--model', 'scripted', '--prompt', 'go'],
  printsMessages: true,
  shellCall: (command) => ({ tool: 'run_shell_command', input: { command, description: 'Do it' } }),
  editCalls: ({ path, from, to }) => [
    { tool: 'read_file', input: { file_path: path } },
    {
      tool: 'replace',
      input: { file_path: path, instruction: 'Replace it', old_string: from, new_string: to },
    },
  ],
  complaints: ({ stderr }) => hookComplaints(stderr),
};
