import { describe, expect } from 'vitest';
import { startRalphLoop } from '../helpers/bin.ts';
import { eventually } from '../helpers/eventually.ts';
import { test } from '../helpers/mcp-client.ts';
import { waitFor } from '../helpers/puppets.ts';

describe.concurrent('verify', () => {
  const files = {
    'worktree.yaml':
      'verify:\n  - { name: lint, run: "true" }\n  - { name: test, run: "echo broken; exit 3" }\n',
  };

  test('runs the gates of the project, and tells what fails', async ({ makeProject, connect }) => {
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

  test('runs those that are named', async ({ makeProject, connect }) => {
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
    { what: 'no config', files: {}, args: {}, says: /^No worktree\.yaml or gate\.config\.json was found/ },
    {
      what: 'a broken config',
      files: { 'worktree.yaml': 'verify: 7\n' },
      args: {},
      says: /^worktree\.yaml:1:9: /,
    },
  ])('has an error of its own for $what', async ({ files, args, says }, { makeProject, connect }) => {
    const { isError, text } = await (await connect(makeProject(files))).call('verify', args);
    expect(isError).toBe(true);
    expect(text).toMatch(says);
  });

  test('says where there is nothing to run', async ({ makeProject, connect }) => {
    const mcp = await connect(makeProject({ 'worktree.yaml': 'verify: []\n' }));
    expect(await mcp.call('verify')).toMatchObject({
      isError: false,
      text: 'worktree.yaml sets no verify commands: there is nothing to run.',
      structured: { verdict: 'passed', gates: [] },
    });
  });
});

describe.concurrent('status', () => {
  test('tells the loops and the chains', async ({ makeProject, connect }) => {
    const project = makeProject({ 'worktree.yaml': 'verify:\n  - "true"\n' });
    const mcp = await connect(project);
    const id = await mcp.begin('Do it :: verify:"exit 1"');
    const { text, structured } = await mcp.call('status');
    expect(text).toMatch(
      /^Config {4}worktree\.yaml\nChain {5}.* exit 1, attempt 0\/5, awaiting\nLoops {5}none\n/,
    );
    expect(structured).toMatchObject({
      project: { root: project.root },
      loops: [],
      chains: [{ id, status: 'awaiting', commands: ['exit 1'] }],
      last_call: null,
      content: text,
    });
  });
});

describe.concurrent('prompts', () => {
  test('are the templates of the project', async ({ makeProject, connect }) => {
    const project = makeProject({ '.trellis/prompts/fix.md': 'Fix $ARGUMENTS.\n' });
    const { client } = await connect(project);
    // What is added while the server runs is there, too.
    project.write({ '.claude/commands/explain.md': '---\ndescription: x\n---\nExplain it.\n' });
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['explain', 'fix']);
    const { messages } = await client.getPrompt({ name: 'fix', arguments: { arguments: 'the cart' } });
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Fix the cart.' } }]);
    await expect(client.getPrompt({ name: 'nope' })).rejects.toThrow('There is no template nope.');
  });
});

describe.concurrent('the protocol', () => {
  const request = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;

  test.for([
    { mode: 'legacy', version: '2025-11-25' },
    { mode: 'auto', version: '2026-07-28' },
  ] as const)(
    'is spoken in its revision of $version',
    async ({ mode, version }, { makeProject, connect }) => {
      const project = makeProject({ '.trellis/prompts/fix.md': 'Fix it.\n' });
      const mcp = await connect(project, {}, mode);
      expect(mcp.client.getNegotiatedProtocolVersion()).toBe(version);
      const { tools } = await mcp.client.listTools();
      expect(tools.map(({ name, outputSchema }) => [name, outputSchema?.type])).toEqual([
        ['prompt_engine', 'object'],
        ['verify', 'object'],
        ['status', 'object'],
      ]);
      expect((await mcp.client.listPrompts()).prompts).toMatchObject([{ name: 'fix' }]);
      // It ends once its progress was told: what comes with the answer, the client need not hear any more.
      const command = `${waitFor('told').replaceAll('"', '\\"')}; exit 3`;
      const chain_id = await mcp.begin(`Do it :: verify:"${command}"`);
      const told: unknown[] = [];
      const onprogress = (progress: unknown) => {
        told.push(progress);
        project.write({ told: '' });
      };
      const { structured } = await mcp.engine({ chain_id, user_response: 'x' }, { onprogress });
      expect(structured).toMatchObject({ status: 'failed', verification: { lastResult: { exitCode: 3 } } });
      expect(told[0]).toEqual({ progress: 1, message: expect.stringMatching(/^while .* runs$/) });
    },
  );

  test('has stdout for itself, and the server ends with stdin: exit 0', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': 'verify:\n  - echo noise; echo more noise >&2\n' });
    const server = startRalphLoop(project, ['mcp']);
    const lines: { jsonrpc?: string; id?: number }[] = [];
    let rest = '';
    server.stdout.on('data', (bytes: Buffer) => {
      const pieces = `${rest}${bytes}`.split('\n');
      rest = pieces.pop() ?? '';
      lines.push(...pieces.map((line) => JSON.parse(line)));
    });
    const clientInfo = { name: 'test', version: '0' };
    server.stdin.write(
      request(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }) +
        request(2, 'tools/call', { name: 'verify', arguments: {} }) +
        request(3, 'tools/call', { name: 'status' }) +
        request(4, 'tools/call', { name: 'nope' }),
    );
    await eventually('all is answered', () => lines.length === 4);
    server.stdin.end();
    const { exitCode, stderr } = await server;
    expect({ exitCode, stderr, rest }).toEqual({ exitCode: 0, stderr: '', rest: '' });
    expect(lines.map(({ jsonrpc, id }) => `${jsonrpc} ${id}`).toSorted()).toEqual(
      [1, 2, 3, 4].map((id) => `2.0 ${id}`),
    );
  });

  test('ends a server that nobody has said a word to', async ({ makeProject }) => {
    const server = startRalphLoop(makeProject(), ['mcp']);
    server.stdin.end();
    expect(await server).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
  });
});
