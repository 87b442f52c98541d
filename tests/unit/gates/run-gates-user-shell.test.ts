import { describe, expect, test } from 'vitest';
import { runGates, userShell } from '../../../src/gates/run-gates.ts';
import { type CommandEnd, DEFAULT_SHELL } from '../../../src/process/run-command.ts';
import { shellGate } from '../../helpers/gate-results.ts';
import { scriptedCommands } from '../../helpers/scripted-commands.ts';

const PROBE = 'exit 42';

/** The result of userShell if the probe ends in this way, and the commands that were run. */
async function shellOf(env: NodeJS.ProcessEnv, end: number | CommandEnd = 0) {
  const { runCommand, specs } = scriptedCommands({ [PROBE]: end });
  return { shell: await userShell(env, runCommand), specs };
}

describe("the user's shell", () => {
  test.each([
    ['$SHELL is not set', {}],
    ['$SHELL is empty', { SHELL: '' }],
  ])('is /bin/sh if %s', async (_, env) => {
    expect(await shellOf(env)).toEqual({ shell: { ok: true, value: DEFAULT_SHELL }, specs: [] });
    expect(DEFAULT_SHELL).toBe('/bin/sh');
  });

  test.each([
    '/bin/sh',
    '/bin/bash',
    '/usr/bin/zsh',
    '/opt/homebrew/bin/fish',
    '/bin/dash',
    '/bin/ash',
    '/bin/ksh',
    '/bin/mksh',
    '/bin/tcsh',
    'bash',
    '/a path/bash',
  ])('is recognized by its name without a probe: %s', async (SHELL) => {
    expect(await shellOf({ SHELL })).toEqual({ shell: { ok: true, value: SHELL }, specs: [] });
  });

  test('may be any other program that runs a command', async () => {
    const env = { SHELL: '/opt/my-shell', HOME: '/home/x' };
    const { shell, specs } = await shellOf(env, 42);

    expect(shell).toEqual({ ok: true, value: '/opt/my-shell' });
    expect(specs).toMatchObject([{ command: PROBE, shell: '/opt/my-shell', env }]);
  });

  const ends: [what: string, SHELL: string, end: number | CommandEnd][] = [
    ['lets everything pass', '/bin/true', 0],
    ['lets nothing pass', '/bin/false', 1],
    ['sends people away', '/usr/sbin/nologin', 1],
    ['does not know -c', '/usr/bin/python3', 2],
    ['is a name like that of a shell', '/bin/bash-wrapper', 0],
    ['is a path that ends in a slash', '/bin/bash/', { how: 'not-started', message: 'ENOTDIR' }],
    ['has arguments', '/bin/bash -l', { how: 'not-started', message: 'ENOENT' }],
    ['is a blank', ' ', { how: 'not-started', message: 'ENOENT' }],
    ['is not there', '/gone', { how: 'not-started', message: 'ENOENT' }],
    ['is killed', '/x', { how: 'killed', signal: 'SIGSEGV' }],
    ['hangs', '/y', { how: 'timed-out' }],
  ];
  test.each(ends)('is refused if it %s: %s', async (_, SHELL, end) => {
    const { shell } = await shellOf({ SHELL }, end);

    expect(shell).toEqual({
      ok: false,
      failure: { message: expect.stringContaining(`$SHELL is ${SHELL}, which does not run commands`) },
    });
  });
});

describe('a gate with inUserShell', () => {
  const gate = (name: string, env = {}) => shellGate(name, { inUserShell: true, env });
  const run = async (gates: Parameters<typeof runGates>[0], env: NodeJS.ProcessEnv, probe: number) => {
    const { runCommand, specs } = scriptedCommands({ [PROBE]: probe });
    const summary = await runGates(gates, { runCommand, failFast: false, env });
    return { summary, specs };
  };

  test("runs in the user's shell", async () => {
    const { specs } = await run([gate('a')], { SHELL: '/bin/bash' }, 0);

    expect(specs).toMatchObject([{ command: 'a', shell: '/bin/bash' }]);
  });

  test('does not pass if $SHELL does not run commands', async () => {
    const { summary, specs } = await run([gate('a')], { SHELL: '/bin/true' }, 0);

    expect(summary).toMatchObject({
      verdict: 'failed',
      results: [
        { outcome: { reason: 'not-started', message: expect.stringContaining('$SHELL is /bin/true') } },
      ],
    });
    expect(specs.map(({ command }) => command)).toEqual([PROBE]);
  });

  test('runs in the shell that its own environment names', async () => {
    const { specs } = await run([gate('a', { SHELL: '/bin/zsh' })], { SHELL: '/bin/bash' }, 0);

    expect(specs).toMatchObject([{ command: 'a', shell: '/bin/zsh' }]);
  });

  test('is the only kind that depends on $SHELL', async () => {
    const { specs, summary } = await run([shellGate('a')], { SHELL: '/bin/false' }, 1);

    expect(summary.verdict).toBe('passed');
    expect(specs).toHaveLength(1);
    expect(specs[0]).not.toHaveProperty('shell');
  });
});
