import { describe, expect } from 'vitest';
import { test } from '../helpers/project.ts';
import { claudeCode } from './clients/claude-code.ts';
import { driveClient } from './drive-client.ts';
import { type Command, installClient } from './install-client.ts';
import { delegates, isCheckAgent, neverFixes } from './model-scripts.ts';

const client = await installClient(claudeCode);
const claude: Command = client.installed ? client.command : [''];

// Without these rows the tests of all hosts could find no complaint merely because nothing looks for one.
describe.skipIf(!client.installed)('a hook that Claude Code holds something against', () => {
  test.for([
    { fault: 'answers allow', command: `echo '{"decision":"allow"}'`, says: /JSON output validation failed/ },
    {
      fault: 'prints half a document',
      command: `printf '{"decision":'`,
      says: /no JSON object on stdout: {"decision":/,
    },
    { fault: 'prints plain text', command: 'echo fine', says: /no JSON object on stdout: fine/ },
    { fault: 'warns on stderr', command: 'echo careful >&2', says: /careful/ },
    { fault: 'fails without a word', command: 'exit 1', says: /exit code 1/ },
    { fault: 'is not there', command: 'no-such-command', says: /exit code 127/ },
    { fault: 'outlives its timeout', command: 'exec tail -f /dev/null', timeout: 1, says: /cancelled/ },
  ])(
    '$fault: it is named, and the stop goes through',
    async ({ command, timeout = 60, says }, { makeProject }) => {
      const hook = { type: 'command', command, timeout };
      const settings = { hooks: { SubagentStop: [{ matcher: 'check', hooks: [hook] }] } };
      const project = makeProject(
        { ...claudeCode.subagent?.files, '.claude/settings.json': JSON.stringify(settings) },
        { git: false },
      );
      const run = await driveClient(claudeCode, claude, project, delegates(claudeCode, neverFixes));

      expect(run.complaints.join('\n')).toMatch(says);
      expect(run.requests.filter(isCheckAgent)).toHaveLength(1);
    },
  );
});
