import { rmSync, writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { ralphLoop, startRalphLoop } from '../helpers/bin.ts';
import { eventually } from '../helpers/eventually.ts';
import { test } from '../helpers/mcp-client.ts';
import { expectGone } from '../helpers/processes.ts';
import { waitFor, waitForChild } from '../helpers/shell-commands.ts';
import { hookAnswers, LOG_FILE, logOf, mainStops, OWN_USER_LOG } from '../helpers/stops.ts';

// The tools themselves are tested in-process, in tests/unit/mcp and tests/process.

/** A task with this command. */
const task = (command: string, more = '') => `Do it :: verify:${JSON.stringify(command)} ${more}`;
const user_response = 'x';

describe.concurrent('ralph-loop mcp', () => {
  test.for([
    { mode: 'legacy', version: '2025-11-25' },
    { mode: 'auto', version: '2026-07-28' },
  ] as const)(
    'supports the protocol revision $version',
    async ({ mode, version }, { makeProject, connect }) => {
      const project = makeProject({ '.trellis/prompts/fix.md': 'Fix it.\n' });
      const mcp = await connect(project, {}, mode);
      expect(mcp.client.getNegotiatedProtocolVersion()).toBe(version);
      const { tools } = await mcp.client.listTools();
      expect(tools.map(({ name, outputSchema }) => [name, outputSchema?.type])).toEqual([
        ['prompt_engine', 'object'],
        ['verify', 'object'],
        ['escalate', 'object'],
        ['status', 'object'],
      ]);
      expect((await mcp.client.listPrompts()).prompts).toMatchObject([{ name: 'fix' }]);
      // The command ends once progress was sent: progress after the answer is lost.
      const chain_id = await mcp.start(task(`${waitFor('sent')}; exit 3`));
      const sent: unknown[] = [];
      const onprogress = (progress: unknown) => {
        sent.push(progress);
        project.write({ sent: '' });
      };
      const { structured } = await mcp.engine({ chain_id, user_response }, { onprogress });
      expect(structured).toMatchObject({ status: 'failed', verification: { lastResult: { exitCode: 3 } } });
      expect(sent[0]).toEqual({ progress: 1, message: expect.stringMatching(/^while .* runs$/) });
    },
  );

  test('writes only the protocol to stdout, and exits with 0 when stdin closes', async ({ makeProject }) => {
    const request = (id: number, method: string, params: object) =>
      `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
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
    await eventually('all requests are answered', () => lines.length === 4);
    server.stdin.end();
    const { exitCode, stderr } = await server;
    expect({ exitCode, stderr, rest }).toEqual({ exitCode: 0, stderr: '', rest: '' });
    expect(lines.map(({ jsonrpc, id }) => `${jsonrpc} ${id}`).toSorted()).toEqual(
      [1, 2, 3, 4].map((id) => `2.0 ${id}`),
    );
  });

  test('answers a message that is too long with an error, and then goes on', async ({
    makeProject,
    connect,
  }) => {
    const mcp = await connect(makeProject());
    const tooLong = { command: 'x'.repeat(11 * 1024 * 1024) };
    await expect(mcp.engine(tooLong)).rejects.toThrow('The message is longer than 10485760 bytes');
    expect((await mcp.engine({ command: 'Do it' })).text).toBe('Do it');
    const long = await mcp.engine({ command: 'x'.repeat(9 * 1024 * 1024) });
    expect(long.text).toMatch(/^command has 9437184 characters/);
  });

  test('exits with 0 when stdin closes before any request', async ({ makeProject }) => {
    const server = startRalphLoop(makeProject(), ['mcp']);
    server.stdin.end();
    expect(await server).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
  });

  test.for(['stdin', 'SIGTERM', 'SIGINT', 'SIGHUP'])(
    'ends the processes of its commands when it is ended by %s, and the run counts',
    async (end, { makeProject, connect }) => {
      const project = makeProject();
      const mcp = await connect(project);
      const chain_id = await mcp.start(task(waitForChild('a.pid', 'b.pid')));
      const answer = mcp.engine({ chain_id, user_response });
      answer.catch(() => {});
      const pids = await Promise.all([project.pidIn('a.pid'), project.pidIn('b.pid')]);
      if (end === 'stdin') await mcp.close();
      else process.kill(mcp.pid, end as NodeJS.Signals);
      await expectGone(mcp.pid, ...pids);
      await expect(answer).rejects.toThrow();
      const { stdout } = await ralphLoop(project, ['status', '--json']);
      expect(JSON.parse(stdout).chains).toMatchObject([{ attempts: 1, verifying: false }]);
    },
  );

  test('does not verify a chain that another server verifies', async ({ makeProject, connect }) => {
    const project = makeProject();
    const mcp = await connect(project);
    const chain_id = await mcp.start(task(`echo x >> ran; ${waitFor('go')}`));
    const first = mcp.engine({ chain_id, user_response });
    await project.appears('ran');
    expect(await (await connect(project)).engine({ chain_id, user_response })).toMatchObject({
      isError: true,
      text: `Chain ${chain_id} was not verified: it is being verified by process ${mcp.pid}.`,
    });
    project.write({ go: '' });
    expect((await first).structured).toMatchObject({ status: 'passed', verification: { attempts: 1 } });
  });

  test('counts the attempts of a chain together with the stop hook', async ({ makeProject, connect }) => {
    const project = makeProject();
    const mcp = await connect(project);
    const chain_id = await mcp.start(task('exit 1', 'loop:true'));
    expect((await hookAnswers(project, mainStops(project))).decision).toBe('block');
    const { text } = await mcp.engine({ chain_id, user_response });
    expect(text).toContain('(Attempt 2/5)');
  });

  test('answers a call in a removed project, and does not create it again', async ({
    makeProject,
    connect,
  }) => {
    const project = makeProject();
    const mcp = await connect(project);
    rmSync(project.root, { recursive: true });
    expect(await mcp.call('verify')).toMatchObject({
      isError: true,
      text: expect.stringContaining('the project was moved or removed'),
    });
    expect(project.has('.')).toBe(false);
  });

  test.for([
    { what: 'writes to the log in the home directory', isHomeBroken: false },
    { what: 'answers without any log', isHomeBroken: true },
  ])(
    '$what if the log of the project cannot be written',
    async ({ isHomeBroken }, { makeProject, connect }) => {
      const project = makeProject({ [`${LOG_FILE}/directory`]: '' });
      if (isHomeBroken) writeFileSync(`${project.home}/.local`, '');
      const mcp = await connect(project, OWN_USER_LOG.env);
      const chain_id = await mcp.start(task('true'));
      expect((await mcp.engine({ chain_id, user_response })).structured).toMatchObject({ status: 'passed' });
      if (!isHomeBroken) expect(logOf(project, 'user')).toHaveLength(2);
    },
  );

  test('logs a chain in the form that the report counts', async ({ makeProject, connect }) => {
    const project = makeProject();
    const mcp = await connect(project);
    const chain_id = await mcp.start(task('test -e done'));
    await mcp.engine({ chain_id, user_response });
    project.write({ done: '' });
    await mcp.engine({ chain_id, user_response });
    const { stdout } = await ralphLoop(project, ['report']);
    expect(stdout).toMatch(/\n {2}chains +1 +0 +1 +0 +0\n/);
  });
});
