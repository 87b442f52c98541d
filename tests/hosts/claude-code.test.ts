import { describe, expect } from 'vitest';
import { test } from '../helpers/project.ts';
import type { Client } from './client.ts';
import { claudeCode } from './clients/claude-code.ts';
import { type Command, installClient } from './install-client.ts';
import { delegates, fixesWhenSentBack, isCheckAgent, neverFixes } from './model-scripts.ts';
import { runClient } from './run-client.ts';
import { setUpHook } from './set-up-hook.ts';

const client = await installClient(claudeCode);
const claude: Command = client.installed ? client.command : [''];

// These rows show that the tests of all hosts would notice a complaint.
describe.skipIf(!client.installed)(
  'Claude Code reports a faulty hook and allows the stop if the hook',
  () => {
    test.for([
      {
        fault: 'answers allow',
        command: `echo '{"decision":"allow"}'`,
        says: /JSON output validation failed/,
      },
      {
        fault: 'prints half a document',
        command: `printf '{"decision":'`,
        says: /no JSON object on stdout: {"decision":/,
      },
      { fault: 'prints plain text', command: 'echo fine', says: /no JSON object on stdout: fine/ },
      { fault: 'warns on stderr', command: 'echo careful >&2', says: /careful/ },
      { fault: 'fails without output', command: 'exit 1', says: /exit code 1/ },
      { fault: 'does not exist', command: 'no-such-command', says: /exit code 127/ },
      { fault: 'exceeds its timeout', command: 'exec tail -f /dev/null', timeout: 1, says: /cancelled/ },
    ])('$fault', async ({ command, timeout = 60, says }, { makeProject }) => {
      const hook = { type: 'command', command, timeout };
      const settings = { hooks: { SubagentStop: [{ matcher: 'check', hooks: [hook] }] } };
      const project = makeProject(
        { ...claudeCode.subagent?.files, '.claude/settings.json': JSON.stringify(settings) },
        { git: false },
      );
      const run = await runClient(claudeCode, claude, project, delegates(claudeCode, neverFixes));

      expect(run.complaints.join('\n')).toMatch(says);
      expect(run.requests.filter(isCheckAgent)).toHaveLength(1);
    });
  },
);

// A matcher that is one word is compared with the whole type of the agent: `check` would not call the hook.
test.skipIf(!client.installed)(
  'Claude Code calls the hook for the agent that checks the work in Trellis 0.5',
  async ({ makeProject }) => {
    const files = {
      '.claude/agents/trellis-check.md': '---\nname: trellis-check\ndescription: Checks\n---\nCheck.\n',
    };
    const start = (prompt: string) => ({
      tool: 'Agent',
      input: { description: 'Check', prompt, subagent_type: 'trellis-check' },
    });
    const trellis: Client = { ...claudeCode, subagent: { files, start } };
    const project = makeProject(files, { git: false });
    await setUpHook(project, 'claude-code', { gates: ['test -e fixed.txt'] });
    const { log } = await runClient(trellis, claude, project, delegates(trellis, fixesWhenSentBack(trellis)));

    const ofAgent = log.filter(({ agent }) => agent === 'trellis-check').map(({ answer }) => answer);
    expect(ofAgent).toEqual(['block', 'allow']);
  },
);
