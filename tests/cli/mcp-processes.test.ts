import { readdirSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { gitProject } from '../helpers/git-project.ts';
import { test } from '../helpers/mcp-client.ts';
import { expectGone } from '../helpers/processes.ts';
import { ignoreTerm, sleepLong, waitFor, waitForChild } from '../helpers/puppets.ts';
import { hookAnswers, mainStops } from '../helpers/stops.ts';

/** A task with this command. */
const task = (command: string, more = '') => `Do it :: verify:${JSON.stringify(command)} ${more}`;
const user_response = 'x';

const TREES = [
  { tree: 'with a child', command: waitForChild('a.pid', 'b.pid') },
  { tree: 'that ignores SIGTERM', command: `(${ignoreTerm('b.pid')}) & ${sleepLong('a.pid')}` },
];

describe.concurrent('calls at once', () => {
  test('five chains are verified side by side', async ({ makeProject, connect }) => {
    const project = makeProject();
    const mcp = await connect(project);
    const numbers = [1, 2, 3, 4, 5];
    const ids = await Promise.all(
      numbers.map((n) => mcp.begin(task(`touch running-${n}; ${waitFor('go')}; echo ${n}; exit ${n}`))),
    );
    const answers = ids.map((chain_id) => mcp.engine({ chain_id, user_response }));
    for (const n of numbers) await project.appears(`running-${n}`);
    project.write({ go: '' });
    expect((await Promise.all(answers)).map(({ structured }) => structured)).toMatchObject(
      numbers.map((n, index) => ({
        chain_id: ids[index],
        status: 'failed',
        verification: { attempts: 1, lastResult: { exitCode: n, stdout: `${n}\n` } },
      })),
    );
  });

  test.for([
    { by: 'the same server', other: false },
    { by: 'another server', other: true },
  ])('a chain that is being verified is not verified by $by', async ({ other }, { makeProject, connect }) => {
    const project = makeProject();
    const mcp = await connect(project);
    const chain_id = await mcp.begin(task(`echo x >> ran; ${waitFor('go')}`));
    const first = mcp.engine({ chain_id, user_response });
    await project.appears('ran');
    const second = await (other ? await connect(project) : mcp).engine({ chain_id, user_response });
    expect(second).toMatchObject({
      isError: true,
      text: `Nothing came of it for chain ${chain_id}: it is being verified by process ${mcp.pid}.`,
    });
    project.write({ go: '' });
    expect((await first).structured).toMatchObject({ status: 'passed', verification: { attempts: 1 } });
    expect(project.read('ran')).toBe('x\n');
  });

  test.for(TREES)(
    'a chain that is called off meanwhile takes a process $tree with it',
    async ({ command }, { makeProject, connect }) => {
      const project = makeProject();
      const mcp = await connect(project);
      const chain_id = await mcp.begin(task(`trap 'echo bye; exit' TERM; ${command}`));
      const answer = mcp.engine({ chain_id, user_response });
      answer.catch(() => {});
      const pids = await Promise.all([project.pidIn('a.pid'), project.pidIn('b.pid')]);
      const aborted = await mcp.engine({ chain_id, gate_action: 'abort' });
      expect(aborted.structured).toMatchObject({ chain_id, status: 'aborted', success: false });
      await expectGone(...pids);
      expect(await answer).toMatchObject({ isError: true, text: expect.stringContaining('no chain') });
      expect((await mcp.call('status')).structured).toMatchObject({ chains: [] });
      expect(readdirSync(project.path('.trellis/.ralph'), { recursive: true }).join()).not.toContain(
        chain_id,
      );
    },
  );

  test('what a chain that is called off still writes is rolled back too', async ({
    makeProject,
    connect,
  }) => {
    const project = gitProject(makeProject);
    const mcp = await connect(project);
    // Told to end, it writes a last time.
    const command = `trap 'echo late > late.txt; exit' TERM; echo $$ > a.pid; while :; do sleep 0.02; done`;
    const chain_id = await mcp.begin(task(command, 'rollback:true'));
    mcp.engine({ chain_id, user_response }).catch(() => {});
    await project.pidIn('a.pid');
    const { text } = await mcp.engine({ chain_id, gate_action: 'abort' });
    expect(text).toContain('The working tree was rolled back. Its state before the rollback: ');
    expect([project.has('a.pid'), project.has('late.txt')]).toEqual([false, false]);
  });
});

describe.concurrent('while a command runs', () => {
  test.for([
    { tool: 'prompt_engine', name: 'echo hi' },
    { tool: 'verify', name: 'lint' },
  ])('$tool tells its progress, again and again', async ({ tool, name }, { makeProject, connect }) => {
    const command = `echo hi; ${waitFor('go')}`;
    const project = makeProject({ 'worktree.yaml': `verify:\n  - { name: lint, run: '${command}' }\n` });
    const mcp = await connect(project);
    const args = tool === 'verify' ? {} : { chain_id: await mcp.begin(task(command)), user_response };
    const told: { progress: number; message?: string | undefined }[] = [];
    const answer = mcp.call(tool, args, { onprogress: (progress) => told.push(progress) });
    await eventually('progress is told twice', () => told.length >= 2);
    project.write({ go: '' });
    expect((await answer).isError).toBe(false);
    expect(told[0]?.message).toMatch(new RegExp(`^${name}.* runs$`));
    expect(told[1]?.message).toMatch(new RegExp(`^${name}.* runs, .* s$`));
    expect(told.map(({ progress }) => progress)).toEqual(told.map((_, index) => index + 1));
  });

  test.for(TREES.flatMap((tree) => ['prompt_engine', 'verify'].map((tool) => ({ ...tree, tool }))))(
    'a client that cancels $tool ends a process $tree',
    async ({ command, tool }, { makeProject, connect }) => {
      const project = makeProject({ 'worktree.yaml': `verify:\n  - run: ${JSON.stringify(command)}\n` });
      const mcp = await connect(project);
      const args = tool === 'verify' ? {} : { chain_id: await mcp.begin(task(command)), user_response };
      const cancel = new AbortController();
      const answer = mcp.call(tool, args, { signal: cancel.signal });
      const pids = await Promise.all([project.pidIn('a.pid'), project.pidIn('b.pid')]);
      cancel.abort('enough');
      await expect(answer).rejects.toThrow();
      await expectGone(...pids);
      // The server goes on, and so does the chain.
      const { chains } = (await mcp.call('status')).structured;
      expect(chains).toMatchObject(tool === 'verify' ? [] : [{ status: 'awaiting', attempts: 1 }]);
    },
  );

  test.for(
    TREES.flatMap((tree) => ['stdin', 'SIGTERM', 'SIGINT', 'SIGHUP'].map((end) => ({ ...tree, end }))),
  )(
    'the end of the server by $end ends a process $tree',
    async ({ command, end }, { makeProject, connect }) => {
      const project = makeProject();
      const mcp = await connect(project);
      const chain_id = await mcp.begin(task(command));
      const answer = mcp.engine({ chain_id, user_response });
      answer.catch(() => {});
      const pids = await Promise.all([project.pidIn('a.pid'), project.pidIn('b.pid')]);
      if (end === 'stdin') await mcp.close();
      else process.kill(mcp.pid, end as NodeJS.Signals);
      await expectGone(mcp.pid, ...pids);
      await expect(answer).rejects.toThrow();
      // The run counts, and the next server goes on.
      const next = await connect(project);
      expect((await next.call('status')).structured).toMatchObject({
        chains: [{ attempts: 1, verifying: false }],
      });
    },
  );
});

describe.concurrent('a chain and the stop hook', () => {
  const FAILS = 'echo x >> ran; exit 1';

  test.for([
    { loop: 'loop:true', session: 'session-1', decision: 'block' },
    { loop: 'loop:true', session: 'another', decision: undefined },
    { loop: 'loop:true', session: undefined, decision: 'block' },
    { loop: 'loop:false', session: 'session-1', decision: undefined },
    { loop: '', session: 'session-1', decision: undefined },
    { loop: '', session: undefined, decision: undefined },
  ])(
    '$loop begun in session $session: $decision',
    async ({ loop, session, decision }, { makeProject, connect }) => {
      const project = makeProject();
      const mcp = await connect(project, session === undefined ? {} : { CLAUDE_CODE_SESSION_ID: session });
      await mcp.begin(task(FAILS, loop));
      expect((await hookAnswers(project, mainStops(project))).decision).toBe(decision);
      expect(project.has('ran')).toBe(decision === 'block');
    },
  );

  test('without a session it is of the first one that stops', async ({ makeProject, connect }) => {
    const project = makeProject();
    await (await connect(project)).begin(task(FAILS, 'loop:true'));
    const decisionOf = async (session_id: string) =>
      (await hookAnswers(project, mainStops(project, { session_id }))).decision;
    expect([await decisionOf('one'), await decisionOf('two'), await decisionOf('one')]).toEqual([
      'block',
      undefined,
      'block',
    ]);
  });

  test('count their attempts together', async ({ makeProject, connect }) => {
    const project = makeProject();
    const mcp = await connect(project);
    const chain_id = await mcp.begin(task(FAILS, 'loop:true'));
    await hookAnswers(project, mainStops(project));
    const { text } = await mcp.engine({ chain_id, user_response });
    expect(text).toContain('(Attempt 2/5)');
  });
});
