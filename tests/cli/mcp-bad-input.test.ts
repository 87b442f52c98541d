import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { chainOf } from '../helpers/chain.ts';
import { type McpClient, test } from '../helpers/mcp-client.ts';
import type { Project } from '../helpers/project.ts';
import { sleepLong } from '../helpers/puppets.ts';

const STATE = '.trellis/.ralph';

/** The files of the chains and what is in them. */
function stateOf(project: Project): Record<string, string> {
  if (!project.has(STATE)) return {};
  const chains = readdirSync(project.path(STATE)).filter((name) => name.startsWith('chain-'));
  return Object.fromEntries(chains.map((name) => [name, project.read(`${STATE}/${name}`)]));
}

/** An error of the tool, not of the protocol, that leaves every chain as it was. */
async function refusal(project: Project, mcp: McpClient, args: Record<string, unknown>): Promise<string> {
  const before = stateOf(project);
  const { isError, text } = await mcp.engine(args);
  expect({ isError, state: stateOf(project) }).toEqual({ isError: true, state: before });
  return text;
}

describe.concurrent('prompt_engine refuses, and nothing is begun', () => {
  test.for([
    {
      what: 'nothing',
      args: {},
      says: /^Nothing was given\. Give command to start a chain, or chain_id with /,
    },
    { what: 'an empty command', args: { command: '' }, says: /^command is empty\. Give command / },
    { what: 'a blank one', args: { command: ' \t\n' }, says: /^command is empty\. Give command / },
    {
      what: 'one of 1 MB',
      args: { command: 'x'.repeat(2 ** 20) },
      says: /^command has 1048576 characters; the limit is 262144\.$/,
    },
    { what: 'a NUL', args: { command: 'a\0b' }, says: /NUL character/ },
    {
      what: 'blanks',
      args: { command: '', chain_id: ' ', user_response: '', gate_verdicts: '' },
      says: /^command is empty\. Give command /,
    },
    { what: 'a number', args: { command: 7 }, says: /command: Invalid input: expected string/ },
    {
      what: 'a shell command that is empty',
      args: { command: 'Do it :: verify:""' },
      says: /^Nothing was started\.\n1:17: found an empty command, expected verify:"npm test"\nDo it :: verify:""\n {16}\^$/,
    },
    { what: 'a blank one', args: { command: 'Do it :: verify:"  "' }, says: /found an empty command/ },
    {
      what: 'one of 200 kB',
      args: { command: `Do it :: verify:"${'x'.repeat(200_000)}"` },
      says: /found a command of 200000 bytes/,
    },
    {
      what: 'one with nested quotes',
      args: { command: 'Do it :: verify:"sh -c "exit 1""' },
      says: /found "e" directly after the closing quote/,
    },
    {
      what: 'a gate without a task',
      args: { command: ':: verify:"true"' },
      says: /found a gate without a task/,
    },
    { what: 'a typo', args: { command: 'Do it :: verify:"true" mxa:3' }, says: /did you mean "max"\?/ },
    {
      what: 'a directory outside',
      args: { command: 'Do it :: verify:"true" workingDir:"../x"' },
      says: /workingDir|directory inside the project/,
    },
    {
      what: 'a directory that is not there',
      args: { command: 'Do it :: verify:"true" workingDir:"./x"' },
      says: /workingDir:"\.\/x" is not a directory in the project/,
    },
    {
      what: 'an action as a command',
      args: { command: ':: gate_action:retry' },
      says: /give chain_id and gate_action "retry"/,
    },
    {
      what: 'an unknown template',
      args: { command: '>>fxi it' },
      says: /^Nothing was started\. There is no template "fxi"; did you mean "fix"\?$/,
    },
    { what: 'user_response alone', args: { user_response: 'x' }, says: /^user_response needs the chain_id / },
    { what: 'gate_action alone', args: { gate_action: 'retry' }, says: /^gate_action needs the chain_id / },
    {
      what: 'gate_verdicts alone',
      args: { gate_verdicts: 'GATE a: PASS - b' },
      says: /^gate_verdicts needs the chain_id /,
    },
    {
      what: 'a response to nothing',
      args: { command: 'Do it :: verify:"true"', user_response: 'x' },
      says: /^user_response needs the chain_id /,
    },
  ])('$what', async ({ args, says }, { makeProject, connect }) => {
    const project = makeProject({ '.trellis/prompts/fix.md': 'Fix it.\n' });
    const mcp = await connect(project);
    expect(await refusal(project, mcp, args)).toMatch(says);
    expect(stateOf(project)).toEqual({});
  });
});

