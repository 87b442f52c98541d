import { readdirSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { chainOf } from '../../helpers/chain.ts';
import { type McpClient, testInProcess as test } from '../../helpers/mcp-client.ts';
import type { Project } from '../../helpers/project.ts';

const STATE = '.trellis/.ralph';

/** The chains' files and their contents. */
function stateOf(project: Project): Record<string, string> {
  if (!project.has(STATE)) return {};
  const chains = readdirSync(project.path(STATE)).filter((name) => name.startsWith('chain-'));
  return Object.fromEntries(chains.map((name) => [name, project.read(`${STATE}/${name}`)]));
}

/** The error of a tool (not of the protocol) that changes no chain. */
async function refusal(project: Project, mcp: McpClient, args: Record<string, unknown>): Promise<string> {
  const before = stateOf(project);
  const { isError, text } = await mcp.engine(args);
  expect({ isError, state: stateOf(project) }).toEqual({ isError: true, state: before });
  return text;
}

describe('prompt_engine starts nothing and refuses', () => {
  test.for([
    {
      what: 'a call without arguments',
      args: {},
      says: /^Nothing was given\. Give command to start a chain, or chain_id with /,
    },
    { what: 'an empty command', args: { command: '' }, says: /^command is empty\. Give command / },
    { what: 'a blank command', args: { command: ' \t\n' }, says: /^command is empty\. Give command / },
    {
      what: 'a command of 1 MB',
      args: { command: 'x'.repeat(2 ** 20) },
      says: /^command has 1048576 characters; the limit is 262144\.$/,
    },
    { what: 'a command with a NUL', args: { command: 'a\0b' }, says: /NUL character/ },
    {
      what: 'blank arguments',
      args: { command: '', chain_id: ' ', user_response: '', gate_verdicts: '' },
      says: /^command is empty\. Give command /,
    },
    {
      what: 'a command that is a number',
      args: { command: 7 },
      says: /command: Invalid input: expected string/,
    },
    {
      what: 'an empty shell command',
      args: { command: 'Do it :: verify:""' },
      says: /^Nothing was started\.\n1:17: found an empty command, expected verify:"npm test"\nDo it :: verify:""\n {16}\^$/,
    },
    {
      what: 'a blank shell command',
      args: { command: 'Do it :: verify:"  "' },
      says: /found an empty command/,
    },
    {
      what: 'a shell command of 200 kB',
      args: { command: `Do it :: verify:"${'x'.repeat(200_000)}"` },
      says: /found a command of 200000 bytes/,
    },
    {
      what: 'a shell command with nested quotes',
      args: { command: 'Do it :: verify:"sh -c "exit 1""' },
      says: /found "e" directly after the closing quote/,
    },
    {
      what: 'a gate without a task',
      args: { command: ':: verify:"true"' },
      says: /found a gate without a task/,
    },
    {
      what: 'a misspelled option',
      args: { command: 'Do it :: verify:"true" mxa:3' },
      says: /did you mean "max"\?/,
    },
    {
      what: 'a directory outside the project',
      args: { command: 'Do it :: verify:"true" workingDir:"../x"' },
      says: /workingDir|directory inside the project/,
    },
    {
      what: 'a directory that does not exist',
      args: { command: 'Do it :: verify:"true" workingDir:"./x"' },
      says: /workingDir:"\.\/x" is not a directory in the project/,
    },
    {
      what: 'a gate action as a command',
      args: { command: ':: gate_action:retry' },
      says: /give chain_id and gate_action "retry"/,
    },
    {
      what: 'a gate in a code block',
      args: { command: 'Do it\n```\n:: verify:"true"\n```' },
      says: /^Nothing was started\. Not run, because it is in quoted text, .*: the gate in line 3\.$/,
    },
    {
      what: 'a typed gate beside one in a quotation',
      args: { command: 'Do it :: verify:"true"\n> :: verify:"false"' },
      says: /^Nothing was started\. .*: the gate in line 2\.$/,
    },
    {
      what: 'user_response without chain_id',
      args: { user_response: 'x' },
      says: /^user_response needs the chain_id /,
    },
    {
      what: 'gate_action without chain_id',
      args: { gate_action: 'retry' },
      says: /^This project has no chains/,
    },
    {
      what: 'gate_verdicts without chain_id',
      args: { gate_verdicts: 'GATE a: PASS - b' },
      says: /^gate_verdicts needs the chain_id /,
    },
    {
      what: 'user_response with a command',
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

test('prompt_engine starts nothing with typed_gates: false, and still renders', async ({
  makeProject,
  connect,
}) => {
  const project = makeProject({ 'worktree.yaml': 'verify: [ "true" ]\nralph: { typed_gates: false }\n' });
  const mcp = await connect(project);
  expect(await refusal(project, mcp, { command: 'Do it :: verify:"true"' })).toBe(
    'Nothing was started: gates in prompts are off ("ralph: typed_gates: false" in the worktree.yaml).',
  );
  expect((await mcp.engine({ command: 'Do it' })).text).toBe('Do it');
});

test('prompt_engine refuses a gate_action without chain_id where several chains wait', async ({
  makeProject,
  connect,
}) => {
  const project = makeProject();
  const mcp = await connect(project);
  const ids = [];
  for (const task of ['a', 'b']) {
    const chain_id = await mcp.start(`${task} :: verify:"exit 1" max:1`);
    await mcp.engine({ chain_id, user_response: 'x' });
    ids.push(chain_id);
  }
  const text = await refusal(project, mcp, { gate_action: 'retry' });
  expect(text).toMatch(
    /^Several chains could be meant: give the chain_id of one of them\. This project has:\n/,
  );
  for (const id of ids) expect(text).toContain(`  ${id}  exit 1, attempt 1/1, escalated`);
});

describe('prompt_engine changes no chain and refuses', () => {
  test.for([
    {
      what: 'a command with chain_id',
      args: { command: 'Do that' },
      says: /^Give command to start a chain, or chain_id to continue one; not both\.$/,
    },
    { what: 'a chain_id alone', args: {}, says: /is awaiting\. Give user_response/ },
    { what: 'a blank user_response', args: { user_response: ' ' }, says: /is awaiting\. Give user_response/ },
    {
      what: 'verdicts outside a review',
      args: { user_response: 'x', gate_verdicts: 'GATE a: PASS - b' },
      says: /is awaiting: give gate_verdicts once its commands pass/,
    },
    {
      what: 'a retry of a chain that is not escalated',
      args: { gate_action: 'retry' },
      says: /it is awaiting, and "retry" is for one that is escalated/,
    },
    {
      what: 'a skip of a chain that is not escalated',
      args: { gate_action: 'skip' },
      says: /it is awaiting, and "skip" is for one that is escalated/,
    },
    {
      what: 'an unknown action',
      args: { gate_action: 'again' },
      says: /gate_action: Invalid option: expected one of "retry"\|"skip"\|"abort"/,
    },
    { what: 'verdicts in an unknown form', args: { gate_verdicts: 7 }, says: /gate_verdicts: Invalid input/ },
  ])('$what', async ({ args, says }, { makeProject, connect }) => {
    const project = makeProject();
    const mcp = await connect(project);
    const chain_id = await mcp.start('Do it :: verify:"exit 1"');
    expect(await refusal(project, mcp, { chain_id, ...args })).toMatch(says);
  });

  test.for([
    { what: 'unknown', id: 'k3x9-7f2a' },
    { what: 'a path', id: '../../x' },
    { what: 'too long', id: 'x'.repeat(10_000) },
    { what: 'text with a NUL', id: 'a\0b' },
  ])('a chain_id that is $what, and lists the chains', async ({ id }, { makeProject, connect }) => {
    // There is a chain's file at that path.
    const project = makeProject({ [`${STATE}/x.json`]: JSON.stringify(chainOf({ id: '../../x' })) });
    const mcp = await connect(project);
    const live = await mcp.start('Do it :: verify:"npm test"');
    const text = await refusal(project, mcp, { chain_id: id, user_response: 'x' });
    expect(text).toMatch(/^There is no chain /);
    expect(text).toContain(`This project has:\n  ${live}  npm test, attempt 0/5, awaiting`);
  });

  test('the chain_id of an ended chain', async ({ makeProject, connect }) => {
    const project = makeProject();
    const mcp = await connect(project);
    const chain_id = await mcp.start('Do it :: verify:"true"');
    await mcp.engine({ chain_id, user_response: 'x' });
    expect(await refusal(project, mcp, { chain_id, user_response: 'x' })).toBe(
      `There is no chain ${chain_id}: it has ended, has expired, or never existed. This project has no chains; give command to start one.`,
    );
  });
});
