import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import type { CommandSpec } from '../../src/process/run-command.ts';
import { test } from '../helpers/project.ts';
import { runShell, textOf } from '../helpers/run-shell.ts';

describe.concurrent('a command ends', () => {
  test.for([
    { command: 'exit 0', end: { how: 'exited', exitCode: 0 } },
    { command: 'exit 1', end: { how: 'exited', exitCode: 1 } },
    { command: 'exit 255', end: { how: 'exited', exitCode: 255 } },
    { command: 'no-such-program-anywhere', end: { how: 'exited', exitCode: 127 } },
    { command: './not-executable', end: { how: 'exited', exitCode: 126 } },
    { command: 'if', end: { how: 'exited', exitCode: 2 } },
    { command: 'kill -KILL $$', end: { how: 'killed', signal: 'SIGKILL' } },
    { command: 'kill -TERM $$', end: { how: 'killed', signal: 'SIGTERM' } },
    { command: 'kill -SEGV $$', end: { how: 'killed', signal: 'SIGSEGV' } },
    // A shell tells of a child's signal by its own exit code.
    { command: "sh -c 'kill -KILL $$'; exit $?", end: { how: 'exited', exitCode: 137 } },
  ])('$command → $end', async ({ command, end }, { makeProject }) => {
    const project = makeProject({ 'not-executable': 'true\n' });
    expect((await runShell(project, command)).end).toEqual(end);
  });
});

describe.concurrent('a command that cannot be started', () => {
  test.for<{ why: string; command?: string; spec: Partial<CommandSpec>; message: RegExp }>([
    {
      why: 'its directory is missing',
      spec: { cwd: '/no/such/dir' },
      message: /directory \/no\/such\/dir does not/,
    },
    { why: 'its directory is a file', spec: { cwd: '/etc/passwd' }, message: /./ },
    { why: 'a NUL in the command', command: 'echo a\0b', spec: {}, message: /null bytes/ },
    { why: 'a NUL in the directory', spec: { cwd: '/tmp\0' }, message: /null bytes/ },
    { why: 'a NUL in a variable', spec: { env: { A: 'b\0c' } }, message: /null bytes/ },
    { why: 'a command too long for the system', command: `: ${'x'.repeat(3e6)}`, spec: {}, message: /E2BIG/ },
  ])('is told why: $why', async ({ command = 'true', spec, message }, { makeProject }) => {
    const project = makeProject();
    const { end, output } = await runShell(project, command, { ...spec, logPath: project.path('gate.log') });
    expect(end).toEqual({ how: 'not-started', message: expect.stringMatching(message) });
    expect(output).toEqual({ head: [], tail: [], omittedBytes: 0 });
    expect(project.has('gate.log')).toBe(false);
  });
});

describe.concurrent('a command runs', () => {
  test('in its directory, in the environment it is given and no other', async ({ makeProject }) => {
    const project = makeProject();
    const { output } = await runShell(project, 'pwd; env', {
      env: { PATH: project.environment.PATH, ONLY: 'this' },
    });
    expect(textOf(output)).toContain(`${project.root}\n`);
    const names = [...textOf(output).matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    // What the shell itself sets.
    expect(names.filter((name) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name ?? '')).toSorted()).toEqual([
      'ONLY',
      'PATH',
    ]);
  });

  test('with stdin at its end', async ({ makeProject }) => {
    const { end, output } = await runShell(makeProject(), 'cat; echo read to the end');
    expect(end).toEqual({ how: 'exited', exitCode: 0 });
    expect(textOf(output)).toBe('read to the end\n');
  });

  test('as the leader of a process group of its own', async ({ makeProject }) => {
    const { output } = await runShell(makeProject(), 'echo $$; ps -o pgid= -p $$');
    const [pid, group] = textOf(output).trim().split(/\s+/);
    expect(group).toBe(pid);
  });

  test('and is judged where its log cannot be written', async ({ makeProject }) => {
    const project = makeProject({ output: 'a file where the directory should be\n' });
    const { end, output } = await runShell(project, 'echo kept; exit 3', {
      logPath: project.path('output/gate.log'),
    });
    expect(end).toEqual({ how: 'exited', exitCode: 3 });
    expect(textOf(output)).toBe('kept\n');
    expect(output.logPath).toBeUndefined();
  });

  test('and is judged where a directory stands in the way of its log', async ({ makeProject }) => {
    const project = makeProject();
    mkdirSync(project.path('gate.log'));
    writeFileSync(project.path('gate.log/inside'), '');
    const { end, output } = await runShell(project, 'echo kept', { logPath: project.path('gate.log') });
    expect(end).toEqual({ how: 'exited', exitCode: 0 });
    expect(output.logPath).toBeUndefined();
    expect(project.has('gate.log/inside')).toBe(true);
  });
});
