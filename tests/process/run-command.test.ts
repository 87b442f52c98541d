import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import type { CommandSpec } from '../../src/process/run-command.ts';
import { isRunning } from '../helpers/processes.ts';
import { test } from '../helpers/project.ts';
import { runShell, textOf } from '../helpers/run-shell.ts';

describe.concurrent('runCommand reports the end of', () => {
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
    // A shell reports a child's signal in its exit code.
    { command: "sh -c 'kill -KILL $$'; exit $?", end: { how: 'exited', exitCode: 137 } },
  ])('$command → $end', async ({ command, end }, { makeProject }) => {
    const project = makeProject({ 'not-executable': 'true\n' });
    expect((await runShell(project, command)).end).toEqual(end);
  });
});

describe.concurrent('the commands after the first', () => {
  test.for([
    { next: ['echo b', 'echo c'], end: { how: 'exited', exitCode: 0 }, text: 'a\nb\nc\n' },
    { next: ['exit 3', 'echo c'], end: { how: 'exited', exitCode: 3 }, text: 'a\n' },
    { next: ['kill -KILL $$', 'echo c'], end: { how: 'killed', signal: 'SIGKILL' }, text: 'a\n' },
  ])('$next run until one fails, with one output and one log', async (row, { makeProject }) => {
    const project = makeProject();
    const logPath = project.path('gate.log');
    const { end, output } = await runShell(project, 'echo a', { next: row.next, logPath });

    expect(end).toEqual(row.end);
    expect([textOf(output), project.read('gate.log')]).toEqual([row.text, row.text]);
  });

  test('share the timeout of the first', async ({ makeProject }) => {
    const { end } = await runShell(makeProject(), 'true', { next: ['sleep 600'], timeoutMs: 300 });

    expect(end).toEqual({ how: 'timed-out' });
  });
});

describe.concurrent('runCommand reports a command that cannot be started because of', () => {
  test.for<{ reason: string; command?: string; spec: Partial<CommandSpec>; message: RegExp }>([
    {
      reason: 'a missing directory',
      spec: { cwd: '/no/such/dir' },
      message: /directory \/no\/such\/dir does not/,
    },
    { reason: 'a directory that is a file', spec: { cwd: '/etc/passwd' }, message: /./ },
    { reason: 'a NUL in the command', command: 'echo a\0b', spec: {}, message: /null bytes/ },
    { reason: 'a NUL in the directory', spec: { cwd: '/tmp\0' }, message: /null bytes/ },
    { reason: 'a NUL in a variable', spec: { env: { A: 'b\0c' } }, message: /null bytes/ },
    {
      reason: 'a command too long for the system',
      command: `: ${'x'.repeat(3e6)}`,
      spec: {},
      message: /E2BIG/,
    },
  ])('$reason', async ({ command = 'true', spec, message }, { makeProject }) => {
    const project = makeProject();
    const { end, output } = await runShell(project, command, { ...spec, logPath: project.path('gate.log') });
    expect(end).toEqual({ how: 'not-started', message: expect.stringMatching(message) });
    expect(output).toEqual({ head: [], tail: [], omittedBytes: 0 });
    expect(project.has('gate.log')).toBe(false);
  });
});

