import { renameSync, rmSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { logChain } from '../../../src/chain/chain-log.ts';
import { eventually } from '../../helpers/eventually.ts';
import { testInProcess as test } from '../../helpers/mcp-client.ts';
import { waitFor } from '../../helpers/shell-commands.ts';
import { hookAnswers, mainStops } from '../../helpers/stops.ts';

test('the server asks the model to call verify before it says that the work is done', async ({
  makeProject,
  connect,
}) => {
  const { client } = await connect(makeProject());
  expect(client.getInstructions()).toMatch(
    /^Before you say that work in this project is done, call verify: /,
  );
  const { tools } = await client.listTools();
  expect(tools.find(({ name }) => name === 'verify')?.description).toContain(
    'before you say that the work is done',
  );
});

describe('the tool verify', () => {
  const files = {
    'worktree.yaml':
      'verify:\n  - { name: lint, run: "true" }\n  - { name: test, run: "echo broken; exit 3" }\n',
  };

  test('runs the gates of the project, and shows what fails', async ({ makeProject, connect }) => {
    const { text, structured } = await (await connect(makeProject(files))).call('verify');
    expect(text).toMatch(
      /^✓ lint .*\n✗ test .*exited with code 3\n {4}broken\n[\s\S]*\n1 of 2 gates failed in /,
    );
    expect(structured).toMatchObject({
      verdict: 'failed',
      gates: [
        { name: 'lint', outcome: 'passed', exit: 0 },
        { name: 'test', outcome: 'failed', exit: 3, log: '.trellis/.ralph/output/test.log' },
      ],
      content: text,
    });
  });

  test('runs only the named gates', async ({ makeProject, connect }) => {
    const mcp = await connect(makeProject(files));
    expect((await mcp.call('verify', { names: ['lint'] })).structured).toMatchObject({
      verdict: 'passed',
      gates: [{ name: 'lint' }],
    });
  });

  test.for([
    {
      what: 'an unknown name',
      files,
      args: { names: ['tset'] },
      says: /^Unknown gate "tset"; did you mean "test"\?$/,
    },
    {
      what: 'a project without a config',
      files: {},
      args: {},
      says: /^No worktree\.yaml or gate\.config\.json was found/,
    },
    {
      what: 'a broken config',
      files: { 'worktree.yaml': 'verify: 7\n' },
      args: {},
      says: /^worktree\.yaml:1:9: /,
    },
  ])('answers $what with an error', async ({ files, args, says }, { makeProject, connect }) => {
    const { isError, text } = await (await connect(makeProject(files))).call('verify', args);
    expect(isError).toBe(true);
    expect(text).toMatch(says);
  });

  test('says so if there is nothing to run', async ({ makeProject, connect }) => {
    const mcp = await connect(makeProject({ 'worktree.yaml': 'verify: []\n' }));
    expect(await mcp.call('verify')).toMatchObject({
      isError: false,
      text: 'worktree.yaml sets no verify commands: there is nothing to run.',
      structured: { verdict: 'passed', gates: [] },
    });
  });
});

describe('the tool escalate', () => {
  const files = { 'worktree.yaml': 'verify:\n  - { name: lint, run: "exit 1" }\n' };

  test('records why a gate cannot be satisfied, for the next stop', async ({ makeProject, connect }) => {
    const project = makeProject(files);
    const mcp = await connect(project);
    const { text, structured } = await mcp.call('escalate', { gate: 'lint', reason: 'two rules conflict' });
    const escalated = { gate: 'lint', reason: 'two rules conflict' };
    expect(text).toMatch(/^Escalated `lint`: two rules conflict\n.*does not count as passed/);
    expect(structured).toEqual({ escalated, content: text });
    expect((await mcp.call('status')).structured.escalations).toMatchObject([escalated]);
    const { systemMessage } = await hookAnswers(project, mainStops(project), { env: { CLAUDECODE: '1' } });
    expect(systemMessage).toContain('not passed, escalated by a tool call of the agent: `lint`: two rules');
  });

  test.for([
    [{ reason: ' ' }, /reason is missing[\s\S]*Example:/],
    [{ gate: 'lnit', reason: 'x' }, /no gate "lnit"; did you mean "lint"/],
  ] as const)('refuses %j', async ([args, says], { makeProject, connect }) => {
    const { isError, text } = await (await connect(makeProject(files))).call('escalate', args);
    expect(isError).toBe(true);
    expect(text).toMatch(says);
  });
});

test('the tool status shows the loops and the chains', async ({ makeProject, connect }) => {
  const project = makeProject({ 'worktree.yaml': 'verify:\n  - "true"\n' });
  const mcp = await connect(project);
  const id = await mcp.start('Do it :: verify:"exit 1"');
  const entry = { host: 'terminal', session: null, task: null, why: 'gate retry' } as const;
  await logChain(project.root, entry, { now: new Date(), env: {} });
  const { text, structured } = await mcp.call('status');
  expect(text).toMatch(
    /^Config {4}worktree\.yaml\nChain {5}.* exit 1, attempt 0\/5, awaiting\nLoops {5}none\n/,
  );
  expect(structured).toMatchObject({
    project: { root: project.root },
    loops: [],
    chains: [{ id, status: 'awaiting', commands: ['exit 1'] }],
    // Neither a call of a tool nor a command in a terminal is a call of the hook.
    last_call: null,
    content: text,
  });
});

test('the prompts are the templates of the project, read at each call', async ({ makeProject, connect }) => {
  const project = makeProject({ '.trellis/prompts/fix.md': 'Fix $ARGUMENTS.\n' });
  const { client } = await connect(project);
  project.write({ '.claude/commands/explain.md': '---\ndescription: x\n---\nExplain it.\n' });
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(['explain', 'fix']);
  const { messages } = await client.getPrompt({ name: 'fix', arguments: { arguments: 'the cart' } });
  expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Fix the cart.' } }]);
  await expect(client.getPrompt({ name: 'nope' })).rejects.toThrow('There is no template nope.');
});

test('the progress of a command is sent with its first line', async ({ makeProject, connect }) => {
  const project = makeProject();
  const mcp = await connect(project);
  const command = JSON.stringify(`echo hi; ${waitFor('go')}`);
  const chain_id = await mcp.start(`Do it :: verify:${command}`);
  const sent: { progress: number; message?: string | undefined }[] = [];
  const answer = mcp.engine(
    { chain_id, user_response: 'x' },
    { onprogress: (progress) => sent.push(progress) },
  );
  await eventually('progress is sent', () => sent.length > 0);
  project.write({ go: '' });
  expect((await answer).isError).toBe(false);
  expect(sent).toEqual([{ progress: 1, message: expect.stringMatching(/^echo hi; while .* runs$/) }]);
});

describe('a project', () => {
  test('that is removed is not created again', async ({ makeProject, connect }) => {
    const project = makeProject();
    const mcp = await connect(project);
    const chain_id = await mcp.start('Do it :: verify:"true"');
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

  test('that is moved keeps its chains', async ({ makeProject, connect }) => {
    const project = makeProject();
    const mcp = await connect(project);
    const chain_id = await mcp.start('Do it :: verify:"true"');
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
});
