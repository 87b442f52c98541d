import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { type AgentCall, runAgent } from '../../src/agent-run/run-agent.ts';
import { runCommand } from '../../src/process/run-command.ts';
import { expectGone } from '../helpers/processes.ts';
import { type Project, test } from '../helpers/project.ts';
import { leaveSession, sleepLong } from '../helpers/shell-commands.ts';

/** Runs an agent in a project to its end. */
function run(project: Project, call: Pick<AgentCall, 'command'> & Partial<AgentCall>, signal?: AbortSignal) {
  const pids: number[] = [];
  const result = runAgent(
    {
      prompt: 'Write the program.\n',
      cwd: project.root,
      env: project.environment,
      timeoutSeconds: 60,
      treeId: 'tree-of-an-agent',
      promptPath: join(project.home, 'output/coder-1.md'),
      logPath: join(project.home, 'output/coder-1.log'),
      ...call,
    },
    runCommand,
    { signal: signal ?? new AbortController().signal, onSpawned: async (pid) => void pids.push(pid) },
  );
  return { result, pids };
}

describe('runAgent', () => {
  test('gives the prompt to the agent on stdin', async ({ makeProject }) => {
    const project = makeProject();
    expect(await run(project, { command: ['cat'] }).result).toMatchObject({
      end: { how: 'exited', exitCode: 0 },
      message: 'Write the program.\n',
    });
    expect(project.read('../home/output/coder-1.md')).toBe('Write the program.\n');
    expect(project.read('../home/output/coder-1.log')).toBe('Write the program.\n');
  });

  test('gives a prompt of 10 MB to the agent on stdin', async ({ makeProject }) => {
    const prompt = `${'x'.repeat(99)}\n`.repeat(100_000);
    const { message } = await run(makeProject(), { command: ['wc', '-c'], prompt }).result;
    expect(Number(message)).toBe(10_000_000);
  });

  test('puts the prompt in the place of {prompt}, and leaves stdin empty', async ({ makeProject }) => {
    const command = ['sh', '-c', 'printf "%s" "<$1>"; wc -c', 'sh', 'say {prompt}'];
    const { message } = await run(makeProject(), { command, prompt: `$HOME "a" 'b'` }).result;
    expect(message).toMatch(/^<say \$HOME "a" 'b'>\s*0\n$/);
  });

  test.for(['printf "%s" {prompt}', `printf "%s" '{prompt}'`, 'printf "%s" "{prompt}"'])(
    'puts the prompt into the shell line: %s',
    async (command, { makeProject }) => {
      const prompt = `$HOME "a" 'b'\n  c`;
      expect(await run(makeProject(), { command, prompt }).result).toMatchObject({ message: prompt });
    },
  );

  test('reports the pid of the agent before the agent begins', async ({ makeProject }) => {
    const { result, pids } = run(makeProject(), { command: 'echo $$' });
    expect((await result).message).toBe(`${pids[0]}\n`);
  });

  test('returns the last line of its stderr', async ({ makeProject }) => {
    const command = 'echo first >&2; printf "\\033[31mNot logged in\\033[0m\\n\\n" >&2; echo stdout; exit 4';
    expect(await run(makeProject(), { command }).result).toMatchObject({
      end: { how: 'exited', exitCode: 4 },
      message: 'stdout\n',
      errorLine: 'Not logged in',
    });
  });

  test('kills the processes that the agent leaves behind', async ({ makeProject }) => {
    const project = makeProject();
    const { result } = run(project, { command: leaveSession('b.pid') });
    const pid = await project.pidIn('b.pid');
    await result;
    await expectGone(pid);
  });

  test('kills the agent and all its processes when it times out', async ({ makeProject }) => {
    const project = makeProject();
    const command = `${leaveSession('b.pid')}; ${sleepLong('a.pid')}`;
    const { result } = run(project, { command, timeoutSeconds: 0.5 });
    expect((await result).end).toEqual({ how: 'timed-out' });
    await expectGone(await project.pidIn('a.pid'), await project.pidIn('b.pid'));
  });

  test('kills the agent and all its processes when it is aborted', async ({ makeProject }) => {
    const project = makeProject();
    const abort = new AbortController();
    const command = `${leaveSession('b.pid')}; ${sleepLong('a.pid')}`;
    const { result } = run(project, { command }, abort.signal);
    const pids = [await project.pidIn('a.pid'), await project.pidIn('b.pid')];
    abort.abort();
    expect((await result).end).toEqual({ how: 'aborted' });
    await expectGone(...pids);
  });
});