describe.concurrent('a command', () => {
  test('runs in the given directory with the given environment only', async ({ makeProject }) => {
    const project = makeProject();
    const { output } = await runShell(project, 'pwd; env', {
      env: { PATH: project.environment.PATH, ONLY: 'this' },
    });
    expect(textOf(output)).toContain(`${project.root}\n`);
    const names = [...textOf(output).matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    // The shell itself sets these.
    expect(names.filter((name) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name ?? '')).toSorted()).toEqual([
      'ONLY',
      'PATH',
      'RALPH_LOOP_TREE',
    ]);
  });

  test('runs with stdin at its end', async ({ makeProject }) => {
    const { end, output } = await runShell(makeProject(), 'cat; echo read to the end');
    expect(end).toEqual({ how: 'exited', exitCode: 0 });
    expect(textOf(output)).toBe('read to the end\n');
  });

  test('is the leader of its own process group', async ({ makeProject }) => {
    const { output } = await runShell(makeProject(), 'echo $$; ps -o pgid= -p $$');
    const [pid, group] = textOf(output).trim().split(/\s+/);
    expect(group).toBe(pid);
  });

  test('runs if its log cannot be written', async ({ makeProject }) => {
    const project = makeProject({ output: 'a file where the directory should be\n' });
    const { end, output } = await runShell(project, 'echo kept; exit 3', {
      logPath: project.path('output/gate.log'),
    });
    expect(end).toEqual({ how: 'exited', exitCode: 3 });
    expect(textOf(output)).toBe('kept\n');
    expect(output.logPath).toBeUndefined();
  });

  test('runs if the path of its log is a directory', async ({ makeProject }) => {
    const project = makeProject();
    mkdirSync(project.path('gate.log'));
    writeFileSync(project.path('gate.log/inside'), '');
    const { end, output } = await runShell(project, 'echo kept', { logPath: project.path('gate.log') });
    expect(end).toEqual({ how: 'exited', exitCode: 0 });
    expect(output.logPath).toBeUndefined();
    expect(project.has('gate.log/inside')).toBe(true);
  });

  test('receives its arguments unchanged', async ({ makeProject }) => {
    const args = ['two words', "it's", '$HOME', ''];
    const { output } = await runShell(makeProject(), 'printf "<%s>" "$@"', { args });
    expect(textOf(output)).toBe("<two words><it's><$HOME><>");
  });

  test.for(['cat', 'cat /dev/stdin'])('reads its input by `%s`', async (command, { makeProject }) => {
    const text = `${'x'.repeat(2_000_000)}\nend\n`;
    const project = makeProject({ 'input.txt': text });
    const { end, output } = await runShell(project, `${command} | wc -c`, {
      inputPath: project.path('input.txt'),
    });
    expect(end).toEqual({ how: 'exited', exitCode: 0 });
    expect(textOf(output).trim()).toBe(String(text.length));
  });

  test('may ignore its input', async ({ makeProject }) => {
    const project = makeProject({ 'input.txt': 'x'.repeat(1_000_000) });
    const { end } = await runShell(project, 'exit 3', { inputPath: project.path('input.txt') });
    expect(end).toEqual({ how: 'exited', exitCode: 3 });
  });

  test('does not start if its input file is missing', async ({ makeProject }) => {
    const project = makeProject();
    const { end } = await runShell(project, 'touch started', { inputPath: project.path('none.txt') });
    expect(end).toEqual({ how: 'not-started', message: expect.stringContaining('none.txt') });
    expect(project.has('started')).toBe(false);
  });
});

describe.concurrent('a command with onSpawned', () => {
  test('starts when the promise of onSpawned resolves', async ({ makeProject }) => {
    const project = makeProject();
    const { end, output } = await runShell(
      project,
      'cat saved; exec sh -c \'echo "$1"\' sh "$1"',
      { args: ['a b'] },
      {
        onSpawned: async (pid) => {
          expect(isRunning(pid)).toBe(true);
          project.write({ saved: 'saved\n' });
        },
      },
    );
    expect(end).toEqual({ how: 'exited', exitCode: 0 });
    expect(textOf(output)).toBe('saved\na b\n');
  });

  test('does not start if the promise of onSpawned rejects', async ({ makeProject }) => {
    const project = makeProject();
    const { end } = await runShell(
      project,
      'touch started',
      {},
      {
        onSpawned: () => Promise.reject(new Error('the disk is full')),
      },
    );
    expect(end).toEqual({ how: 'not-started', message: 'the disk is full' });
    expect(project.has('started')).toBe(false);
  });
});
