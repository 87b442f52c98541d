import { describe, expect } from 'vitest';
import { eventually } from '../../helpers/eventually.ts';
import { type McpClient, testInProcess as test } from '../../helpers/mcp-client.ts';
import type { Project } from '../../helpers/project.ts';
import { sleepLong } from '../../helpers/shell-commands.ts';
import { LOG_FILE, logOf } from '../../helpers/stops.ts';

/** The log's records in short: `1/5 block: gates-failed, npm test failed`. */
const linesOf = (project: Project) =>
  logOf(project).map(({ iteration, max, answer, why, gates }) => {
    const attempt = iteration === null ? '' : `${iteration}/${max} `;
    const ran = gates.map(({ name, outcome }) => `, ${name} ${outcome}`);
    return `${attempt}${answer}: ${why}${ran.join('')}`;
  });

/** Calls about one chain, one after another. */
async function call(mcp: McpClient, chain_id: string, ...calls: readonly object[]): Promise<void> {
  for (const args of calls) await mcp.engine({ chain_id, ...args });
}
const DONE = { user_response: 'done' };

describe('prompt_engine logs', () => {
  test('the start of a chain, and each attempt', async ({ makeProject, connect }) => {
    const project = makeProject();
    const mcp = await connect(project, { CLAUDE_CODE_SESSION_ID: 'session-1' });
    const id = await mcp.start('Do it :: verify:"test -e done"');
    await call(mcp, id, DONE);
    project.write({ done: '' });
    await call(mcp, id, DONE);
    expect(linesOf(project)).toEqual([
      'ignore: gates begun: - `test -e done` exits with 0 (5 attempts, 300 s each)',
      '1/5 block: gates-failed, test -e done failed',
      '2/5 allow: verified, test -e done passed',
    ]);
    const about = { host: 'mcp', session: 'session-1', agent: null, task: `chain:${id}` };
    for (const record of logOf(project)) expect(record).toMatchObject(about);
  });

  test('steps and reviews', async ({ makeProject, connect }) => {
    const project = makeProject();
    const mcp = await connect(project);
    const id = await mcp.start('one :: verify:"true" --> two :: verify:"true" :: docs:"are right"');
    const verdict = (gate_verdicts: string) => ({ gate_verdicts });
    await call(mcp, id, DONE, DONE, verdict('GATE docs: PASS'), verdict('GATE docs: FAIL - old'), DONE);
    await call(mcp, id, verdict('GATE docs: PASS - new'));
    expect(linesOf(project).slice(1)).toEqual([
      '1/5 block: next-step, true passed',
      '1/5 block: review, true passed',
      'block: review-incomplete',
      'block: review-failed',
      '1/5 block: review, true passed',
      'allow: verified',
    ]);
  });

  test.for([
    { action: 'skip', line: 'ignore: gate skip: the step is unverified, by a tool call of the agent' },
    { action: 'abort', line: 'ignore: gate abort, by a tool call of the agent' },
    { action: 'retry', line: 'ignore: gate retry, by a tool call of the agent' },
  ])(
    'the last attempt once, and the decision to $action',
    async ({ action, line }, { makeProject, connect }) => {
      const project = makeProject();
      const mcp = await connect(project);
      const id = await mcp.start('Do it :: verify:"exit 1" max:1');
      await call(mcp, id, DONE, DONE, { gate_action: action });
      expect(linesOf(project).slice(1)).toEqual(['1/1 allow: escalated, exit 1 failed', line]);
    },
  );

  test('that a chain with a skipped step is unverified', async ({ makeProject, connect }) => {
    const project = makeProject();
    const mcp = await connect(project);
    const id = await mcp.start('one :: verify:"exit 1" max:1 --> two :: verify:"true"');
    await call(mcp, id, DONE, { gate_action: 'skip' }, DONE);
    expect(linesOf(project).at(-1)).toBe('1/5 allow: unverified, true passed');
  });

  test('an attempt whose call was cancelled', async ({ makeProject, connect }) => {
    const project = makeProject();
    const mcp = await connect(project);
    const id = await mcp.start(`Do it :: verify:"${sleepLong('started')}"`);
    const cancel = new AbortController();
    const answer = mcp.engine({ chain_id: id, ...DONE }, { signal: cancel.signal });
    await project.appears('started');
    cancel.abort();
    await expect(answer).rejects.toThrow();
    await eventually('it is logged', () => logOf(project).length === 2);
    expect(linesOf(project).at(-1)).toMatch(/^1\/5 none: the call was cancelled, .* interrupted$/);
  });

  test('no refused call, and no command without gates', async ({ makeProject, connect }) => {
    const project = makeProject({ '.trellis/x': '' });
    const mcp = await connect(project);
    await mcp.engine({ command: 'Do it' });
    await mcp.engine({ command: 'Do it :: verify:"true" mx:3' });
    await mcp.engine({ chain_id: 'none', ...DONE });
    expect(logOf(project)).toEqual([]);
  });

  test('no secret, and no part of a secret that was cut', async ({ makeProject, connect }) => {
    const token = 'abcd1234efgh5678';
    const project = makeProject();
    const mcp = await connect(project, { API_TOKEN: token });
    const filler = 'x'.repeat(280);
    const id = await mcp.start(`Log in :: verify:"exit 1; ${filler}${token}" max:1`);
    await call(mcp, id, DONE, { gate_action: 'abort' });
    expect(logOf(project)).toHaveLength(3);
    expect(project.read(LOG_FILE)).not.toContain(token.slice(0, 4));
  });
});
