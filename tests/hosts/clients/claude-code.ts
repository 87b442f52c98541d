import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '../client.ts';
import { hookComplaints, readHookRuns } from './claude-hook-run.ts';

const DEBUG_FILE = 'debug.log';

export const claudeCode: Client = {
  host: 'claude-code',
  title: 'Claude Code',
  package: '@anthropic-ai/claude-code',
  version: '2.1.197',
  program: 'claude',
  environment: ({ home, serverUrl }) => ({
    CLAUDE_CODE_TMPDIR: home,
    ANTHROPIC_BASE_URL: serverUrl,
    ANTHROPIC_API_KEY: 'dummy',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    // Lets a client that runs as root in a container bypass permissions.
    IS_SANDBOX: '1',
  }),
  arguments: ({ home }) => [
    ...['-p', 'go', '--permission-mode', 'bypassPermissions'],
    ...['--output-format', 'stream-json', '--verbose', '--include-hook-events'],
    ...['--debug-file', join(home, DEBUG_FILE)],
  ],
  printsMessages: true,
  shellCall: (command) => ({ tool: 'Bash', input: { command, description: 'Do it' } }),
  // It refuses to edit what the model has not read.
  editCalls: ({ path, from, to }) => [
    { tool: 'Read', input: { file_path: path } },
    { tool: 'Edit', input: { file_path: path, old_string: from, new_string: to } },
  ],
  subagent: {
    files: { '.claude/agents/check.md': '---\nname: check\ndescription: Checks the work\n---\nCheck.\n' },
    start: (prompt) => ({ tool: 'Agent', input: { description: 'Check', prompt, subagent_type: 'check' } }),
  },
  complaints: ({ stdout, home }) =>
    hookComplaints(readHookRuns(stdout), readFileSync(join(home, DEBUG_FILE), 'utf8')),
};
