import { describe, expect } from 'vitest';
import { test } from '../helpers/project.ts';
import type { Client } from './client.ts';
import { claudeCode } from './clients/claude-code.ts';
import { installClient } from './install-client.ts';
import { runClient } from './run-client.ts';
import type { ModelScript } from './scripted-model-server.ts';
import { setUpHook } from './set-up-hook.ts';

const installation = await installClient(claudeCode);
const TOOL = 'mcp__ralph-loop__prompt_engine';

/** Names the servers on the command line, because a project's servers can only be approved in a terminal. */
const withServers: Client = {
  ...claudeCode,
  arguments: (place) => [...claudeCode.arguments(place), '--mcp-config', '.mcp.json'],
};

/** Starts a chain, does the work, and calls the tool again with a summary. */
const usesTheTool: ModelScript = ({ tools, messages }) => {
  if (!tools.includes(TOOL)) return { text: 'A background request.' };
  const answers = messages.filter(({ role }) => role === 'tool');
  const [, id] = /"chain_id":\s*"([\w-]+)"/.exec(answers.map(({ text }) => text).join('\n')) ?? [];
  const call = (input: Record<string, string>) => ({ tool: TOOL, input });
  if (answers.length === 0) return call({ command: 'Fix it :: verify:"test -f fixed.txt"' });
  if (answers.length === 1) return call({ chain_id: id ?? '', user_response: 'I did nothing' });
  if (answers.length === 2) return claudeCode.shellCall('touch fixed.txt');
  if (answers.length === 3) return call({ chain_id: id ?? '', user_response: 'It is fixed' });
  return { text: 'All is done.' };
};

describe.skipIf(!installation.installed)('ralph-loop as an MCP server of Claude Code', () => {
  test('is registered by init --mcp, and the model starts a chain, fails, fixes the failure and passes', async ({
    makeProject,
  }) => {
    if (!installation.installed) return;
    const project = makeProject({}, { git: false });
    await setUpHook(project, 'claude-code', { gates: ['true'], mcp: true });
    const run = await runClient(withServers, installation.command, project, usesTheTool);
    const answers = run.requests.at(-1)?.messages.map(({ text }) => text) ?? [];
    expect(answers).toContainEqual(expect.stringContaining('Shell Verification FAILED (Attempt 1/5)'));
    expect(answers).toContainEqual(expect.stringContaining('Verification PASSED'));
    expect(run.serverFailures).toEqual([]);
  });
});