describe.concurrent('prompt_engine refuses, and the chain is as it was', () => {
  test.for([
    {
      what: 'a command too',
      args: { command: 'Do that' },
      says: /^Give command to start a chain, or chain_id to continue one; not both\.$/,
    },
    { what: 'no word of what was done', args: {}, says: /is awaiting\. Give user_response/ },
    { what: 'a blank one', args: { user_response: ' ' }, says: /is awaiting\. Give user_response/ },
    {
      what: 'verdicts that are not asked for',
      args: { user_response: 'x', gate_verdicts: 'GATE a: PASS - b' },
      says: /is awaiting: give gate_verdicts once its commands pass/,
    },
    {
      what: 'a retry of what has not failed',
      args: { gate_action: 'retry' },
      says: /it is awaiting, and "retry" is for one that is escalated/,
    },
    {
      what: 'a skip of it',
      args: { gate_action: 'skip' },
      says: /it is awaiting, and "skip" is for one that is escalated/,
    },
    {
      what: 'an unknown action',
      args: { gate_action: 'again' },
      says: /gate_action: Invalid option: expected one of "retry"\|"skip"\|"abort"/,
    },
    { what: 'verdicts of no form', args: { gate_verdicts: 7 }, says: /gate_verdicts: Invalid input/ },
  ])('$what', async ({ args, says }, { makeProject, connect }) => {
    const project = makeProject();
    const mcp = await connect(project);
    const chain_id = await mcp.begin('Do it :: verify:"exit 1"');
    expect(await refusal(project, mcp, { chain_id, ...args })).toMatch(says);
  });

  test.for([
    { what: 'unknown', id: 'k3x9-7f2a' },
    { what: 'a path', id: '../../x' },
    { what: 'long', id: 'x'.repeat(10_000) },
    { what: 'with a NUL', id: 'a\0b' },
  ])('a chain_id that is $what: it names those that there are', async ({ id }, { makeProject, connect }) => {
    // What the path leads to is a chain's file all the same.
    const project = makeProject({ [`${STATE}/x.json`]: JSON.stringify(chainOf({ id: '../../x' })) });
    const mcp = await connect(project);
    const live = await mcp.begin('Do it :: verify:"npm test"');
    const text = await refusal(project, mcp, { chain_id: id, user_response: 'x' });
    expect(text).toMatch(/^There is no chain /);
    expect(text).toContain(`This project has:\n  ${live}  npm test, attempt 0/5, awaiting`);
  });

  test('a chain that has ended', async ({ makeProject, connect }) => {
    const project = makeProject();
    const mcp = await connect(project);
    const chain_id = await mcp.begin('Do it :: verify:"true"');
    await mcp.engine({ chain_id, user_response: 'x' });
    expect(await refusal(project, mcp, { chain_id, user_response: 'x' })).toBe(
      `There is no chain ${chain_id}: it has ended, has expired, or never existed. This project has no chains; give command to start one.`,
    );
  });
});

describe.concurrent('the project', () => {
  test('that is removed is not made again', async ({ makeProject, connect }) => {
    const project = makeProject();
    const mcp = await connect(project);
    const chain_id = await mcp.begin('Do it :: verify:"true"');
    rmSync(project.root, { recursive: true });
    for (const answer of [
      await mcp.engine({ chain_id, user_response: 'x' }),
      await mcp.call('verify'),
      await mcp.call('status'),
    ])
      expect(answer).toMatchObject({
        isError: true,
        text: expect.stringContaining('the project was moved or removed'),
      });
    expect(project.has('.')).toBe(false);
  });

  test.for(['removed', 'moved'])(
    'that is %s while a command runs is not made again',
    async (how, { makeProject, connect }) => {
      const project = makeProject();
      const mcp = await connect(project);
      const chain_id = await mcp.begin(`Do it :: verify:"${sleepLong('a.pid')}" timeout:1`);
      const answer = mcp.engine({ chain_id, user_response: 'x' });
      await project.pidIn('a.pid');
      if (how === 'removed') rmSync(project.root, { recursive: true });
      else renameSync(project.root, project.path('../moved'));
      expect(await answer).toMatchObject({ isError: true, text: expect.stringContaining('no chain') });
      expect(project.has('.')).toBe(false);
    },
  );

  test('that is moved keeps its chains', async ({ makeProject, connect }) => {
    const project = makeProject();
    const mcp = await connect(project);
    const chain_id = await mcp.begin('Do it :: verify:"true"');
    const elsewhere = project.path('../moved');
    renameSync(project.root, elsewhere);
    const { isError, text } = await mcp.engine({ chain_id, user_response: 'x' });
    expect(text).toContain('the project was moved or removed');
    expect(isError).toBe(true);
    renameSync(elsewhere, project.root);
    expect((await mcp.engine({ chain_id, user_response: 'x' })).structured).toMatchObject({
      status: 'passed',
    });
  });

  test('that another one has taken the place of has none of its chains', async ({ makeProject, connect }) => {
    const project = makeProject();
    const mcp = await connect(project);
    const chain_id = await mcp.begin('Do it :: verify:"true"');
    rmSync(project.root, { recursive: true });
    mkdirSync(project.root);
    expect(await refusal(project, mcp, { chain_id, user_response: 'x' })).toMatch(/^There is no chain /);
  });
});
