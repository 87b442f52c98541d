import { readdirSync, renameSync, rmSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { gitProject } from '../helpers/git-project.ts';
import { testInProcess as test } from '../helpers/mcp-client.ts';
import { expectGone } from '../helpers/processes.ts';
import { ignoreTerm, sleepLong, waitFor, waitForChild } from '../helpers/shell-commands.ts';

/** A task with this command. */
const task = (command: string, more = '') => `Do it :: verify:${JSON.stringify(command)} ${more}`;
const user_response = 'x';

const TREES = {
  'with a child': waitForChild('a.pid', 'b.pid'),
  'that ignores SIGTERM': `(${ignoreTerm('b.pid')}) & ${sleepLong('a.pid')}`,
};

test('five chains are verified at the same time', async ({ makeProject, connect }) => {
  const project = makeProject();
  const mcp = await connect(project);
  const numbers = [1, 2, 3, 4, 5];
  const ids = await Promise.all(
    numbers.map((n) => mcp.start(task(`touch running-${n}; ${waitFor('go')}; echo ${n}; exit ${n}`))),
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

describe.concurrent('during a run', () => {
  test('another call does not verify the same chain', async ({ makeProject, connect }) => {
    const project = makeProject();
    const mcp = await connect(project);
    const chain_id = await mcp.start(task(`echo x >> ran; ${waitFor('go')}`));
    const first = mcp.engine({ chain_id, user_response });
    await project.appears('ran');
    expect(await mcp.engine({ chain_id, user_response })).toMatchObject({
      isError: true,
      text: `Chain ${chain_id} was not verified: it is being verified by process ${mcp.pid}.`,
    });
    project.write({ go: '' });
    expect((await first).structured).toMatchObject({ status: 'passed', verification: { attempts: 1 } });
    expect(project.read('ran')).toBe('x\n');
  });

  test.for(Object.entries(TREES))(
    'gate_action abort ends a process %s, and leaves no files',
    async ([, command], { makeProject, connect }) => {
      const project = makeProject();
      const mcp = await connect(project);
      const chain_id = await mcp.start(task(`trap 'echo bye; exit' TERM; ${command}`));
      const answer = mcp.engine({ chain_id, user_response });
      const pids = await Promise.all([project.pidIn('a.pid'), project.pidIn('b.pid')]);
      const aborted = await mcp.engine({ chain_id, gate_action: 'abort' });
      expect(aborted.structured).toMatchObject({ chain_id, status: 'aborted', success: false });
      await expectGone(...pids);
      expect(await answer).toMatchObject({
        isError: true,
        text: expect.stringContaining('a person aborted it'),
      });
      expect((await mcp.call('status')).structured).toMatchObject({ chains: [] });
      expect(readdirSync(project.path('.trellis/.ralph'), { recursive: true }).join()).not.toContain(
        chain_id,
      );
    },
  );

  test('gate_action abort during a run leaves the tree alone, and names the command that rolls it back', async ({
    makeProject,
    connect,
  }) => {
    const project = gitProject(makeProject);
    const mcp = await connect(project);
    const command = `trap 'echo late > late.txt; exit' TERM; echo $$ > a.pid; while :; do sleep 0.02; done`;
    const chain_id = await mcp.start(task(command, 'rollback:true'));
    mcp.engine({ chain_id, user_response }).catch(() => {});
    await project.pidIn('a.pid');
    const { text } = await mcp.engine({ chain_id, gate_action: 'abort' });
    expect(text).toMatch(/The working tree was not rolled back: .*\n.*: ralph-loop checkpoint restore \w+$/);
    expect([project.has('a.pid'), project.has('late.txt')]).toEqual([true, true]);
  });

  test.for([
    { tool: 'prompt_engine', tree: 'that ignores SIGTERM', chains: [{ status: 'awaiting', attempts: 1 }] },
    { tool: 'verify', tree: 'with a child', chains: [] },
  ] as const)(
    'the cancellation of $tool ends a process $tree',
    async ({ tree, tool, chains }, { makeProject, connect }) => {
      const command = TREES[tree];
      const project = makeProject({ 'worktree.yaml': `verify:\n  - run: ${JSON.stringify(command)}\n` });
      const mcp = await connect(project);
      const args = tool === 'verify' ? {} : { chain_id: await mcp.start(task(command)), user_response };
      const cancel = new AbortController();
      const answer = mcp.call(tool, args, { signal: cancel.signal });
      const pids = await Promise.all([project.pidIn('a.pid'), project.pidIn('b.pid')]);
      cancel.abort('enough');
      await expect(answer).rejects.toThrow();
      await expectGone(...pids);
      // The server and the chain go on.
      expect((await mcp.call('status')).structured).toMatchObject({ chains });
    },
  );

  test.for(['removed', 'moved'])(
    'a project that is %s is not created again',
    async (how, { makeProject, connect }) => {
      const project = makeProject();
      const mcp = await connect(project);
      const chain_id = await mcp.start(task(sleepLong('a.pid'), 'timeout:1'));
      const answer = mcp.engine({ chain_id, user_response });
      await project.pidIn('a.pid');
      if (how === 'removed') rmSync(project.root, { recursive: true });
      else renameSync(project.root, project.path('../moved'));
      expect(await answer).toMatchObject({
        isError: true,
        text: expect.stringContaining('the project was removed or moved'),
      });
      expect(project.has('.')).toBe(false);
    },
  );
});
