import { writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { ralphLoop } from '../helpers/bin.ts';
import { eventually } from '../helpers/eventually.ts';
import { type McpClient, test } from '../helpers/mcp-client.ts';
import type { Project } from '../helpers/project.ts';
import { sleepLong } from '../helpers/puppets.ts';
import { LOG_FILE, logOf } from '../helpers/stops.ts';

/** The log's lines in short: `1/5 block: gates-failed, npm test failed`. */
const linesOf = (project: Project) =>
  logOf(project).map(({ iteration, max, answer, why, gates }) => {
    const attempt = iteration === null ? '' : `${iteration}/${max} `;
    const ran = gates.map(({ name, outcome }) => `, ${name} ${outcome}`);
    return `${attempt}${answer}: ${why}${ran.join('')}`;
  });
const typedGates = async (project: Project) =>
  /\n {2}chains +(.*)\n/.exec((await ralphLoop(project, ['report'])).stdout)?.[1]?.replaceAll(/ +/g, ' ');

/** Calls of one chain, one after another. */
async function goOn(mcp: McpClient, chain_id: string, ...calls: readonly object[]): Promise<void> {
  for (const call of calls) await mcp.engine({ chain_id, ...call });
}
const DONE = { user_response: 'done' };

describe.concurrent('the log tells of a chain over MCP', () => {
  test('each attempt, until it passes', async ({ makeProject, connect }) => {
    const project = makeProject();
    const mcp = await connect(project, { CLAUDE_CODE_SESSION_ID: 'session-1' });
    const id = await mcp.begin('Do it :: verify:"test -e done"');
    await goOn(mcp, id, DONE);
    project.write({ done: '' });
    await goOn(mcp, id, DONE);
    expect(linesOf(project)).toEqual([
      'ignore: gates begun: - `test -e done` exits with 0 (5 attempts, 300 s each)',
      '1/5 block: gates-failed, test -e done failed',
      '2/5 allow: verified, test -e done passed',
    ]);
    const about = { host: 'mcp', session: 'session-1', agent: null, task: `chain:${id}` };
    for (const line of logOf(project)) expect(line).toMatchObject(about);
    expect(await typedGates(project)).toBe('1 0 1 0 0');
  });

  test('steps and reviews', async ({ makeProject, connect }) => {
    const project = makeProject();
    const mcp = await connect(project);
    const id = await mcp.begin('one :: verify:"true" --> two :: verify:"true" :: docs:"are right"');
    const verdict = (gate_verdicts: string) => ({ gate_verdicts });
    await goOn(mcp, id, DONE, DONE, verdict('GATE docs: PASS'), verdict('GATE docs: FAIL - old'), DONE);
    await goOn(mcp, id, verdict('GATE docs: PASS - new'));
    expect(linesOf(project).slice(1)).toEqual([
      '1/5 block: next-step, true passed',
      '1/5 block: review, true passed',
      'block: review-incomplete',
      'block: review-failed',
      '2/5 block: review, true passed',
      'allow: verified',
    ]);
    expect(await typedGates(project)).toBe('1 0 1 0 0');
  });

  test.for([
    { word: 'skip', says: 'ignore: gate skip: the step is unverified', counted: '1 0 0 1 0' },
    { word: 'abort', says: 'ignore: gate abort', counted: '1 0 0 1 0' },
    { word: 'retry', says: 'ignore: gate retry', counted: '1 0 0 0 1' },
  ])(
    'the last attempt, and what a person has chosen: $word',
    async ({ word, says, counted }, { makeProject, connect }) => {
      const project = makeProject();
      const mcp = await connect(project);
      const id = await mcp.begin('Do it :: verify:"exit 1" max:1');
      await goOn(mcp, id, DONE);
      expect(await typedGates(project)).toBe('1 0 0 1 0');
      // That it waits for a person is told again, and logged once.
      await goOn(mcp, id, DONE, { gate_action: word });
      expect(linesOf(project).slice(1)).toEqual(['1/1 allow: escalated, exit 1 failed', says]);
      expect(await typedGates(project)).toBe(counted);
    },
  );

  test('steps that went unverified', async ({ makeProject, connect }) => {
    const project = makeProject();
    const mcp = await connect(project);
    const id = await mcp.begin('one :: verify:"exit 1" max:1 --> two :: verify:"true"');
    await goOn(mcp, id, DONE, { gate_action: 'skip' }, DONE);
    expect(linesOf(project).at(-1)).toBe('1/5 allow: unverified, true passed');
    expect(await typedGates(project)).toBe('1 0 0 1 0');
  });

  test('an attempt whose call was cancelled', async ({ makeProject, connect }) => {
    const project = makeProject();
    const mcp = await connect(project);
    const id = await mcp.begin(`Do it :: verify:"${sleepLong('began')}"`);
    const cancel = new AbortController();
    const call = mcp.engine({ chain_id: id, ...DONE }, { signal: cancel.signal });
    await eventually('the command runs', () => project.has('began'));
    cancel.abort();
    await expect(call).rejects.toThrow();
    await eventually('it is logged', () => logOf(project).length === 2);
    expect(linesOf(project).at(-1)).toMatch(/^1\/5 none: the call was cancelled, .* interrupted$/);
  });

  test('and of nothing that was refused, or only rendered', async ({ makeProject, connect }) => {
    const project = makeProject({ '.trellis/x': '' });
    const mcp = await connect(project);
    await mcp.engine({ command: 'Do it' });
    await mcp.engine({ command: 'Do it :: verify:"true" mx:3' });
    await mcp.engine({ chain_id: 'none', ...DONE });
    expect(logOf(project)).toEqual([]);
  });
});

test('status takes no call of a tool, and no word in a terminal, for one of the hook', async ({
  makeProject,
  connect,
}) => {
  const project = makeProject({ 'worktree.yaml': 'verify: [ "true" ]\n' });
  const mcp = await connect(project);
  const id = await mcp.begin('Do it :: verify:"exit 1" max:1');
  await goOn(mcp, id, DONE);
  await ralphLoop(project, ['gate', 'abort']);
  expect(logOf(project).map(({ host }) => host)).toEqual(['mcp', 'mcp', 'terminal']);
  expect((await mcp.call('status')).structured).toMatchObject({ last_call: null });
});

test('no secret is logged, nor a part of one that was cut', async ({ makeProject, connect }) => {
  const token = 'abcd1234efgh5678';
  const project = makeProject();
  const mcp = await connect(project, { API_TOKEN: token });
  const filler = 'x'.repeat(280);
  const id = await mcp.begin(`Log in :: verify:"exit 1; ${filler}${token}" max:1`);
  await goOn(mcp, id, DONE, { gate_action: 'abort' });
  expect(logOf(project)).toHaveLength(3);
  expect(project.read(LOG_FILE)).not.toContain(token.slice(0, 4));
});

test.for([
  { name: 'the project', broken: (_: Project) => {}, lines: 2 },
  {
    name: 'the project, nor elsewhere',
    broken: ({ home }: Project) => writeFileSync(`${home}/.local`, ''),
    lines: 0,
  },
])(
  'a log that cannot be written in $name breaks no call',
  async ({ broken, lines }, { makeProject, connect }) => {
    const project = makeProject({ [`${LOG_FILE}/directory`]: '' });
    broken(project);
    const mcp = await connect(project);
    const chain_id = await mcp.begin('Do it :: verify:"true"');
    expect((await mcp.engine({ chain_id, ...DONE })).structured).toMatchObject({ status: 'passed' });
    if (lines > 0) expect(logOf(project, 'user')).toHaveLength(lines);
  },
);
