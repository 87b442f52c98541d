import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { driveClaude } from './drive-claude.ts';
import { answerOf } from './hook-run.ts';
import { installClaudeCode } from './install-client.ts';
import { lastUserText } from './model-request.ts';

const client = await installClaudeCode();
console.log(client.installed ? `Claude Code ${client.version}` : `Claude Code skipped: ${client.reason}`);

const bin = fileURLToPath(new URL('../../bin/ralph-loop.js', import.meta.url));
const ralphLoop = { command: `node "${bin}" hook --deadline 60`, timeout: 120 };
const executable = client.installed ? client.executable : '';

describe.skipIf(!client.installed)('ralph-loop as the SubagentStop hook of Claude Code', () => {
  test('work that is never fixed is sent back four times, then let go', async () => {
    const run = await driveClaude({
      executable,
      hook: ralphLoop,
      checkAgent: () => ({ text: 'All checked.' }),
    });

    expect(run.hookComplaints).toEqual([]);
    expect(run.serverFailures).toEqual([]);
    const answers = run.hookRuns.map(answerOf);
    expect(answers.map(({ decision }) => decision)).toEqual([...Array(4).fill('block'), undefined]);
    // Letting go is no silence: the person hears what is left.
    expect(answers[4]).toEqual({ systemMessage: expect.stringContaining('test -f fixed.txt') });
    const feedback = run.checkRequests.map(lastUserText).slice(1);
    expect(feedback).toEqual(
      [1, 2, 3, 4].map((n) => expect.stringContaining(`Iteration ${n}/5. Verification failed:`)),
    );
    expect(feedback).toEqual(Array(4).fill(expect.stringContaining('Command failed: test -f fixed.txt')));
    expect(run.result).toMatchObject({ subtype: 'success', is_error: false });
  });

  test('work that is fixed after the first block passes at the next stop', async () => {
    const run = await driveClaude({
      executable,
      hook: ralphLoop,
      checkAgent: (request) =>
        lastUserText(request).startsWith('Stop hook feedback:')
          ? { tool: 'Bash', input: { command: 'touch fixed.txt', description: 'Fix it' } }
          : { text: 'All checked.' },
    });

    expect(run.hookComplaints).toEqual([]);
    expect(run.serverFailures).toEqual([]);
    // Claims to be done, is sent back and fixes it, claims to be done.
    expect(run.checkRequests).toHaveLength(3);
    const [sentBack, passed] = run.hookRuns.map(answerOf);
    expect(run.hookRuns).toHaveLength(2);
    expect(sentBack).toMatchObject({ decision: 'block' });
    expect(passed).toEqual({ systemMessage: expect.stringMatching(/1 gate passed in /) });
    expect(run.result).toMatchObject({ subtype: 'success', is_error: false });
  });
});

// Without these rows the two tests above could find no complaint merely because nothing looks for one.
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
  ])('$fault: it is named, and the stop goes through', async ({ command, timeout = 60, says }) => {
    const hook = { command, timeout };
    const run = await driveClaude({ executable, hook, checkAgent: () => ({ text: 'All checked.' }) });

    expect(run.hookComplaints.join('\n')).toMatch(says);
    expect(run.checkRequests).toHaveLength(1);
    expect(run.result).toMatchObject({ subtype: 'success' });
  });
});
